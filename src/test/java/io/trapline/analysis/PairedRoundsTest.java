package io.trapline.analysis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.NavigableMap;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PairedRoundsTest {
    private final PairedRounds method = new PairedRounds();

    /** Rates by round, from round {@code first} on. */
    private static NavigableMap<Integer, Double> rounds(int first, double... rates) {
        NavigableMap<Integer, Double> map = new TreeMap<>();
        for (int i = 0; i < rates.length; i++) {
            map.put(first + i, rates[i]);
        }
        return map;
    }

    /** By hand: logs of 1.02, 1.03, 1.04 have mean 0.02952738 and s 0.00970908; t(2) at 0.975 is 4.3026527. */
    @Test
    void pairedInterval() {
        Estimate estimate =
                method.compare(rounds(1, 100, 200, 50), rounds(1, 102, 206, 52)).orElseThrow();
        assertThat(estimate.ratio()).isCloseTo(1.02996764, within(1e-8));
        assertThat(estimate.interval().orElseThrow().low()).isCloseTo(1.00542334, within(1e-8));
        assertThat(estimate.interval().orElseThrow().high()).isCloseTo(1.05511111, within(1e-8));
        assertThat(estimate.basis()).isEqualTo("3 pairs");
    }

    /** Whatever slows a whole round down slows both paths down. */
    @Test
    void driftBetweenRoundsChangesNothing() {
        Random random = new Random(8);
        for (int run = 0; run < 100; run++) {
            double[] a = random.doubles(6, 90, 110).toArray();
            double[] b = random.doubles(6, 95, 115).toArray();
            Estimate still = method.compare(rounds(1, a), rounds(1, b)).orElseThrow();
            for (int i = 0; i < a.length; i++) {
                double drift = random.nextDouble(0.1, 10);
                a[i] *= drift;
                b[i] *= drift;
            }
            Estimate drifting = method.compare(rounds(1, a), rounds(1, b)).orElseThrow();
            assertThat(drifting.ratio()).isCloseTo(still.ratio(), within(1e-9));
            assertThat(drifting.interval().orElseThrow().low())
                    .isCloseTo(still.interval().orElseThrow().low(), within(1e-9));
            assertThat(drifting.interval().orElseThrow().high())
                    .isCloseTo(still.interval().orElseThrow().high(), within(1e-9));
        }
    }

    @Test
    void exchangingThePathsInvertsTheAnswer() {
        NavigableMap<Integer, Double> a = rounds(1, 100, 104, 99, 101);
        NavigableMap<Integer, Double> b = rounds(1, 111, 108, 113, 109);
        Estimate there = method.compare(a, b).orElseThrow();
        Estimate back = method.compare(b, a).orElseThrow();
        assertThat(there.ratio() * back.ratio()).isCloseTo(1, within(1e-12));
        assertThat(there.interval().orElseThrow().low()
                        * back.interval().orElseThrow().high())
                .isCloseTo(1, within(1e-12));
    }

    /** With the truth known, 95 of 100 intervals must hold it; the seed makes the count the same in every run. */
    @Test
    void intervalsHoldTheTruthAsOftenAsTheySay() {
        Random random = new Random(95);
        int held = 0;
        int runs = 2000;
        for (int run = 0; run < runs; run++) {
            NavigableMap<Integer, Double> a = new TreeMap<>();
            NavigableMap<Integer, Double> b = new TreeMap<>();
            for (int round = 1; round <= 5; round++) {
                double drift = random.nextDouble(0.5, 2);
                a.put(round, drift * StrictMath.exp(0.02 * random.nextGaussian()));
                b.put(round, drift * 1.05 * StrictMath.exp(0.02 * random.nextGaussian()));
            }
            Estimate.Interval interval =
                    method.compare(a, b).orElseThrow().interval().orElseThrow();
            held += interval.low() <= 1.05 && 1.05 <= interval.high() ? 1 : 0;
        }
        // three standard deviations of a binomial of 2000 at 0.95 are 29
        assertThat(held).isBetween(1900 - 30, 1900 + 30);
    }

    /** By hand: logs ln 100, ln 102 and ln 110, ln 111, ln 113; Welch's t with 2.22842 degrees of freedom is 3.90646. */
    @Test
    void withoutCommonRoundsAllTrialsCount() {
        Estimate estimate =
                method.compare(rounds(1, 100, 102), rounds(3, 110, 111, 113)).orElseThrow();
        assertThat(estimate.ratio()).isCloseTo(Math.cbrt(110.0 * 111 * 113) / Math.sqrt(100 * 102), within(1e-9));
        assertThat(estimate.interval().orElseThrow().low()).isCloseTo(1.0490661, within(1e-7));
        assertThat(estimate.interval().orElseThrow().high()).isCloseTo(1.1582253, within(1e-7));
        assertThat(estimate.basis()).isEqualTo("2+3 trials");
    }

    @Test
    void roundsOfTheSameNumberCanBeLeftUnpaired() {
        assertThat(method.compareUnpaired(rounds(1, 100, 102), rounds(1, 110, 111, 113)))
                .isEqualTo(method.compare(rounds(1, 100, 102), rounds(3, 110, 111, 113)));
    }

    @Test
    void aTrialWithoutItsPartnerIsLeftOutAndToldOf() {
        Estimate estimate =
                method.compare(rounds(1, 100, 101, 999), rounds(1, 100, 101)).orElseThrow();
        assertThat(estimate.ratio()).isEqualTo(1);
        assertThat(estimate.basis()).isEqualTo("2 pairs, 1 left out");
    }

    @Test
    void oneTrialGivesNoInterval() {
        Estimate estimate = method.compare(rounds(1, 100), rounds(1, 200)).orElseThrow();
        assertThat(estimate.ratio()).isCloseTo(2, within(1e-12));
        assertThat(estimate.interval()).isEmpty();
        assertThat(Finding.of(Optional.of(estimate))).isEqualTo(Finding.UNDECIDED);
        assertThat(method.compare(rounds(1), rounds(1, 200))).isEmpty();
        assertThat(Finding.of(Optional.empty())).isEqualTo(Finding.NOT_COMPARED);
    }

    /** An emulated guest that counts instructions prints the same rate each time. */
    @Test
    void trialsWithoutAnySpreadHaveAnIntervalOfOnePoint() {
        assertThat(method.compare(rounds(1, 100, 100), rounds(1, 102, 102)).flatMap(Estimate::interval))
                .get()
                .satisfies(i -> assertThat(i.low()).isEqualTo(i.high()));
        assertThat(method.compare(rounds(1, 100, 100), rounds(3, 102, 102)).flatMap(Estimate::interval))
                .get()
                .satisfies(i -> assertThat(i.low()).isEqualTo(i.high()));
    }

    @ParameterizedTest
    @CsvSource({
        "0.995, 1.005, SAME",
        "0.99, 1.01, SAME",
        "1.001, 1.009, SAME",
        "1.001, 1.02, FASTER",
        "1.2, 1.4, FASTER",
        "0.98, 0.999, SLOWER",
        "0.98, 1.0, UNDECIDED",
        "0.9, 1.1, UNDECIDED",
        "0.985, 1.005, UNDECIDED",
    })
    void findings(double low, double high, Finding finding) {
        assertThat(Finding.of(Optional.of(new Estimate(1, Optional.of(new Estimate.Interval(low, high)), ""))))
                .isEqualTo(finding);
    }
}

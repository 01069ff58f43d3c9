package io.trapline.analysis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.trapline.journal.JournalRecord;
import io.trapline.journal.SampleRun;
import java.util.List;
import org.junit.jupiter.api.Test;

class ScalingTest {
    /** One path on 1, 2, 4 ... CPUs; a row of rates a CPU count, a rate a round. */
    private static List<Scaling> scalings(double[]... ratesByCount) {
        SampleRun run = SampleRun.of(1, ratesByCount[0].length, "locked", "lockless");
        for (int i = 0; i < ratesByCount.length; i++) {
            for (int round = 1; round <= ratesByCount[i].length; round++) {
                run.trial(SampleRun.cell("locked", "uprobe-nop", 1 << i), round, ratesByCount[i][round - 1]);
            }
        }
        return Analysis.of(run.journal()).scalings();
    }

    @Test
    void fromTheFewestToTheMostCpus() {
        assertThat(scalings(new double[] {1000, 1010}, new double[] {1800, 1818}, new double[] {3000, 3030}))
                .singleElement()
                .satisfies(s -> {
                    assertThat(s.from().cpus().size()).isEqualTo(1);
                    assertThat(s.to().cpus().size()).isEqualTo(4);
                    assertThat(s.change().ratio()).isCloseTo(3, within(1e-9));
                    assertThat(s.change().basis()).isEqualTo("2 pairs");
                    assertThat(s.peak()).isEmpty();
                    assertThat(s.sameConsumers()).isTrue();
                });
        assertThat(scalings(new double[] {1000, 1010})).isEmpty();
    }

    @Test
    void aPeakIsToldOnlyWhereTheSpreadLeavesNoDoubt() {
        assertThat(scalings(
                        new double[] {1000, 1000, 1000}, new double[] {2000, 2010, 1990}, new double[] {1500, 1510, 1490
                        }))
                .singleElement()
                .extracting(s -> s.peak().orElseThrow())
                .satisfies(peak -> {
                    assertThat(peak.cell().cpus().size()).isEqualTo(2);
                    assertThat(peak.rate()).isCloseTo(2000, within(1e-9));
                    assertThat(peak.last().ratio()).isCloseTo(0.75, within(1e-3));
                });
        assertThat(scalings(
                        new double[] {1000, 1000, 1000}, new double[] {2000, 1500, 1700}, new double[] {1500, 1700, 1800
                        }))
                .singleElement()
                .satisfies(s -> assertThat(s.peak()).isEmpty());
        assertThat(scalings(new double[] {1000}, new double[] {2000}, new double[] {1500}))
                .singleElement()
                .satisfies(s -> assertThat(s.peak()).isEmpty());
    }

    /** Where it only goes down, the change says so already. */
    @Test
    void theBeginningIsNoPeak() {
        assertThat(scalings(new double[] {3000, 3010}, new double[] {2000, 2010}, new double[] {1500, 1510}))
                .singleElement()
                .satisfies(s -> assertThat(s.peak()).isEmpty());
    }

    @Test
    void consumersThatGrowWithTheCpusAreNotHidden() {
        SampleRun run = SampleRun.of(1, 1, "locked", "lockless");
        for (int cpus = 1; cpus <= 2; cpus++) {
            JournalRecord.Planned planned = SampleRun.planned(SampleRun.cell("locked", "uprobe-nop", cpus), 1);
            run.add(planned).attempt(planned, 1, SampleRun.withConsumers(cpus), 1000);
        }
        assertThat(Analysis.of(run.journal()).scalings())
                .singleElement()
                .extracting(Scaling::sameConsumers)
                .isEqualTo(false);
    }
}

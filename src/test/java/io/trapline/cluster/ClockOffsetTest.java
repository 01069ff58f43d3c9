package io.trapline.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** How far another clock is ahead, from round trips of which any may have been held up. */
class ClockOffsetTest {
    private static final long AHEAD = 7_000_000_000_000L;
    private static final long SECOND = 1_000_000_000L;

    @Test
    void aCoordinatorThatWasAwayForThreeSecondsDuringTheFirstRoundTripIsNotMistakenForTheNetwork() {
        ClockOffset clock = new ClockOffset(Long.MAX_VALUE);
        clock.add(0, AHEAD + 100_000, 3 * SECOND);
        for (int i = 1; i < ClockOffset.ENOUGH; i++) {
            long sent = 3 * SECOND + i * 1_000_000L;
            clock.add(sent, AHEAD + sent + 100_000, sent + 200_000);
        }
        assertThat(clock.isKnown()).isTrue();
        assertThat(clock.offset()).isEqualTo(AHEAD);
        assertThat(clock.uncertainty()).isEqualTo(100_000);
    }

    @Test
    void roundTripsGoOnUntilOneIsShortEnoughOrThereIsNoHope() {
        ClockOffset clock = new ClockOffset(100);
        for (int i = 0; i < ClockOffset.ENOUGH; i++) {
            clock.add(0, AHEAD, 1000);
        }
        assertThat(clock.isKnown()).isFalse();
        clock.add(0, AHEAD, 200);
        assertThat(clock.isKnown()).isTrue();

        ClockOffset hopeless = new ClockOffset(100);
        for (int i = 0; i < ClockOffset.MOST; i++) {
            assertThat(hopeless.isKnown()).isFalse();
            hopeless.add(0, AHEAD, 1000);
        }
        assertThat(hopeless.isKnown()).isTrue();
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10})
    void theTruthIsNeverFurtherAwayThanTheUncertainty(long seed) {
        Random random = new Random(seed);
        for (int clocks = 0; clocks < 200; clocks++) {
            long ahead = random.nextLong() / 4;
            ClockOffset clock = new ClockOffset(Long.MAX_VALUE);
            for (int i = 0; i < ClockOffset.ENOUGH; i++) {
                long sent = random.nextInt(Integer.MAX_VALUE);
                long there = random.nextInt(10) == 0 ? random.nextInt(3_000_000) * 1000L : random.nextInt(300_000);
                long back = random.nextInt(10) == 0 ? random.nextInt(3_000_000) * 1000L : random.nextInt(300_000);
                clock.add(sent, sent + there + ahead, sent + there + back);
            }
            assertThat(Math.abs(clock.offset() - ahead)).isLessThanOrEqualTo(clock.uncertainty());
        }
    }
}

package io.trapline.host.guest;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CpuTimeTest {
    @Test
    void runsAreAddedAndTheLongestWaitCounts() {
        CpuTime then = new CpuTime(Map.of("1", share(10, 100), "2", share(20, 200)));
        CpuTime now = new CpuTime(Map.of("1", share(15, 140), "2", share(21, 230), "3", share(3, 7)));
        assertThat(now.ranSince(then)).isEqualTo(5 + 1 + 3);
        assertThat(now.waitedSince(then)).isEqualTo(40);
    }

    @Test
    void threadsThatEndTakeTheirsWithThem() {
        CpuTime then = new CpuTime(Map.of("1", share(10, 100)));
        assertThat(new CpuTime(Map.of()).waitedSince(then)).isZero();
        assertThat(new CpuTime(Map.of("1", share(1, 2))).ranSince(then)).isZero();
    }

    @Test
    void readsTheThreadsOfARunningProcess() {
        CpuTime own = CpuTime.of(ProcessHandle.current().pid());
        assertThat(own.threads()).hasSizeGreaterThan(1);
        assertThat(own.ranSince(new CpuTime(Map.of()))).isPositive();
        assertThat(CpuTime.of(Integer.MAX_VALUE).threads()).isEmpty(); // no process has that id: see pid_max
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "\n", "12", "12 x 3", "99999999999999999999 1 1"})
    void whatIsNoSchedstatTellsNothing(String text) {
        assertThat(CpuTime.Share.parse(text)).isEmpty();
        assertThat(CpuTime.Share.parse("12 34 5\n")).isEqualTo(Optional.of(share(12, 34)));
    }

    private static CpuTime.Share share(long ran, long waited) {
        return new CpuTime.Share(ran, waited);
    }
}

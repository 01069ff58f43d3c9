package io.trapline.host;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** CPUs with cores of two kinds, laid out as files and read by the real trigger. */
class HybridCoresTest {
    @TempDir
    private Path root;

    /**
     * One machine.
     *
     * @param performance CPUs that must be found to be performance cores
     * @param efficiency CPUs that must be found to be efficiency cores
     * @param compact CPU counts and what they mean
     */
    record Hybrid(String name, String machine, String performance, String efficiency, int cores, String compact) {
        @Override
        public String toString() {
            return name;
        }
    }

    static Stream<Hybrid> hybrids() {
        String siblings = "siblings: 0-1 2-3 4-5 6-7 8-9 10-11 12-13 14-15\n";
        String speeds = "khz: 0-7=5500000 8-11=5800000 12-15=5500000 16-31=4300000\n";
        return Stream.of(
                new Hybrid(
                        "told by the PMU's lists",
                        """
                        online: 0-31
                        node0: 0-31 | 10
                        sys/devices/cpu_core/cpus: 0-15
                        sys/devices/cpu_atom/cpus: 16-31
                        """ + siblings + speeds,
                        "0-15",
                        "16-31",
                        24,
                        "8=0,2,4,6,8,10,12,14 9=0,2,4,6,8,10,12,14,16 24=0,2,4,6,8,10,12,14,16-31"),
                new Hybrid(
                        "told by siblings and speed",
                        """
                        online: 0-31
                        node0: 0-31 | 10
                        """ + siblings + speeds,
                        "0-15",
                        "16-31",
                        24,
                        "8=0,2,4,6,8,10,12,14"),
                new Hybrid("siblings alone do not tell: one may be offline", """
                        online: 0-4
                        node0: 0-4 | 10
                        siblings: 0-1 2-3
                        khz: 0-4=4000000
                        """, "", "", 3, "3=0,2,4"),
                new Hybrid("speed alone does not tell", """
                        online: 0-7
                        node0: 0-7 | 10
                        khz: 0-3=1800000 4-7=2400000
                        """, "", "", 8, "4=0-3"),
                new Hybrid(
                        "SMT off: sixteen cores of two kinds, efficiency ids first",
                        """
                        online: 0-15
                        node0: 0-15 | 10
                        sys/devices/cpu_core/cpus: 8-15
                        sys/devices/cpu_atom/cpus: 0-7
                        """,
                        "8-15",
                        "0-7",
                        16,
                        "8=8-15 9=0,8-15"));
    }

    @ParameterizedTest
    @MethodSource("hybrids")
    void tellsKindsOfCores(Hybrid hybrid) throws Exception {
        Topology topology = FakeMachine.profile(root, hybrid.machine()).topology();

        assertThat(kind(topology, Topology.Core.PERFORMANCE)).hasToString(hybrid.performance());
        assertThat(kind(topology, Topology.Core.EFFICIENCY)).hasToString(hybrid.efficiency());
        assertThat(topology.cpus().stream().map(Topology.Cpu::siblings).distinct())
                .hasSize(hybrid.cores());
        MachineLayoutsTest.checkPlacement(new Placement.Compact(), hybrid.compact(), topology);
    }

    private static CpuSet kind(Topology topology, Topology.Core kind) {
        return CpuSet.of(
                topology.cpus().stream().filter(cpu -> cpu.core() == kind).mapToInt(Topology.Cpu::id));
    }
}

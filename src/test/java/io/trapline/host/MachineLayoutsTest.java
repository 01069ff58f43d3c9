package io.trapline.host;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.trapline.trigger.TriggerException;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Machines that people have, laid out as files, read by the real trigger: what there is, and which CPUs a count means.
 */
class MachineLayoutsTest {
    @TempDir
    private Path root;

    /**
     * One machine.
     *
     * @param groups usable CPUs of each NUMA node that has some: {@code 0=0-7 2=8-15}
     * @param cores how many cores the usable CPUs are on
     * @param compact CPU counts and what they mean: {@code 2=0-1 9=0-8}
     * @param scatter the same
     */
    record Layout(String name, String machine, String groups, int cores, String compact, String scatter) {
        @Override
        public String toString() {
            return name;
        }
    }

    static Stream<Layout> layouts() {
        return Stream.of(
                new Layout(
                        "memory-only nodes in between, eight threads a core",
                        """
                        online: 0-15
                        node0: 0-7 | 10 40 20 40
                        node1: | 40 10 40 20
                        node2: 8-15 | 20 40 10 40
                        node3: | 40 20 40 10
                        siblings: 0-7 8-15
                        """,
                        "0=0-7 2=8-15",
                        2,
                        "1=0 2=0-1 8=0-7 9=0-8 16=0-15",
                        "2=0,8 3=0-1,8"),
                new Layout(
                        "SMT off by a stride of ids, a node without memory",
                        """
                        online: 0,8,16,24,32,40,48,56,64,72
                        present: 0-79
                        node0: 0,8,16,24,32 | 10 40
                        node1: 40,48,56,64,72 | 40 10
                        """,
                        "0=0,8,16,24,32 1=40,48,56,64,72",
                        10,
                        "5=0,8,16,24,32 6=0,8,16,24,32,40",
                        "2=0,40 4=0,8,40,48"),
                new Layout("no node 0", """
                        online: 0-3
                        node1: 0-3 | 10
                        """, "1=0-3", 4, "3=0-2", "3=0-2"),
                new Layout("eight nodes of accelerator memory", """
                        online: 0-71
                        node0: 0-71 | 10 80 80 80 80 80 80 80 80
                        node1: | 80 10 80 80 80 80 80 80 80
                        node2: |
                        node3: |
                        node4: |
                        node5: |
                        node6: |
                        node7: |
                        node8: |
                        """, "0=0-71", 72, "72=0-71", "2=0-1"),
                new Layout("an empty second node on a small board", """
                        online: 0-3
                        node0: 0-3 |
                        node1: |
                        """, "0=0-3", 4, "4=0-3", "4=0-3"),
                new Layout("two packages in one node, no distances", """
                        online: 0-1
                        node0: 0-1 |
                        package: 0 1
                        """, "0=0-1", 2, "2=0-1", "2=0-1"),
                new Layout(
                        "eight nodes, siblings 128 ids away",
                        """
                        online: 0-255
                        """
                                + nodes(
                                        8,
                                        k -> "%d-%d,%d-%d"
                                                .formatted(16 * k, 16 * k + 15, 128 + 16 * k, 128 + 16 * k + 15))
                                + "siblings: " + pairs(0, 128, 128),
                        nodeGroups(
                                8, k -> "%d-%d,%d-%d".formatted(16 * k, 16 * k + 15, 128 + 16 * k, 128 + 16 * k + 15)),
                        128,
                        "16=0-15 17=0-15,128 32=0-15,128-143 33=0-16,128-143",
                        "8=0,16,32,48,64,80,96,112"),
                new Layout(
                        "a hole between the threads",
                        """
                        online: 0-123,248-371
                        node0: 0-123,248-371 | 10
                        """ + "siblings: " + pairs(0, 248, 124),
                        "0=0-123,248-371",
                        124,
                        "124=0-123 125=0-123,248",
                        "124=0-123"),
                new Layout("one package, two nodes", """
                        online: 0-7
                        node0: 0-3 | 10 12
                        node1: 4-7 | 12 10
                        package: 0-7
                        """, "0=0-3 1=4-7", 8, "4=0-3 5=0-4", "2=0,4"),
                new Layout(
                        "interleaved ids: siblings decide",
                        """
                        online: 0-7
                        node0: 0,2,4,6 | 10 16
                        node1: 1,3,5,7 | 16 10
                        siblings: 0,2 4,6 1,3 5,7
                        package: 0-7
                        """,
                        "0=0,2,4,6 1=1,3,5,7",
                        4,
                        "2=0,4 3=0,2,4 4=0,2,4,6 6=0-2,4-6",
                        "2=0-1 4=0-1,4-5"),
                new Layout(
                        "more nodes than packages, lists without ranges",
                        """
                        online: 0,1,2,3,8,9,10,11
                        node0: 0,1,8,9 | 10 11
                        node1: 2,3,10,11 | 11 10
                        siblings: 0,8 1,9 2,10 3,11
                        """,
                        "0=0-1,8-9 1=2-3,10-11",
                        4,
                        "2=0-1 3=0-1,8 5=0-2,8-9",
                        "4=0-3"),
                new Layout(
                        "a cpuset inside the second node",
                        """
                        online: 0-127
                        allowed: 32-42
                        node0: 0-31,64-95 | 10 21
                        node1: 32-63,96-127 | 21 10
                        """ + "siblings: " + pairs(0, 64, 64),
                        "1=32-42",
                        11,
                        "1=32 11=32-42",
                        "11=32-42"),
                new Layout("a container that keeps the host's ids", """
                        online: 0-15
                        allowed: 9-11
                        node0: 0-15 | 10
                        """, "0=9-11", 3, "1=9 2=9-10", "1=9"),
                new Layout("allowed wider than online", """
                        online: 0-15
                        allowed: 0-31
                        node0: 0-15 | 10
                        """, "0=0-15", 16, "16=0-15", "16=0-15"),
                new Layout(
                        "a CPU that is listed and offline", """
                        online: 0-109,111
                        present: 0-111
                        allowed: 0-111
                        node0: 0-55 | 10 20
                        node1: 56-111 | 20 10
                        """, "0=0-55 1=56-109,111", 111, "111=0-109,111", "2=0,56"),
                new Layout(
                        "1280 threads", """
                        online: 0-1279
                        node0: 0-639 | 10 20
                        node1: 640-1279 | 20 10
                        """, "0=0-639 1=640-1279", 1280, "640=0-639 641=0-640 1280=0-1279", "2=0,640"),
                new Layout("SMT off, distance 32", """
                        online: 0-63
                        node0: 0-31 | 10 32
                        node1: 32-63 | 32 10
                        """, "0=0-31 1=32-63", 64, "33=0-32", "4=0-1,32-33"),
                new Layout("a guest's nodes with holes", """
                        online: 0-7
                        node0: 0-1,3 | 10 20
                        node1: 2,4-7 | 20 10
                        """, "0=0-1,3 1=2,4-7", 8, "3=0-1,3 4=0-3", "6=0-5 7=0-6"),
                new Layout(
                        "the nearest node is not the next one",
                        """
                        online: 0-7
                        node0: 0-1 | 10 51 31 41
                        node1: 2-3 | 51 10 21 61
                        node2: 4-5 | 31 21 10 11
                        node3: 6-7 | 41 61 11 10
                        """,
                        "0=0-1 1=2-3 2=4-5 3=6-7",
                        8,
                        "3=0-1,4 5=0-1,4-6 7=0-2,4-7",
                        "2=0,4 3=0,4,6"),
                new Layout("all CPUs on the first of two nodes", """
                        online: 0-7
                        node0: 0-7 | 10 20
                        node1: | 20 10
                        """, "0=0-7", 8, "8=0-7", "8=0-7"),
                new Layout(
                        "four nodes of 16, no SMT",
                        """
                        online: 0-63
                        node0: 0-15 | 10 12 20 22
                        node1: 16-31 | 12 10 22 24
                        node2: 32-47 | 20 22 10 12
                        node3: 48-63 | 22 24 12 10
                        """,
                        "0=0-15 1=16-31 2=32-47 3=48-63",
                        64,
                        "8=0-7 16=0-15 32=0-31 64=0-63",
                        "4=0,16,32,48"),
                new Layout(
                        "one last-level cache after the other, whatever the ids",
                        """
                        online: 0-7
                        node0: 0-7 | 10
                        siblings: 0,4 1,5 2,6 3,7
                        llc: 0,2,4,6 1,3,5,7
                        """,
                        "0=0-7",
                        4,
                        "2=0,2 3=0-2 5=0-4",
                        "2=0,2"),
                new Layout("a kernel without NUMA", """
                        online: 0-3
                        """, "0=0-3", 4, "2=0-1", "2=0-1"),
                new Layout(
                        "a node without its list gets the CPUs that no other has",
                        """
                        online: 0-7
                        node0: 0-3 |
                        node1:
                        """,
                        "0=0-3 1=4-7",
                        8,
                        "5=0-4",
                        "2=0,4"),
                new Layout(
                        "distances for too few nodes count for nothing",
                        """
                        online: 0-5
                        node0: 0-1 | 10 20
                        node1: 2-3 | 20 10
                        node2: 4-5 |
                        """,
                        "0=0-1 1=2-3 2=4-5",
                        6,
                        "3=0-2",
                        "3=0,2,4"));
    }

    @ParameterizedTest
    @MethodSource("layouts")
    void readsTheMachine(Layout layout) throws Exception {
        Topology topology = FakeMachine.profile(root, layout.machine()).topology();

        CpuSet usable = topology.usable();
        assertThat(topology.nodes().stream()
                        .filter(node -> !node.cpus().and(usable).isEmpty())
                        .map(node -> node.id() + "=" + node.cpus().and(usable))
                        .collect(Collectors.joining(" ")))
                .isEqualTo(layout.groups());
        assertThat(topology.cpus().stream()
                        .filter(cpu -> usable.contains(cpu.id()))
                        .map(cpu -> cpu.siblings().and(usable))
                        .distinct())
                .hasSize(layout.cores());
        checkPlacement(new Placement.Compact(), layout.compact(), topology);
        checkPlacement(new Placement.Scatter(), layout.scatter(), topology);
    }

    /** Checks CPU counts and what they mean, such as {@code 2=0-1 9=0-8}. */
    static void checkPlacement(Placement placement, String steps, Topology topology) {
        for (String step : steps.split(" ", -1)) {
            String[] sides = step.split("=", 2);
            assertThat(Placements.cpus(placement, Integer.parseInt(sides[0]), topology))
                    .as("%s %s", placement, step)
                    .isEqualTo(CpuSet.parse(sides[1]));
        }
    }

    @Test
    void refusesWhatIsNotUsableAndNamesBothSets() throws Exception {
        Topology topology = FakeMachine.profile(root, """
                        online: 0-5
                        present: 0-7
                        allowed: 2-3,6
                        node0: 0-5 | 10
                        """).topology();

        assertRefused(new Placement.Listed(List.of(2, 0)), 1, topology, "CPU 0 is outside this process's allowed set");
        assertRefused(new Placement.Listed(List.of(6)), 1, topology, "CPU 6 is offline");
        assertRefused(new Placement.Listed(List.of(9)), 1, topology, "CPU 9 does not exist");
        assertRefused(new Placement.Listed(List.of(3, 2)), 3, topology, "3 CPUs are asked for, and the list names 2");
        assertRefused(new Placement.Compact(), 3, topology, "3 CPUs are asked for, and the host has 2");
        assertThat(Placements.cpus(new Placement.Listed(List.of(3, 2)), 1, topology))
                .isEqualTo(CpuSet.of(3));
    }

    private static void assertRefused(Placement placement, int count, Topology topology, String why) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Placements.cpus(placement, count, topology))
                .withMessageContainingAll(why, "online: 0-5", "allowed: 2-3,6");
    }

    @Test
    void namesTheListThatIsNone() {
        assertThatExceptionOfType(TriggerException.class)
                .isThrownBy(() -> FakeMachine.profile(root, "online: 0-3\nnode0: nonsense | 10"))
                .withMessageContainingAll("nodes[0].cpus", "nonsense");
    }

    private static String nodes(int count, java.util.function.IntFunction<String> cpus) {
        return IntStream.range(0, count)
                .mapToObj(k -> "node" + k + ": " + cpus.apply(k) + " |\n")
                .collect(Collectors.joining());
    }

    private static String nodeGroups(int count, java.util.function.IntFunction<String> cpus) {
        return IntStream.range(0, count).mapToObj(k -> k + "=" + cpus.apply(k)).collect(Collectors.joining(" "));
    }

    /** Cores of two threads each: {@code 0,128 1,129 ...}. */
    private static String pairs(int first, int distance, int count) {
        return IntStream.range(first, first + count)
                .mapToObj(id -> id + "," + (id + distance))
                .collect(Collectors.joining(" "));
    }
}

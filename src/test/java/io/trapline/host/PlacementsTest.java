package io.trapline.host;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.ArrayList;
import java.util.Collections;
import java.util.IntSummaryStatistics;
import java.util.List;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Random;
import java.util.function.BiConsumer;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What holds for the placements of any machine; {@link MachineLayoutsTest} has the tables. */
class PlacementsTest {
    private static final Placement COMPACT = new Placement.Compact();
    private static final Placement SCATTER = new Placement.Scatter();

    @Test
    void hasTheSizeAskedForAndUsableCpusOnly() {
        forAnyMachineAndCount((topology, count) -> {
            for (Placement placement : List.of(COMPACT, SCATTER)) {
                CpuSet cpus = Placements.cpus(placement, count, topology);
                assertThat(cpus.size()).isEqualTo(count);
                assertThat(cpus.minus(topology.usable())).isEqualTo(CpuSet.EMPTY);
            }
        });
    }

    @Test
    void oneMoreCpuKeepsTheOthers() {
        forAnyMachineAndCount((topology, count) -> {
            for (Placement placement : List.of(COMPACT, SCATTER)) {
                if (count > 1) {
                    CpuSet fewer = Placements.cpus(placement, count - 1, topology);
                    assertThat(fewer.minus(Placements.cpus(placement, count, topology)))
                            .isEqualTo(CpuSet.EMPTY);
                }
            }
        });
    }

    @Test
    void compactHasAtMostOneNodePartlyFilled() {
        forAnyMachineAndCount((topology, count) -> {
            CpuSet taken = Placements.cpus(COMPACT, count, topology);
            assertThat(topology.nodes().stream()
                            .map(node -> node.cpus().and(topology.usable()))
                            .filter(cpus -> !cpus.and(taken).isEmpty()
                                    && !cpus.minus(taken).isEmpty())
                            .count())
                    .isLessThanOrEqualTo(1);
        });
    }

    @Test
    void scatterTakesFromNodesEvenlyUntilOneIsUsedUp() {
        forAnyMachineAndCount((topology, count) -> {
            CpuSet taken = Placements.cpus(SCATTER, count, topology);
            IntSummaryStatistics ofNodesWithMore = new IntSummaryStatistics();
            topology.nodes().stream()
                    .map(node -> node.cpus().and(topology.usable()))
                    .filter(cpus -> !cpus.minus(taken).isEmpty())
                    .forEach(cpus -> ofNodesWithMore.accept(cpus.and(taken).size()));
            assertThat(ofNodesWithMore.getCount() == 0 || ofNodesWithMore.getMax() - ofNodesWithMore.getMin() <= 1)
                    .isTrue();
        });
    }

    @Test
    void takesACoresSecondThreadAfterTheNodesOtherCores() {
        forAnyMachineAndCount((topology, count) -> {
            for (Placement placement : List.of(COMPACT, SCATTER)) {
                CpuSet taken = Placements.cpus(placement, count, topology);
                for (Topology.NumaNode node : topology.nodes()) {
                    List<CpuSet> cores = topology.cpus().stream()
                            .filter(cpu -> node.cpus().and(topology.usable()).contains(cpu.id()))
                            .map(cpu -> cpu.siblings().and(topology.usable()))
                            .distinct()
                            .toList();
                    boolean untouched =
                            cores.stream().anyMatch(core -> core.and(taken).isEmpty());
                    boolean doubled =
                            cores.stream().anyMatch(core -> core.and(taken).size() > 1);
                    assertThat(untouched && doubled).isFalse();
                }
            }
        });
    }

    @Test
    void refusesLessThanOneCpu() {
        Topology topology = randomMachine(new Random(1));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Placements.cpus(COMPACT, 0, topology))
                .withMessageContaining("at least 1");
    }

    private static void forAnyMachineAndCount(BiConsumer<Topology, Integer> holds) {
        Random random = new Random(7);
        for (int machine = 0; machine < 60; machine++) {
            Topology topology = randomMachine(random);
            for (int count = 1; count <= topology.usable().size(); count++) {
                holds.accept(topology, count);
            }
        }
    }

    /**
     * A machine of 1 to 4 NUMA nodes with holes in their ids, 1, 2 or 4 threads a core, CPU ids in any order, some of
     * them offline, some not allowed, but at least one that is usable.
     */
    private static Topology randomMachine(Random random) {
        int threads = 1 << random.nextInt(3);
        int cores = 1 + random.nextInt(12);
        List<Integer> ids =
                new ArrayList<>(IntStream.range(0, cores * threads).boxed().toList());
        Collections.shuffle(ids, random);
        CpuSet online = someOf(ids, random);
        CpuSet allowed = someOf(ids, random).or(CpuSet.of(online.first()));
        List<Integer> nodeIds = IntStream.range(0, 1 + random.nextInt(4))
                .mapToObj(k -> k * 3 + 1)
                .toList();
        List<Topology.Cpu> cpus = new ArrayList<>();
        for (int core = 0; core < cores; core++) {
            CpuSet siblings = CpuSet.of(
                    ids.subList(core * threads, (core + 1) * threads).stream().mapToInt(Integer::intValue));
            int node = nodeIds.get(random.nextInt(nodeIds.size()));
            siblings.and(online).stream().forEach(id -> cpus.add(cpu(id, node, siblings.and(online))));
        }
        cpus.sort(java.util.Comparator.comparingInt(Topology.Cpu::id));
        List<Topology.NumaNode> nodes = nodeIds.stream()
                .map(id -> new Topology.NumaNode(
                        id,
                        CpuSet.of(cpus.stream().filter(cpu -> cpu.node() == id).mapToInt(Topology.Cpu::id)),
                        nodeIds.stream()
                                .map(to -> to.equals(id) ? 10 : 11 + random.nextInt(30))
                                .toList(),
                        OptionalLong.empty()))
                .toList();
        return new Topology(CpuSet.of(ids.stream().mapToInt(Integer::intValue)), online, allowed, cpus, nodes);
    }

    private static Topology.Cpu cpu(int id, int node, CpuSet siblings) {
        return new Topology.Cpu(
                id,
                node,
                OptionalInt.empty(),
                OptionalInt.empty(),
                siblings,
                siblings,
                Topology.Core.UNKNOWN,
                OptionalLong.empty());
    }

    private static CpuSet someOf(List<Integer> ids, Random random) {
        CpuSet some = CpuSet.of(ids.stream().filter(id -> random.nextInt(4) > 0).mapToInt(Integer::intValue));
        return some.isEmpty() ? CpuSet.of(ids.get(0)) : some;
    }
}

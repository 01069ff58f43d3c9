package io.trapline.host;

import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/**
 * Turns a {@link Placement} and a CPU count into CPU ids. The result for n CPUs is always part of the result for
 * n + 1, so that the steps of a ladder differ in nothing but the CPU that is added.
 *
 * <p>Both orders take the NUMA node with the lowest id first, then the others by their distance from it, and by id
 * where the kernel gives no distances. Within a node they take one CPU of each core before any core's second one;
 * among those, performance cores before efficiency cores, then one last-level cache after the other, then by id.
 */
public final class Placements {
    private Placements() {}

    /**
     * The CPUs that a count means on a host.
     *
     * @param count how many, at least 1
     * @throws IllegalArgumentException when the host does not have so many usable CPUs, or when a listed CPU is not
     *     usable; the message names the online and the allowed set
     */
    public static CpuSet cpus(Placement placement, int count, Topology topology) {
        if (count < 1) {
            throw new IllegalArgumentException(count + " CPUs can't be placed: at least 1 is needed");
        }
        List<Integer> order = order(placement, topology);
        if (count > order.size()) {
            String source = placement instanceof Placement.Listed ? "the list names" : "the host has";
            throw new IllegalArgumentException(
                    "%d CPUs are asked for, and %s %d%s".formatted(count, source, order.size(), sets(topology)));
        }
        return CpuSet.of(order.stream().limit(count).mapToInt(Integer::intValue));
    }

    /**
     * The CPUs in the order in which counts take them: all usable ones, or those that are listed.
     *
     * @throws IllegalArgumentException when a listed CPU is not usable; the message names the online and the allowed set
     */
    public static List<Integer> order(Placement placement, Topology topology) {
        if (placement instanceof Placement.Listed listed) {
            listed.ids().forEach(id -> checkUsable(id, topology));
            return listed.ids().stream().distinct().toList();
        }
        Map<Integer, Integer> nodeRanks = nodeRanks(topology);
        Comparator<Slot> byNode = Comparator.comparingInt(slot -> nodeRanks.get(slot.cpu.node()));
        if (placement instanceof Placement.Scatter) {
            byNode = Comparator.<Slot>comparingInt(slot -> slot.rankInNode).thenComparing(byNode);
        }
        return slots(topology).stream()
                .sorted(byNode.thenComparing(IN_NODE))
                .map(slot -> slot.cpu.id())
                .toList();
    }

    private static final Comparator<Slot> IN_NODE = Comparator.<Slot>comparingInt(slot -> slot.rankInCore)
            .thenComparing(slot -> switch (slot.cpu.core()) {
                case PERFORMANCE -> 0;
                case UNKNOWN -> 1;
                case EFFICIENCY -> 2;
            })
            .thenComparingInt(
                    slot -> slot.cpu.llc().isEmpty() ? 0 : slot.cpu.llc().first())
            .thenComparingInt(slot -> slot.cpu.id());

    /** A usable CPU and its turn: among the usable CPUs of its core and among those of its NUMA node. */
    private record Slot(Topology.Cpu cpu, int rankInCore, int rankInNode) {}

    private static List<Slot> slots(Topology topology) {
        CpuSet usable = topology.usable();
        Map<Integer, Integer> taken = new HashMap<>();
        return topology.cpus().stream()
                .filter(cpu -> usable.contains(cpu.id()))
                .map(cpu -> new Slot(cpu, rankInCore(cpu, usable), 0))
                .sorted(IN_NODE)
                .map(slot -> new Slot(slot.cpu, slot.rankInCore, taken.merge(slot.cpu.node(), 1, Integer::sum)))
                .toList();
    }

    private static int rankInCore(Topology.Cpu cpu, CpuSet usable) {
        return (int) cpu.siblings().and(usable).stream()
                .filter(sibling -> sibling < cpu.id())
                .count();
    }

    /** NUMA nodes with usable CPUs, by their turn. */
    private static Map<Integer, Integer> nodeRanks(Topology topology) {
        CpuSet usable = topology.usable();
        List<Integer> used = topology.cpus().stream()
                .filter(cpu -> usable.contains(cpu.id()))
                .map(Topology.Cpu::node)
                .distinct()
                .sorted()
                .toList();
        if (used.isEmpty()) {
            return Map.of();
        }
        List<Integer> nearestFirst = used.stream()
                .sorted(Comparator.comparingInt(node -> topology.distance(used.get(0), node)))
                .toList();
        Map<Integer, Integer> ranks = new HashMap<>();
        IntStream.range(0, nearestFirst.size()).forEach(rank -> ranks.put(nearestFirst.get(rank), rank));
        return ranks;
    }

    private static void checkUsable(int id, Topology topology) {
        if (topology.usable().contains(id)) {
            return;
        }
        String why = !topology.present().contains(id)
                ? "does not exist"
                : !topology.online().contains(id) ? "is offline" : "is outside this process's allowed set";
        throw new IllegalArgumentException("CPU " + id + " " + why + sets(topology));
    }

    private static String sets(Topology topology) {
        return " (online: %s; allowed: %s)".formatted(topology.online(), topology.allowed());
    }
}

package io.trapline.campaign;

import io.trapline.host.CpuSet;
import io.trapline.host.Topology;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Collectors;

/** The CPU counts that a ladder's name means on a host. */
final class CountLadder {
    private final List<Integer> order;
    private final CpuSet pool;
    private final Topology topology;

    /**
     * For a host.
     *
     * @param order the CPUs that counts are taken from, one NUMA node after the other; at least one, all usable there
     */
    CountLadder(List<Integer> order, Topology topology) {
        this.order = order;
        this.pool = CpuSet.of(order.stream().mapToInt(Integer::intValue));
        this.topology = topology;
    }

    /** 1, 2, 4 ... below the pool's size, and that. */
    SortedSet<Integer> powersOfTwo() {
        SortedSet<Integer> counts = new TreeSet<>();
        for (int count = 1; count < order.size(); count *= 2) {
            counts.add(count);
        }
        counts.add(order.size());
        return counts;
    }

    /**
     * The counts at which something new is shared: a second CPU in a core, a last-level cache full of cores, a NUMA
     * node, each further NUMA node. All as far as the pool has them; the machine is taken to be like its first CPU.
     */
    SortedSet<Integer> byTopology() {
        SortedSet<Integer> counts = new TreeSet<>(List.of(1, order.size()));
        Map<Integer, Topology.Cpu> cpus =
                topology.cpus().stream().collect(Collectors.toMap(Topology.Cpu::id, Function.identity()));
        Topology.Cpu first = cpus.get(order.get(0));
        counts.add(first.siblings().and(pool).size());
        if (!first.llc().isEmpty()) {
            counts.add((int) first.llc().and(pool).stream()
                    .mapToObj(id -> cpus.get(id).siblings())
                    .distinct()
                    .count());
        }
        for (int count = 1; count < order.size(); count++) {
            if (cpus.get(order.get(count - 1)).node()
                    != cpus.get(order.get(count)).node()) {
                counts.add(count);
            }
        }
        return counts;
    }
}

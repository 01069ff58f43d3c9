package io.trapline.host.simulated;

import io.trapline.host.CpuSet;
import io.trapline.host.HostProfile;
import io.trapline.host.Topology;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.stream.IntStream;

/**
 * What simulated hosts are like.
 *
 * @param source where this description comes from, in words
 * @param arch as uname(2) has it
 * @param kernel the release that they claim to run
 * @param cpus how many each has
 * @param nodes how many NUMA nodes these are in; divides the CPUs evenly
 */
public record Simulation(
        String source,
        String arch,
        String kernel,
        int cpus,
        int nodes,
        Map<String, String> labels,
        Curve curve,
        List<Fault> faults) {
    private static final int LOCAL = 10;
    private static final int REMOTE = 20;

    public Simulation {
        labels = Map.copyOf(labels);
        faults = List.copyOf(faults);
    }

    /**
     * One of 64 CPUs in two NUMA nodes that gains less and less with each of them: 1 M/s on one, and on 64 as much as 32
     * would do without contention.
     */
    public static Simulation byDefault() {
        Map<Integer, Double> points = new TreeMap<>();
        for (int cpus = 1; cpus <= 64; cpus *= 2) {
            points.put(cpus, 1e6 * cpus / (1 + (cpus - 1) / 63.0));
        }
        return new Simulation(
                "the built-in curve", "x86_64", "6.12.0", 64, 2, Map.of(), new Curve(new TreeMap<>(points)), List.of());
    }

    /** The profile of a host of that name. */
    public HostProfile profile(String name) {
        CpuSet all = CpuSet.of(IntStream.range(0, cpus));
        return new HostProfile(
                        name,
                        arch,
                        new HostProfile.Kernel(kernel, "simulated", Optional.empty()),
                        Optional.empty(),
                        Optional.empty(),
                        Optional.empty(),
                        OptionalLong.empty(),
                        new Topology(all, all, all, cpuList(), nodeList()),
                        CpuSet.EMPTY,
                        false,
                        List.of(),
                        List.of())
                .labelled(labels)
                .asSimulated(source);
    }

    private CpuSet ofNode(int node) {
        int share = cpus / nodes;
        return CpuSet.of(IntStream.range(node * share, (node + 1) * share));
    }

    private List<Topology.Cpu> cpuList() {
        List<Topology.Cpu> list = new ArrayList<>();
        for (int id = 0; id < cpus; id++) {
            int node = id / (cpus / nodes);
            list.add(new Topology.Cpu(
                    id,
                    node,
                    OptionalInt.of(node),
                    OptionalInt.of(id),
                    CpuSet.of(id),
                    ofNode(node),
                    Topology.Core.UNKNOWN,
                    OptionalLong.empty()));
        }
        return list;
    }

    private List<Topology.NumaNode> nodeList() {
        return IntStream.range(0, nodes)
                .mapToObj(node -> new Topology.NumaNode(
                        node,
                        ofNode(node),
                        IntStream.range(0, nodes)
                                .mapToObj(other -> other == node ? LOCAL : REMOTE)
                                .toList(),
                        OptionalLong.empty()))
                .toList();
    }
}

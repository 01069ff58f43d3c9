package io.trapline.host;

import java.util.List;
import java.util.OptionalInt;
import java.util.OptionalLong;

/**
 * CPUs and NUMA nodes of a host as its kernel tells them; see {@link ProfileReader} for how odd machines are read.
 *
 * @param present CPUs that exist
 * @param online those that run
 * @param allowed those that this process may use (affinity and cpuset), as the kernel says; may name CPUs that are
 *     not online
 * @param cpus one entry for each online CPU, ascending; the kernel tells nothing about the others
 * @param nodes every NUMA node, memory-only ones too, ascending; at least one
 */
public record Topology(CpuSet present, CpuSet online, CpuSet allowed, List<Cpu> cpus, List<NumaNode> nodes) {
    public Topology {
        cpus = List.copyOf(cpus);
        nodes = List.copyOf(nodes);
    }

    /** CPUs that can be measured here: online and allowed. */
    public CpuSet usable() {
        return online.and(allowed);
    }

    /**
     * The distance of two NUMA nodes as the firmware gives it (10 is local); 10 as well when the kernel does not say, so
     * that all nodes are alike then.
     */
    int distance(int from, int to) {
        List<Integer> ids = nodes.stream().map(NumaNode::id).toList();
        List<Integer> distances = nodes.get(ids.indexOf(from)).distances();
        return distances.isEmpty() ? 10 : distances.get(ids.indexOf(to));
    }

    /**
     * One CPU.
     *
     * @param node its NUMA node
     * @param siblings the SMT threads of its core, itself included
     * @param llc the CPUs that share its last-level cache, itself included; empty when unknown
     * @param maxKHz its highest frequency in kHz
     */
    public record Cpu(
            int id,
            int node,
            OptionalInt packageId,
            OptionalInt coreId,
            CpuSet siblings,
            CpuSet llc,
            Core core,
            OptionalLong maxKHz) {
        /** The same CPU with its kind of core known. */
        Cpu with(Core kind) {
            return new Cpu(id, node, packageId, coreId, siblings, llc, kind, maxKHz);
        }
    }

    /** What kind of core a hybrid CPU has there. */
    public enum Core {
        PERFORMANCE,
        EFFICIENCY,
        UNKNOWN
    }

    /**
     * One NUMA node.
     *
     * @param cpus its CPUs, online or not as the kernel lists them; empty for a node of memory alone
     * @param distances to each node in {@link Topology#nodes}'s order; empty when the kernel does not say
     * @param memKiB its memory
     */
    public record NumaNode(int id, CpuSet cpus, List<Integer> distances, OptionalLong memKiB) {
        public NumaNode {
            distances = List.copyOf(distances);
        }
    }
}

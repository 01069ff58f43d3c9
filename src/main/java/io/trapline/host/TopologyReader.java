package io.trapline.host;

import io.trapline.trigger.ProfileReply;
import io.trapline.trigger.ProfileReply.RawCpu;
import io.trapline.trigger.ProfileReply.RawNode;
import io.trapline.trigger.TriggerException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.stream.Collectors;

/**
 * Turns the kernel's files about CPUs and NUMA nodes into a {@link Topology}. The rules, for machines of all kinds:
 *
 * <ul>
 *   <li>Files that aren't there say nothing, and never stop the reading: no list of online CPUs means that those are
 *       online whose directory says so, and no list of present ones that those are present which have a directory.
 *   <li>NUMA nodes are what the kernel says, not packages: one package may have two, two may share one. Ids may have
 *       holes and need not begin at 0. A node with an empty list has memory alone.
 *   <li>A kernel without NUMA has one node, 0. CPUs that no node lists belong to the first node whose list is missing,
 *       else to the first one.
 *   <li>SMT siblings and caches are what the sibling and cache lists say; ids mean nothing. A CPU that has no such
 *       list is alone in its core.
 *   <li>Distances count only when there is one for each node.
 * </ul>
 */
final class TopologyReader {
    private final ProfileReply reply;
    private final CpuSet online;

    private TopologyReader(ProfileReply reply) throws TriggerException {
        this.reply = reply;
        this.online = KernelText.cpus("online", reply.online())
                .orElse(CpuSet.of(reply.cpus().stream().filter(RawCpu::online).mapToInt(RawCpu::id)));
    }

    static Topology read(ProfileReply reply) throws TriggerException {
        return new TopologyReader(reply).read();
    }

    private Topology read() throws TriggerException {
        CpuSet directories = CpuSet.of(reply.cpus().stream().mapToInt(RawCpu::id));
        CpuSet present = KernelText.cpus("present", reply.present()).orElse(directories);
        CpuSet allowed =
                KernelText.cpus("allowed", Optional.of(reply.allowed())).orElse(online);
        List<Topology.NumaNode> nodes = nodes();
        return new Topology(present.or(online), online, allowed, cpus(nodes), nodes);
    }

    private List<Topology.NumaNode> nodes() throws TriggerException {
        if (reply.nodes().isEmpty()) {
            return List.of(new Topology.NumaNode(0, online, List.of(), reply.memKiB()));
        }
        Map<Integer, Optional<CpuSet>> lists = new LinkedHashMap<>();
        for (RawNode node : reply.nodes()) {
            lists.put(node.id(), KernelText.cpus("nodes[" + node.id() + "].cpus", node.cpus()));
        }
        CpuSet listed = lists.values().stream().flatMap(Optional::stream).reduce(CpuSet.EMPTY, CpuSet::or);
        int heir = lists.entrySet().stream()
                .filter(node -> node.getValue().isEmpty())
                .map(Map.Entry::getKey)
                .findFirst()
                .orElse(reply.nodes().get(0).id());
        return reply.nodes().stream()
                .map(node -> new Topology.NumaNode(
                        node.id(),
                        lists.get(node.id())
                                .orElse(CpuSet.EMPTY)
                                .or(node.id() == heir ? online.minus(listed) : CpuSet.EMPTY),
                        distances(node),
                        node.memTotalKiB()))
                .toList();
    }

    private List<Integer> distances(RawNode node) {
        List<Integer> distances = node.distances().stream()
                .flatMap(text -> Arrays.stream(text.strip().split("\\s+")))
                .filter(word -> word.matches("\\d{1,9}"))
                .map(Integer::valueOf)
                .toList();
        return distances.size() == reply.nodes().size() ? distances : List.of();
    }

    private List<Topology.Cpu> cpus(List<Topology.NumaNode> nodes) throws TriggerException {
        Map<Integer, RawCpu> files = reply.cpus().stream().collect(Collectors.toMap(RawCpu::id, raw -> raw));
        List<Topology.Cpu> cpus = new ArrayList<>();
        for (int id : online.stream().toArray()) {
            int node = nodes.stream()
                    .filter(n -> n.cpus().contains(id))
                    .findFirst()
                    .orElseThrow()
                    .id();
            cpus.add(files.containsKey(id) ? cpu(files.get(id), node) : bare(id, node));
        }
        return new CoreKinds(reply, cpus).named();
    }

    private static Topology.Cpu cpu(RawCpu raw, int node) throws TriggerException {
        String field = "cpus[" + raw.id() + "].";
        CpuSet self = CpuSet.of(raw.id());
        return new Topology.Cpu(
                raw.id(),
                node,
                raw.packageId(),
                raw.core(),
                KernelText.cpus(field + "siblings", raw.siblings()).orElse(self).or(self),
                KernelText.cpus(field + "llc", raw.llc()).orElse(CpuSet.EMPTY),
                Topology.Core.UNKNOWN,
                raw.maxKHz());
    }

    private static Topology.Cpu bare(int id, int node) {
        return new Topology.Cpu(
                id,
                node,
                OptionalInt.empty(),
                OptionalInt.empty(),
                CpuSet.of(id),
                CpuSet.EMPTY,
                Topology.Core.UNKNOWN,
                OptionalLong.empty());
    }
}

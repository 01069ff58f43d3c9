package io.trapline.http;

import io.trapline.cluster.Campaigns;
import io.trapline.host.HostProfile;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;

/**
 * A host, as the API tells it.
 *
 * @param kernel its release
 * @param cpus how many can be measured
 * @param cpuList which
 * @param incarnation of its worker
 * @param mark what its figures are marked with, when they are no hardware's
 * @param running the run that has the lease on it
 */
public record HostView(
        String name,
        String arch,
        String kernel,
        Optional<String> cpuModel,
        int cpus,
        String cpuList,
        List<NumaNode> numaNodes,
        Map<String, String> labels,
        String incarnation,
        State state,
        Optional<HostProfile.Mark> mark,
        Optional<String> running) {
    public HostView {
        numaNodes = List.copyOf(numaNodes);
        labels = Collections.unmodifiableMap(new TreeMap<>(labels));
    }

    /** What a host does. */
    public enum State {
        IDLE,
        BUSY,
        /** Its worker is out of reach. */
        LOST
    }

    /** A NUMA node; one of memory alone has no CPUs. */
    public record NumaNode(int id, String cpuList, OptionalLong memKiB) {}

    static HostView of(Campaigns.Member member) {
        HostProfile profile = member.profile();
        State alive = member.running().isPresent() ? State.BUSY : State.IDLE;
        return new HostView(
                profile.name(),
                profile.arch(),
                profile.kernel().release(),
                profile.cpuModel(),
                profile.topology().usable().size(),
                profile.topology().usable().toString(),
                profile.topology().nodes().stream()
                        .map(n -> new NumaNode(n.id(), n.cpus().toString(), n.memKiB()))
                        .toList(),
                profile.labels(),
                member.incarnation(),
                member.reachable() ? alive : State.LOST,
                profile.mark(),
                member.running());
    }
}

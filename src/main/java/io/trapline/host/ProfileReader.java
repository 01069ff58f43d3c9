package io.trapline.host;

import io.trapline.trigger.ProfileReply;
import io.trapline.trigger.ProfileReply.Can;
import io.trapline.trigger.ProfileReply.RawCpu;
import io.trapline.trigger.TriggerException;
import java.util.List;
import java.util.Optional;

/**
 * Makes sense of what a trigger read on its machine. How odd CPUs and NUMA nodes are read stands in {@link
 * TopologyReader}, what disturbs in {@link NoiseSources}.
 */
public final class ProfileReader {
    private ProfileReader() {}

    /**
     * The profile.
     *
     * @throws TriggerException when a list of CPUs is none, naming the field
     */
    public static HostProfile read(ProfileReply reply) throws TriggerException {
        Topology topology = TopologyReader.read(reply);
        CpuSet isolated = KernelText.cpus("isolated", reply.isolated()).orElse(CpuSet.EMPTY);
        boolean smt = topology.cpus().stream()
                .anyMatch(cpu -> cpu.siblings().and(topology.online()).size() > 1);
        return new HostProfile(
                reply.hostname(),
                reply.arch(),
                new HostProfile.Kernel(
                        reply.kernel().release(),
                        reply.kernel().version(),
                        reply.kernel().cmdline()),
                reply.libc(),
                reply.cpus().stream()
                        .map(RawCpu::model)
                        .flatMap(Optional::stream)
                        .findFirst(),
                reply.hypervisor(),
                reply.memKiB(),
                topology,
                isolated,
                smt,
                abilities(reply.can()),
                NoiseSources.of(reply, topology, isolated, smt));
    }

    private static List<HostProfile.Ability> abilities(List<Can> tried) {
        return tried.stream()
                .map(can -> new HostProfile.Ability(can.what(), can.ok(), reason(can), can.fix()))
                .toList();
    }

    private static Optional<String> reason(Can can) {
        return can.error().map(error -> can.call().map(call -> call + ": ").orElse("") + error);
    }
}

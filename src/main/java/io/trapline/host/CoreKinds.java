package io.trapline.host;

import io.trapline.trigger.ProfileReply;
import io.trapline.trigger.TriggerException;
import java.util.List;
import java.util.function.Predicate;

/**
 * Tells the performance cores of a hybrid CPU from its efficiency cores: by the lists that Intel's PMU drivers keep
 * (/sys/devices/cpu_core/cpus, cpu_atom/cpus); where there are none, by SMT, when each core without siblings is also
 * slower than each core with siblings. Frequency alone does not tell: two of the performance cores are often faster
 * than the others.
 */
final class CoreKinds {
    private final List<Topology.Cpu> cpus;
    private final CpuSet performance;
    private final CpuSet efficiency;

    CoreKinds(ProfileReply reply, List<Topology.Cpu> cpus) throws TriggerException {
        this.cpus = cpus;
        boolean told = reply.cpuCore().isPresent() || reply.cpuAtom().isPresent();
        CpuSet sharing = ids(cpu -> cpu.siblings().size() > 1);
        boolean hybrid = !told && slowestKHz(sharing) > fastestKHz(ids(cpu -> !sharing.contains(cpu.id())));
        performance = KernelText.cpus("cpuCore", reply.cpuCore()).orElse(hybrid ? sharing : CpuSet.EMPTY);
        efficiency = KernelText.cpus("cpuAtom", reply.cpuAtom())
                .orElse(hybrid ? ids(cpu -> !sharing.contains(cpu.id())) : CpuSet.EMPTY);
    }

    /** The same CPUs, each with its kind of core. */
    List<Topology.Cpu> named() {
        return cpus.stream().map(cpu -> cpu.with(kind(cpu.id()))).toList();
    }

    private Topology.Core kind(int id) {
        if (performance.contains(id)) {
            return Topology.Core.PERFORMANCE;
        }
        return efficiency.contains(id) ? Topology.Core.EFFICIENCY : Topology.Core.UNKNOWN;
    }

    private CpuSet ids(Predicate<Topology.Cpu> wanted) {
        return CpuSet.of(cpus.stream().filter(wanted).mapToInt(Topology.Cpu::id));
    }

    /** 0 when there are none, or one does not say. */
    private long slowestKHz(CpuSet of) {
        return cpus.stream()
                .filter(cpu -> of.contains(cpu.id()))
                .mapToLong(cpu -> cpu.maxKHz().orElse(0))
                .min()
                .orElse(0);
    }

    /** The largest number when there are none, or one does not say. */
    private long fastestKHz(CpuSet of) {
        return cpus.stream()
                .filter(cpu -> of.contains(cpu.id()))
                .mapToLong(cpu -> cpu.maxKHz().orElse(Long.MAX_VALUE))
                .max()
                .orElse(Long.MAX_VALUE);
    }
}

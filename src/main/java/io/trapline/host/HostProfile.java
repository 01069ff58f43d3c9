package io.trapline.host;

import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * What a host is, what can be measured on it, and what will disturb a measurement.
 *
 * @param name the host's name
 * @param arch as uname(2) has it: x86_64, aarch64
 * @param libc the C library inside the trigger, whose raise(3) is measured
 * @param virtualization the hypervisor's name; empty on bare metal
 * @param memKiB memory in KiB
 * @param isolated CPUs that the scheduler leaves alone (isolcpus)
 */
public record HostProfile(
        String name,
        String arch,
        Kernel kernel,
        Optional<String> libc,
        Optional<String> cpuModel,
        Optional<String> virtualization,
        OptionalLong memKiB,
        Topology topology,
        CpuSet isolated,
        boolean smt,
        List<Ability> abilities,
        List<Noise> noise) {
    public HostProfile {
        abilities = List.copyOf(abilities);
        noise = List.copyOf(noise);
    }

    /** uname(2)'s release and version, and the boot command line. */
    public record Kernel(String release, String version, Optional<String> cmdline) {}

    /**
     * A way of measuring, tried for real.
     *
     * @param what such as {@code uprobe-bpf}
     * @param ok whether it worked
     * @param reason the failing call and its error; empty when it worked
     * @param fix what would make it work
     */
    public record Ability(String what, boolean ok, Optional<String> reason, Optional<String> fix) {}

    /**
     * Something that adds noise.
     *
     * @param what it is
     * @param fix the command or setting that changes it; empty when nothing does from inside
     */
    public record Noise(String what, Optional<String> fix) {}

    /**
     * Why a workload can't be measured in this way here; empty when it can. Baselines always can.
     */
    public Optional<String> whyNot(Workload workload, Method method) {
        String needed = switch (workload.kind()) {
            case BASELINE -> "";
            case UPROBE -> "uprobe-" + method.attach().spelling();
            case URETPROBE -> "uretprobe-" + method.attach().spelling();
            case SIGNAL, ALTSTACK -> "signal";
        };
        return abilities.stream()
                .filter(a -> a.what().equals(needed) && !a.ok())
                .map(a -> a.reason().orElse("it failed when tried")
                        + a.fix().map(f -> "; " + f).orElse(""))
                .findFirst();
    }
}

package io.trapline.host;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonSetter;
import com.fasterxml.jackson.annotation.Nulls;
import io.trapline.host.guest.Accelerator;
import io.trapline.host.guest.KernelUsed;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.TreeMap;

/**
 * What a host is, what can be measured on it, and what will disturb a measurement.
 *
 * @param name the host's name
 * @param arch as uname(2) has it: x86_64, aarch64
 * @param libc the C library inside the trigger, whose raise(3) is measured
 * @param virtualization the hypervisor's name; empty on bare metal
 * @param memKiB memory in KiB
 * @param isolated CPUs that the scheduler leaves alone (isolcpus)
 * @param guest what it runs in, when it is a guest that was booted for a campaign; empty for all others
 * @param labels what its owner calls it by beside all this, by key in ascending order
 * @param simulation where all that it yields comes from, when it is no machine at all; empty for all others
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
        List<Noise> noise,
        Optional<Guest> guest,

        @JsonInclude(JsonInclude.Include.NON_EMPTY) @JsonSetter(nulls = Nulls.AS_EMPTY)
        Map<String, String> labels,

        Optional<String> simulation) {
    private static final double NS_PER_SECOND = 1e9;

    public HostProfile {
        abilities = List.copyOf(abilities);
        noise = List.copyOf(noise);
        labels = Collections.unmodifiableMap(new TreeMap<>(labels));
    }

    /** The same host under another name. */
    public HostProfile named(String other) {
        return with(other, guest, labels, simulation);
    }

    /** The same host with these labels. */
    public HostProfile labelled(Map<String, String> own) {
        return with(name, guest, own, simulation);
    }

    /** A host that is no machine, and where all that it yields comes from. */
    public HostProfile asSimulated(String source) {
        return with(name, guest, labels, Optional.of(source));
    }

    private HostProfile with(
            String name, Optional<Guest> guest, Map<String, String> labels, Optional<String> simulation) {
        return new HostProfile(
                name,
                arch,
                kernel,
                libc,
                cpuModel,
                virtualization,
                memKiB,
                topology,
                isolated,
                smt,
                abilities,
                noise,
                guest,
                labels,
                simulation);
    }

    /** A machine that is no guest of a campaign, without labels. */
    public HostProfile(
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
        this(
                name,
                arch,
                kernel,
                libc,
                cpuModel,
                virtualization,
                memKiB,
                topology,
                isolated,
                smt,
                abilities,
                noise,
                Optional.empty(),
                Map.of(),
                Optional.empty());
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
     * A guest that was booted for one path of a campaign.
     *
     * @param machine the name of the host that it runs on
     * @param path the path's name
     * @param nsPerInstruction how long an instruction takes by its clock, in nanoseconds, when they are counted
     * @param noKvm why KVM does not run it, when the campaign leaves the choice
     * @param kernel what it was booted from; empty in journals of before this was kept
     * @param pinned the machine's CPUs that its CPUs are pinned to, in ascending order; empty when they are not, and in
     *     journals of before this was kept
     */
    public record Guest(
            String machine,
            String path,
            Accelerator accelerator,
            OptionalInt nsPerInstruction,
            Optional<String> noKvm,
            Optional<KernelUsed> kernel,
            Optional<CpuSet> pinned) {
        /** The longest that a single-stepped instruction was seen to take under emulation, and as much again. */
        private static final int SLOWNESS_OF_EMULATION = 100;

        /** Whether times measured there are not those of any hardware. */
        public boolean emulated() {
            return accelerator != Accelerator.KVM;
        }

        /** How many times longer than by its own clock things may take there. */
        public int slowness() {
            return emulated() ? SLOWNESS_OF_EMULATION : 1;
        }
    }

    /** The same machine as a guest, by the name that campaigns know it by. */
    public HostProfile asGuest(String name, Guest guest) {
        return with(name, Optional.of(guest), labels, simulation);
    }

    /** Whether its clock counts instructions, so that rates measured there are path lengths and no times. */
    public boolean countsInstructions() {
        return guest.stream().anyMatch(g -> g.nsPerInstruction().isPresent());
    }

    /** How many instructions an operation takes there, at that rate by its clock; empty where they are not counted. */
    public OptionalDouble instructionsPerOperation(double opsPerSecond) {
        OptionalInt nsEach = guest.map(Guest::nsPerInstruction).orElse(OptionalInt.empty());
        return nsEach.isEmpty()
                ? OptionalDouble.empty()
                : OptionalDouble.of(NS_PER_SECOND / (opsPerSecond * nsEach.getAsInt()));
    }

    /** Whether times measured there are not those of any hardware. */
    public boolean emulated() {
        return guest.stream().anyMatch(Guest::emulated);
    }

    /** Whether it is no machine at all, and no kernel is measured there. */
    public boolean simulated() {
        return simulation.isPresent();
    }

    /** Why what is measured there is no hardware's; each report repeats it. */
    public enum Mark {
        /** Times of an emulated guest. */
        EMULATED,
        /** No kernel was measured at all. */
        SIMULATED
    }

    /** The mark that its figures must bear; empty for those of hardware. */
    public Optional<Mark> mark() {
        if (simulated()) {
            return Optional.of(Mark.SIMULATED);
        }
        return emulated() ? Optional.of(Mark.EMULATED) : Optional.empty();
    }

    /** Where it is: hosts of one site share its CPUs, so at most one of them is measured at a time. */
    public String site() {
        return guest.map(Guest::machine).orElse(name);
    }

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

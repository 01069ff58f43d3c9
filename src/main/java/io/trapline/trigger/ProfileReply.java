package io.trapline.trigger;

import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;

/**
 * What the trigger read on its machine, uninterpreted: lists are the kernel's text, absent files are absent fields.
 * The fields' meanings stand in {@code src/main/c/PROTOCOL.md} under {@code profile}.
 */
public record ProfileReply(
        int protocol,
        String trigger,
        String hostname,
        String arch,
        Optional<String> libc,
        Kernel kernel,
        Optional<String> present,
        Optional<String> online,
        Optional<String> possible,
        Optional<String> offline,
        Optional<String> isolated,
        Optional<String> nohzFull,
        String allowed,
        Optional<String> smt,
        List<RawCpu> cpus,
        Optional<String> nodesOnline,
        List<RawNode> nodes,
        Optional<String> cpuCore,
        Optional<String> cpuAtom,
        Optional<String> boost,
        Optional<String> noTurbo,
        Optional<String> clocksource,
        OptionalInt paranoid,
        OptionalInt bpfDisabled,
        OptionalLong memKiB,
        Optional<String> hypervisor,
        OptionalInt uid,
        List<Can> can,
        List<String> workloads)
        implements Reply {

    /** The version of the protocol that this program speaks. */
    public static final int PROTOCOL = 1;

    public ProfileReply {
        cpus = cpus == null ? List.of() : List.copyOf(cpus);
        nodes = nodes == null ? List.of() : List.copyOf(nodes);
        can = can == null ? List.of() : List.copyOf(can);
        workloads = workloads == null ? List.of() : List.copyOf(workloads);
    }

    /** uname(2) and the command line that the kernel was booted with. */
    public record Kernel(String release, String version, Optional<String> cmdline) {}

    /** One directory {@code cpuN} of sysfs. */
    public record RawCpu(
            int id,
            boolean online,

            @com.fasterxml.jackson.annotation.JsonProperty("package")
            OptionalInt packageId,

            OptionalInt core,
            Optional<String> siblings,
            Optional<String> packageCpus,
            Optional<String> llc,
            OptionalInt llcLevel,
            OptionalLong maxKHz,
            Optional<String> governor,
            Optional<String> model) {}

    /** One directory {@code nodeN} of sysfs. */
    public record RawNode(
            int id,
            Optional<String> cpus,
            Optional<String> distances,
            OptionalLong memTotalKiB,
            OptionalLong memFreeKiB) {}

    /** A way of measuring that was tried, and why it failed. */
    public record Can(
            String what,
            boolean ok,
            Optional<String> call,
            OptionalInt errno,
            Optional<String> error,
            Optional<String> fix) {}
}

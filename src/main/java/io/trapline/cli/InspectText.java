package io.trapline.cli;

import io.trapline.host.CpuSet;
import io.trapline.host.HostProfile;
import io.trapline.host.Topology;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** A host's profile in words, for {@code trapline inspect}. */
record InspectText(HostProfile host) {
    List<String> lines() {
        List<String> lines = new ArrayList<>();
        Topology topology = host.topology();
        row(
                lines,
                "host",
                host.name() + ", " + host.arch()
                        + host.cpuModel().map(m -> ", " + m).orElse(""));
        row(lines, "kernel", host.kernel().release() + " " + host.kernel().version());
        host.libc().ifPresent(libc -> row(lines, "libc", libc + " (in the trigger)"));
        row(lines, "virtual", host.virtualization().orElse("no"));
        host.memKiB().ifPresent(kib -> row(lines, "memory", mebibytes(kib)));
        row(lines, "CPUs", cpus(topology));
        row(lines, "SMT", smt(topology));
        caches(lines, topology);
        for (Topology.NumaNode node : topology.nodes()) {
            row(lines, "NUMA node " + node.id(), node(node, topology));
        }
        row(lines, "isolated", host.isolated().isEmpty() ? "none" : "CPUs " + host.isolated());
        lines.add("");
        lines.add("What can be measured");
        for (HostProfile.Ability ability : host.abilities()) {
            lines.add("  " + pad(ability.what(), 16)
                    + (ability.ok() ? "yes" : "no: " + ability.reason().orElse("unknown")));
            ability.fix()
                    .filter(fix -> !ability.ok())
                    .ifPresent(fix -> lines.add("  " + pad("", 16) + "to change it: " + fix));
        }
        lines.add("");
        lines.add(host.noise().isEmpty() ? "Nothing known adds noise" : "What adds noise");
        for (HostProfile.Noise noise : host.noise()) {
            lines.add("  " + noise.what());
            noise.fix().ifPresent(fix -> lines.add("    to change it: " + fix));
        }
        return lines;
    }

    private static String cpus(Topology topology) {
        CpuSet usable = topology.usable();
        String text = usable.size() + " usable (" + usable + "), online " + topology.online();
        if (!topology.present().equals(topology.online())) {
            text += ", present " + topology.present();
        }
        if (!topology.allowed().equals(topology.online())) {
            text += ", allowed " + topology.allowed();
        }
        return text;
    }

    private String smt(Topology topology) {
        long cores = topology.cpus().stream()
                .filter(cpu -> topology.online().contains(cpu.id()))
                .map(Topology.Cpu::siblings)
                .distinct()
                .count();
        return (host.smt() ? "on, " : "off, ") + cores + (cores == 1 ? " core" : " cores");
    }

    private static void caches(List<String> lines, Topology topology) {
        String groups = topology.cpus().stream()
                .map(Topology.Cpu::llc)
                .filter(llc -> !llc.isEmpty())
                .distinct()
                .map(CpuSet::toString)
                .collect(Collectors.joining("  "));
        row(lines, "last-level cache", groups.isEmpty() ? "unknown" : "shared by CPUs " + groups);
    }

    private static String node(Topology.NumaNode node, Topology topology) {
        String text = node.cpus().isEmpty() ? "memory only" : "CPUs " + node.cpus();
        CpuSet unusable = node.cpus().minus(topology.usable());
        if (!unusable.isEmpty()) {
            text += " (not usable: " + unusable + ")";
        }
        text += node.memKiB().isPresent() ? ", " + mebibytes(node.memKiB().getAsLong()) : "";
        if (topology.nodes().size() > 1 && !node.distances().isEmpty()) {
            text += ", distances "
                    + node.distances().stream().map(String::valueOf).collect(Collectors.joining(" "));
        }
        return text;
    }

    private static String mebibytes(long kib) {
        return String.format(Locale.ROOT, "%d MiB", kib / 1024);
    }

    private static void row(List<String> lines, String name, String value) {
        lines.add(pad(name, 18) + value);
    }

    private static String pad(String text, int width) {
        return text + " ".repeat(Math.max(1, width - text.length()));
    }
}

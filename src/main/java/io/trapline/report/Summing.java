package io.trapline.report;

import io.trapline.analysis.Results;
import io.trapline.host.CpuSet;
import io.trapline.host.HostProfile;
import io.trapline.host.Timing;
import io.trapline.host.Topology;
import io.trapline.host.guest.KernelUsed;
import io.trapline.journal.JournalRecord;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** The head of a report: what was asked, what the run is worth, and what was measured where. */
final class Summing {
    private final Results results;
    private final Groups groups;

    Summing(Results results, Groups groups) {
        this.results = results;
        this.groups = groups;
    }

    Block facts() {
        List<Block.Fact> facts = new ArrayList<>();
        results.run().question().ifPresent(q -> facts.add(new Block.Fact("question", List.of(q))));
        facts.add(new Block.Fact("verdict", List.of(verdict())));
        add(facts, "mark", marks());
        results.run().gate().ifPresent(slower -> add(facts, "gate", Gates.lines(results, groups, slower)));
        add(facts, "host", results.hosts().stream().map(Summing::host).toList());
        add(facts, "kernels", kernels());
        add(facts, "paths", results.run().paths().stream().map(this::path).toList());
        add(facts, "cpus", cpuSets());
        facts.add(new Block.Fact("timing", List.of(timing())));
        return new Block.Facts(facts);
    }

    private static void add(List<Block.Fact> facts, String label, List<String> values) {
        if (!values.isEmpty()) {
            facts.add(new Block.Fact(label, values));
        }
    }

    /** What must be known before any figure is read. */
    private List<String> marks() {
        List<String> marks = new ArrayList<>();
        if (groups.has(Groups.Kind.SIMULATED_TIMES)) {
            marks.add("SIMULATED: no kernel was measured. Figures so marked are made up by the program itself, and no"
                    + " verdict on scalability is given.");
        }
        if (groups.has(Groups.Kind.EMULATED_TIMES)) {
            marks.add(
                    "EMULATED: times of emulated guests are not hardware times, and no verdict on scalability is given."
                            + " timing: {exact: true} counts instructions instead.");
        }
        if (!groups.counted().isEmpty()) {
            marks.add(Marks.PATH_LENGTH + ": instructions of guests were counted.");
        }
        return marks;
    }

    private String verdict() {
        Results.Outcome outcome = results.outcome();
        long trials = results.cells().stream().mapToLong(c -> c.trials().size()).sum();
        String why = outcome.reasons().isEmpty()
                ? "all " + Figures.count(trials, "trial")
                : String.join("; ", outcome.reasons());
        String of = results.simulated() ? " of a simulation, in which no kernel was measured" : "";
        return outcome.verdict() + of + ": " + why + "; exit code " + outcome.exitCode();
    }

    private static String host(HostProfile host) {
        String labels = host.labels().isEmpty()
                ? ""
                : ", "
                        + host.labels().entrySet().stream()
                                .map(label -> label.getKey() + "=" + label.getValue())
                                .collect(Collectors.joining(" "));
        Topology topology = host.topology();
        long nodes = topology.nodes().stream().filter(n -> !n.cpus().isEmpty()).count();
        return host.name() + ": Linux " + host.kernel().release() + " "
                + host.kernel().version() + ", " + host.arch()
                + host.cpuModel().map(m -> ", " + m).orElse("") + ", "
                + Figures.cpus(topology.usable().size()) + " in " + Figures.count(nodes, "NUMA node") + ", "
                + (host.smt() ? "SMT" : "no SMT") + ", "
                + host.guest()
                        .map(g -> "booted for path " + g.path() + " under "
                                + g.accelerator().spelling()
                                + g.noKvm()
                                        .map(why -> " (not KVM: " + why + ")")
                                        .orElse("")
                                + g.pinned()
                                        .map(cpus -> ", pinned to CPUs " + cpus)
                                        .orElse(""))
                        .orElseGet(() ->
                                host.virtualization().map(v -> v + " guest").orElse(kind(host)))
                + labels;
    }

    private static String kind(HostProfile host) {
        return host.simulation().map(source -> "SIMULATED by " + source).orElse("bare metal");
    }

    /** What each guest was booted from, for whoever wants to check it. */
    private List<String> kernels() {
        return results.hosts().stream()
                .flatMap(host -> host
                        .guest()
                        .flatMap(guest -> guest.kernel()
                                .map(k -> guest.path() + ": " + kernel(k)
                                        + host.kernel()
                                                .cmdline()
                                                .map(c -> ", arguments " + c)
                                                .orElse("")))
                        .stream())
                .toList();
    }

    private static String kernel(KernelUsed kernel) {
        return kernel.asked()
                + kernel.debianPackage().map(p -> ", package " + p).orElse("")
                + (kernel.asked().equals(kernel.file()) ? "" : ", file " + kernel.file())
                + ", SHA-256 " + kernel.sha256() + ", " + kernel.arch()
                + kernel.banner().map(b -> ", " + b).orElse("");
    }

    /** The choices that matter to any of the workloads. */
    private String path(JournalRecord.PathUsed path) {
        Map<String, String> keys = new LinkedHashMap<>();
        results.cells().stream()
                .map(c -> c.cell().workload())
                .distinct()
                .forEach(w -> keys.putAll(path.method().keys(w)));
        return path.name() + ": "
                + (keys.isEmpty()
                        ? "no choice applies"
                        : keys.entrySet().stream()
                                .map(e -> e.getKey() + " " + e.getValue())
                                .collect(Collectors.joining(", ")));
    }

    /** Which CPUs a count means, and how many NUMA nodes they span: where a curve bends, that is the first question. */
    private List<String> cpuSets() {
        return results.hosts().stream()
                .map(host -> (results.hosts().size() > 1 ? host.name() + ": " : "")
                        + results.cells().stream()
                                .map(c -> c.cell())
                                .filter(c -> c.host().equals(host.name()))
                                .map(c -> c.cpus())
                                .distinct()
                                .sorted()
                                .map(set -> set.size() + " on " + set + nodes(host, set))
                                .collect(Collectors.joining("; ")))
                .filter(text -> !text.isEmpty())
                .toList();
    }

    private static String nodes(HostProfile host, CpuSet set) {
        long touched = host.topology().nodes().stream()
                .filter(n -> !n.cpus().and(set).isEmpty())
                .count();
        return touched > 1 ? " (" + touched + " NUMA nodes)" : "";
    }

    private String timing() {
        Timing timing = results.run().timing();
        return Figures.count(results.run().rounds(), "round") + "; a trial has "
                + Figures.count(timing.intervals(), "interval") + " of " + Figures.duration(timing.interval())
                + " after " + Figures.duration(timing.warmup()) + " of warm-up";
    }
}

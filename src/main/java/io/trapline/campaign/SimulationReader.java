package io.trapline.campaign;

import io.trapline.host.CpuSet;
import io.trapline.host.Labels;
import io.trapline.host.simulated.Curve;
import io.trapline.host.simulated.Fault;
import io.trapline.host.simulated.Simulation;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.TreeMap;
import org.snakeyaml.engine.v2.nodes.Node;

/**
 * Reads what simulated hosts are like: YAML as in campaign files. All keys, with their defaults:
 *
 * <pre>{@code
 * apiVersion: trapline/v1        # required
 * kind: Simulation               # required
 * spec:
 *   arch: x86_64                 # or aarch64
 *   kernel: 6.12.0               # the release that they claim to run
 *   cpus: 64                     # of each host
 *   nodes: 2                     # NUMA nodes; must divide the CPUs
 *   labels: []                   # such as [rack=b, board=x1]
 *   curve:                       # none: the built-in one; operations a second of so many CPUs together
 *     - {cpus: 1, ops: 1000000}  # straight lines between points; none is faster than the last one
 *     - {cpus: 64, ops: 30000000}
 *   faults:                      # none
 *     - {crash: 139, words: "page fault", host: 2, trial: 1, after: 3}
 * }</pre>
 *
 * A fault has one of {@code crash: STATUS} (with {@code words} on standard error), {@code hang: true}, {@code lie: 50%}
 * (of the hits are missing), {@code jump: 60m} or {@code jump-back: 60m} (of the clock) and {@code drift: 200} (the clock
 * runs fast by so many millionths). It happens on the {@code host} of that number, or each one; in the {@code trial} that
 * is begun there as that one, or each; {@code after} so many readings, or before its threads are ready.
 */
public final class SimulationReader {
    private static final String KIND = "Simulation";
    private static final List<String> ROOT = List.of("apiVersion", "kind", "spec");
    private static final List<String> SPEC = List.of("arch", "kernel", "cpus", "nodes", "labels", "curve", "faults");
    private static final List<String> POINT = List.of("cpus", "ops");
    private static final List<String> KINDS = List.of("crash", "hang", "lie", "jump", "jump-back", "drift");
    private static final List<String> FAULT =
            List.of("crash", "words", "hang", "lie", "jump", "jump-back", "drift", "host", "trial", "after");
    private static final Duration LEAST_JUMP = Duration.ofNanos(1);
    private static final Duration MOST_JUMP = Duration.ofDays(1);
    private static final int MOST_PPM = 100_000;

    private final Problems problems;
    private final String source;

    private SimulationReader(Problems problems, String source) {
        this.problems = problems;
        this.source = source;
    }

    /**
     * Reads such a file.
     *
     * @throws CampaignException with everything that is wrong in it
     */
    public static Simulation read(Path file) throws CampaignException {
        String text = CampaignText.read(file);
        Problems problems = new Problems(file.toString());
        Node root = YamlDocument.root(text, problems);
        return new SimulationReader(problems, file.getFileName().toString())
                .simulation(new Value("", root, Place.of(root), problems));
    }

    private Simulation simulation(Value document) throws CampaignException {
        Section root = Section.of(document, ROOT, problems);
        root.constant("apiVersion", CampaignReader.API_VERSION);
        root.constant("kind", KIND);
        Section spec = root.section("spec", SPEC);
        Simulation usual = Simulation.byDefault();
        Optional<String> arch = spec.orDefault("arch", usual.arch(), v -> v.word(List.of("x86_64", "aarch64")));
        Optional<String> kernel = spec.orDefault("kernel", usual.kernel(), Value::text);
        int cpus = spec.orDefault("cpus", usual.cpus(), v -> v.whole(1, CpuSet.MAX_ID + 1))
                .orElse(1);
        int nodes = spec.orDefault("nodes", cpus % 2 == 0 ? 2 : 1, v -> v.whole(1, cpus))
                .orElse(1);
        if (cpus % nodes != 0) {
            spec.refuse("nodes", cpus + " CPUs can't be divided among " + nodes + " NUMA nodes", "write nodes: 1");
        }
        Optional<Map<String, String>> labels = spec.orDefault("labels", Map.of(), this::labels);
        Optional<Curve> curve = spec.orDefault("curve", usual.curve(), this::curve);
        Optional<List<Fault>> faults = spec.orDefault("faults", List.of(), this::faults);
        problems.throwIfAny();
        return new Simulation(
                source,
                arch.orElseThrow(),
                kernel.orElseThrow(),
                cpus,
                nodes,
                labels.orElseThrow(),
                curve.orElseThrow(),
                faults.orElseThrow());
    }

    private Optional<Map<String, String>> labels(Value list) {
        List<String> texts = new ArrayList<>();
        list.items().forEach(item -> item.text().ifPresent(texts::add));
        try {
            return Optional.of(Labels.parse(texts));
        } catch (IllegalArgumentException e) {
            list.refuse(": " + e.getMessage());
            return Optional.empty();
        }
    }

    private Optional<Curve> curve(Value list) {
        NavigableMap<Integer, Double> points = new TreeMap<>();
        for (Value item : list.items()) {
            Section point = Section.of(item, POINT, problems);
            Optional<Integer> cpus = point.required("cpus", "1", v -> v.whole(1, CpuSet.MAX_ID + 1));
            Optional<Integer> ops = point.required("ops", "1000000", v -> v.whole(1, Integer.MAX_VALUE));
            if (cpus.isPresent() && ops.isPresent() && points.put(cpus.get(), ops.get() * 1.0) != null) {
                point.refuse("cpus", cpus.get() + " CPUs have a rate already", "keep one of them");
            }
        }
        return points.isEmpty() ? Optional.empty() : Optional.of(new Curve(points));
    }

    private Optional<List<Fault>> faults(Value list) {
        List<Fault> faults = new ArrayList<>();
        list.items().forEach(item -> fault(item).ifPresent(faults::add));
        return Optional.of(faults);
    }

    private Optional<Fault> fault(Value item) {
        Section fault = Section.of(item, FAULT, problems);
        List<String> kinds = KINDS.stream().filter(fault::has).toList();
        if (kinds.size() != 1) {
            item.refuse("must have one of " + String.join(", ", KINDS) + ", and has "
                    + (kinds.isEmpty() ? "none" : String.join(" and ", kinds)));
            return Optional.empty();
        }
        OptionalInt host = number(fault, "host", 1);
        OptionalInt trial = number(fault, "trial", 1);
        OptionalInt after = number(fault, "after", 0);
        return fault.optional(kinds.get(0), value -> what(kinds.get(0), value, fault))
                .map(what -> new Fault(host, trial, after, what));
    }

    private static OptionalInt number(Section fault, String key, int least) {
        return fault.optional(key, v -> v.whole(least, Integer.MAX_VALUE)).stream()
                .mapToInt(Integer::intValue)
                .findFirst();
    }

    private static Optional<Fault.What> what(String kind, Value value, Section fault) {
        return switch (kind) {
            case "crash" ->
                value.whole(0, 255)
                        .map(status -> new Fault.Crash(
                                status, fault.optional("words", Value::text).orElse("")));
            case "hang" -> value.word(List.of("true")).map(yes -> new Fault.Hang());
            case "lie" -> value.percentage().map(Fault.Lie::new);
            case "jump" -> value.duration(LEAST_JUMP, MOST_JUMP).map(Fault.Jump::new);
            case "jump-back" -> value.duration(LEAST_JUMP, MOST_JUMP).map(by -> new Fault.Jump(by.negated()));
            default -> value.whole(-MOST_PPM, MOST_PPM).map(Fault.Drift::new);
        };
    }
}

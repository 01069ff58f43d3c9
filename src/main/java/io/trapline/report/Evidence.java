package io.trapline.report;

import io.trapline.analysis.CellResult;
import io.trapline.analysis.Results;
import io.trapline.analysis.TrialResult;
import io.trapline.host.Workload;
import io.trapline.trigger.Reply;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.stream.Collectors;

/** What shows that the operations that were counted took the path that they are counted for. */
final class Evidence {
    private static final List<Block.Column> COLUMNS = List.of(
            new Block.Column("path", false),
            new Block.Column("workload", false),
            new Block.Column("first instruction", false),
            new Block.Column("consumers", true),
            new Block.Column("trials", true),
            new Block.Column("operations", true),
            new Block.Column("hits", true));

    private Evidence() {}

    static List<Block> blocks(Results results, Groups groups) {
        List<Block> blocks = new ArrayList<>();
        for (Groups.Group group : groups.all()) {
            Map<List<String>, List<TrialResult.Measured>> trials = new LinkedHashMap<>();
            results.cells().stream()
                    .filter(c -> group.has(c.cell()) && c.valid() > 0)
                    .forEach(c -> trials.computeIfAbsent(
                                    List.of(c.cell().path(), c.cell().workload().name()), k -> new ArrayList<>())
                            .addAll(c.measured().toList()));
            if (!trials.isEmpty() && groups.all().size() > 1) {
                blocks.add(new Block.Paragraph(groups.name("All paths", group) + ":"));
            }
            if (!trials.isEmpty()) {
                blocks.add(new Block.Grid(
                        COLUMNS,
                        trials.entrySet().stream()
                                .map(e -> row(e.getKey(), e.getValue()))
                                .toList()));
            }
        }
        blocks.add(new Block.Paragraph(blocks.isEmpty() ? "None: there is no valid trial." : stamps(results)));
        if (!results.simulated()) {
            signals(results).ifPresent(text -> blocks.add(new Block.Paragraph(text)));
        }
        return blocks;
    }

    private static List<String> row(List<String> names, List<TrialResult.Measured> trials) {
        boolean counted = trials.stream().allMatch(t -> t.done().hits().isPresent());
        return List.of(
                names.get(0),
                names.get(1),
                distinct(trials.stream().map(t -> instruction(t.ready())).toList()),
                distinct(trials.stream()
                        .map(t -> consumers(t.ready().consumers()))
                        .toList()),
                String.valueOf(trials.size()),
                String.valueOf(
                        trials.stream().mapToLong(t -> t.done().operations()).sum()),
                counted
                        ? String.valueOf(trials.stream()
                                .mapToLong(t -> t.done().hits().orElse(0))
                                .sum())
                        : "-");
    }

    private static String distinct(List<String> texts) {
        return texts.stream().distinct().collect(Collectors.joining(" / "));
    }

    private static String consumers(OptionalInt consumers) {
        return consumers.isPresent() ? String.valueOf(consumers.getAsInt()) : "-";
    }

    /** Its mnemonic, and the bytes that the breakpoint changed: {@code nop 90 -> cc}. */
    private static String instruction(Reply.Ready ready) {
        if (ready.bytes().isEmpty() || ready.attached().isEmpty()) {
            return "-";
        }
        String before = ready.bytes().get();
        String after = ready.attached().get();
        int changed = Math.min(before.length(), after.length());
        while (changed > 0 && before.charAt(changed - 1) == after.charAt(changed - 1)) {
            changed--;
        }
        int bytes = changed + changed % 2;
        String name = ready.instruction().map(i -> i.split(" ", 2)[0] + " ").orElse("");
        return name + before.substring(0, bytes) + " -> " + after.substring(0, bytes);
    }

    /** Why rows of signals have no instruction and no consumers; what the handler checks is in handler.c. */
    private static Optional<String> signals(Results results) {
        Set<Workload.Kind> kinds = results.cells().stream()
                .filter(c -> c.valid() > 0)
                .map(c -> c.cell().workload().kind())
                .collect(Collectors.toSet());
        if (kinds.stream().noneMatch(Workload.Kind::isSignal)) {
            return Optional.empty();
        }
        return Optional.of("A signal needs no probe, so there is no instruction and no consumer to name: its hits were"
                + " counted by the handler, in the thread that the signal went to."
                + (kinds.contains(Workload.Kind.ALTSTACK)
                        ? " In signal-altstack each handler found the alternate stack that the one before it had left"
                                + " in force: the same one with altstack: same, the other of two with altstack: swap."
                        : ""));
    }

    private static String stamps(Results results) {
        if (results.simulated()) {
            return "SIMULATED: no thread ran and no probe was attached. The figures show that the program itself counted"
                    + " right, and nothing of any kernel.";
        }
        return "Operations and hits include the warm-up. In each of these trials every thread's affinity was read back"
                + " as its one CPU, no reading was missing, and no counter ran backwards; where there is a probe, the"
                + " breakpoint stood in the target; where there are hits, they agreed with the operations of each CPU"
                + " but for what may be in flight." + times(results);
    }

    /** How far times are to be trusted; a clock that counts instructions tells none. */
    private static String times(Results results) {
        List<TrialResult.Measured> trials = results.cells().stream()
                .filter(c -> !results.counted(c.cell()))
                .flatMap(CellResult::measured)
                .toList();
        if (trials.isEmpty()) {
            return "";
        }
        long start = trials.stream().mapToLong(m -> m.startNs().orElse(0)).max().orElse(0);
        long read = trials.stream()
                .mapToLong(TrialResult.Measured::slowestReadNs)
                .max()
                .orElse(0);
        return " The threads of a trial started within "
                + Figures.nanoseconds(start) + " of each other; the slowest reading of all counters took "
                + Figures.nanoseconds(read) + ".";
    }
}

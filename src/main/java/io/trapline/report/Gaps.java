package io.trapline.report;

import io.trapline.analysis.CellResult;
import io.trapline.analysis.Results;
import io.trapline.analysis.TrialResult;
import io.trapline.analysis.Verdict;
import io.trapline.campaign.Cell;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** What is not in the tables, or was tried more than once, and why. */
final class Gaps {
    /** More would hide the rest of the report. */
    private static final int MOST = 40;

    private static final int MOST_ROWS = 6;

    private Gaps() {}

    /** What stands in a table's row in place of its figures. */
    static String word(CellResult cell) {
        if (cell.trials().isEmpty()) {
            return "not measured";
        }
        return cell.verdict() == Verdict.INVALID ? "no valid trial" : "no trial ran to its end";
    }

    static List<Block> blocks(Results results, Groups groups) {
        List<String> items = new ArrayList<>();
        byReason(results.cells().stream().flatMap(c -> c.notMeasured().map(r -> new Gap(c.cell(), 0, r)).stream()))
                .forEach((reason, gaps) -> items.add("not measured: " + names(gaps, groups) + ": " + reason));
        for (Verdict verdict : List.of(Verdict.INVALID, Verdict.INCOMPLETE)) {
            byReason(trials(results).filter(t -> t.verdict() == verdict).map(t -> gap(t, t.reasons())))
                    .forEach((reason, gaps) -> items.add(
                            verdict.name().toLowerCase(Locale.ROOT) + ": " + names(gaps, groups) + ": " + reason));
        }
        byReason(trials(results)
                        .filter(t -> t.verdict() != Verdict.INCOMPLETE
                                && !t.discarded().isEmpty())
                        .map(t -> gap(t, t.discarded())))
                .forEach((reason, gaps) -> items.add("repeated: " + names(gaps, groups) + ": " + reason));
        if (items.size() > MOST) {
            int more = items.size() - MOST;
            items.subList(MOST, items.size()).clear();
            items.add("and " + more + " more, which report.json has");
        }
        if (trials(results).anyMatch(t -> t.verdict() != Verdict.VALID)) {
            items.add("a run with --resume measures the invalid and incomplete trials again, and those alone");
        }
        return items.isEmpty() ? List.of() : List.of(new Block.Bullets(items));
    }

    /** A trial, or a whole cell as round 0, and what is the matter with it. */
    private record Gap(Cell cell, int round, String reason) {}

    private static Gap gap(TrialResult trial, List<String> reasons) {
        return new Gap(
                trial.planned().cell(),
                trial.planned().round(),
                reasons.stream().map(Gaps::firstLine).collect(Collectors.joining("; ")));
    }

    /** A guest's reason goes on with the last lines of its console. */
    private static String firstLine(String reason) {
        int end = reason.indexOf('\n');
        return end < 0 ? reason : reason.substring(0, end) + " (more in report.json)";
    }

    private static Stream<TrialResult> trials(Results results) {
        return results.cells().stream().flatMap(c -> c.trials().stream());
    }

    /** What fails for one reason is told once. */
    private static Map<String, List<Gap>> byReason(Stream<Gap> gaps) {
        return gaps.collect(Collectors.groupingBy(Gap::reason, LinkedHashMap::new, Collectors.toList()));
    }

    /** {@code locked uprobe-nop at 1, 2 CPUs (6 trials)}, one such text for each path and workload. */
    private static String names(List<Gap> gaps, Groups groups) {
        if (gaps.size() == 1 && gaps.get(0).round() > 0) {
            return groups.name(gaps.get(0).cell()) + ", round " + gaps.get(0).round();
        }
        Map<String, List<Gap>> rows = gaps.stream()
                .collect(Collectors.groupingBy(g -> groups.row(g.cell()), LinkedHashMap::new, Collectors.toList()));
        String named = rows.entrySet().stream()
                .limit(MOST_ROWS)
                .map(row -> row.getKey() + " " + counts(row.getValue()) + trials(row.getValue()))
                .collect(Collectors.joining("; "));
        return rows.size() <= MOST_ROWS ? named : named + " and " + (rows.size() - MOST_ROWS) + " more of the kind";
    }

    private static String counts(List<Gap> gaps) {
        List<Integer> counts =
                gaps.stream().map(g -> g.cell().cpus().size()).distinct().toList();
        return Figures.at(counts, Integer.MAX_VALUE);
    }

    private static String trials(List<Gap> gaps) {
        return gaps.get(0).round() > 0 ? " (" + Figures.count(gaps.size(), "trial") + ")" : "";
    }
}

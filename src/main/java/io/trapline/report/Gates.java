package io.trapline.report;

import io.trapline.analysis.Comparison;
import io.trapline.analysis.Estimate;
import io.trapline.analysis.Finding;
import io.trapline.analysis.GateResult;
import io.trapline.analysis.Results;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What became of the campaign's gate, and which rows decided it or left it open. */
final class Gates {
    private static final String AGREE = "counts agree to 0.5 % only";

    private Gates() {}

    /**
     * A sentence on the whole, then one for each reason why rows did not pass.
     *
     * @param slower how much slower than the baseline a path may be; 0.03 is 3 %
     */
    static List<String> lines(Results results, Groups groups, double slower) {
        String least = BigDecimal.ONE.subtract(BigDecimal.valueOf(slower)).toPlainString();
        List<String> lines = new ArrayList<>();
        lines.add(results.outcome().gate().map(GateResult::name).orElse("") + rule(results, groups, slower, least));
        Map<String, List<Comparison>> byReason = new LinkedHashMap<>();
        results.comparisons().stream()
                .filter(c -> c.gate().filter(g -> g != GateResult.PASSED).isPresent())
                .forEach(c -> byReason.computeIfAbsent(reason(results, c, slower, least), r -> new ArrayList<>())
                        .add(c));
        byReason.forEach((reason, rows) -> lines.add(
                reason + ": " + groups.rows(rows.stream().map(Comparison::cell).toList())));
        return lines;
    }

    /** What a row must be; counts are judged by what the table of path lengths prints. */
    private static String rule(Results results, Groups groups, double slower, String least) {
        String baseline = results.run().paths().get(0).name();
        List<String> rules = new ArrayList<>();
        if (groups.counted().isEmpty() || !groups.timed().isEmpty()) {
            rules.add("in every row " + (groups.counted().isEmpty() ? "" : "of times ")
                    + "all of the interval must be at or above " + least + ", which is " + Figures.percent(slower)
                    + " slower than " + baseline);
        }
        if (!groups.counted().isEmpty()) {
            rules.add("in every row of path lengths instructions/op must be at most " + Figures.percent(slower)
                    + " above those of " + baseline + "; " + AGREE
                    + ", so a row within 0.5 % of that limit is undecided");
        }
        return ": " + String.join("; ", rules);
    }

    private static String reason(Results results, Comparison comparison, double slower, String least) {
        if (comparison.finding() == Finding.NOT_JUDGED) {
            return "undecided, " + Comparison.NO_HARDWARE;
        }
        if (results.counted(comparison.cell()) && comparison.estimate().isPresent()) {
            return comparison.gate().equals(Optional.of(GateResult.FAILED))
                    ? "failed, more than " + Figures.percent(slower) + " above"
                    : "undecided, within 0.5 % of " + Figures.percent(slower) + " above: " + AGREE;
        }
        if (comparison.gate().equals(Optional.of(GateResult.FAILED))) {
            return "failed, all of the interval is below " + least;
        }
        if (comparison.estimate().isEmpty()) {
            return "undecided, " + comparison.finding().words();
        }
        return comparison.estimate().flatMap(Estimate::interval).isEmpty()
                ? "undecided, no interval without a second round of both paths"
                : "undecided, the interval reaches below " + least + " (more rounds narrow it)";
    }
}

package io.trapline.report;

import io.trapline.analysis.Comparison;
import io.trapline.analysis.Estimate;
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
    private Gates() {}

    /**
     * A sentence on the whole, then one for each reason why rows did not pass.
     *
     * @param slower how much slower than the baseline a path may be; 0.03 is 3 %
     */
    static List<String> lines(Results results, Groups groups, double slower) {
        String least = BigDecimal.ONE.subtract(BigDecimal.valueOf(slower)).toPlainString();
        List<String> lines = new ArrayList<>();
        lines.add(results.outcome().gate().map(GateResult::name).orElse("")
                + ": in every row all of the interval must be at or above " + least + ", which is "
                + Figures.percent(slower) + " slower than "
                + results.run().paths().get(0).name());
        Map<String, List<Comparison>> byReason = new LinkedHashMap<>();
        results.comparisons().stream()
                .filter(c -> c.gate().filter(g -> g != GateResult.PASSED).isPresent())
                .forEach(c -> byReason.computeIfAbsent(reason(c, least), r -> new ArrayList<>())
                        .add(c));
        byReason.forEach((reason, rows) -> lines.add(
                reason + ": " + groups.rows(rows.stream().map(Comparison::cell).toList())));
        return lines;
    }

    private static String reason(Comparison comparison, String least) {
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

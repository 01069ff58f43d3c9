package io.trapline.report;

import io.trapline.analysis.CellResult;
import io.trapline.analysis.Comparison;
import io.trapline.analysis.Estimate;
import io.trapline.analysis.GateResult;
import io.trapline.analysis.JointResult;
import io.trapline.analysis.Results;
import io.trapline.analysis.Summary;
import io.trapline.campaign.Cell;
import io.trapline.host.HostProfile;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * For spreadsheets: one line a cell, RFC 4180 but for its line ends, rates in operations a second. A cell whose
 * instructions are counted has no rates, and its ratio is one of instructions.
 */
public final class CsvReport implements ReportFormat {
    private static final List<String> HEAD = List.of(
            "host",
            "model",
            "path",
            "workload",
            "cpus",
            "cpu_list",
            "verdict",
            "trials",
            "valid_trials",
            "intervals",
            "ops_per_second",
            "sd",
            "ops_per_second_per_cpu",
            "baseline",
            "baseline_host",
            "ratio",
            "ratio_low",
            "ratio_high",
            "finding",
            "note",
            "gate",
            "instructions_per_operation",
            "mark");

    @Override
    public String fileName() {
        return "report.csv";
    }

    @Override
    public byte[] render(Report report) {
        Results results = report.results();
        Map<Cell, Comparison> comparisons = new HashMap<>();
        results.comparisons().stream().filter(Comparison::toFirst).forEach(c -> comparisons.put(c.cell(), c));
        StringBuilder out = new StringBuilder();
        row(out, HEAD);
        results.cells()
                .forEach(cell -> row(out, fields(results, cell, Optional.ofNullable(comparisons.get(cell.cell())))));
        results.joints().forEach(joint -> row(out, fields(results, joint)));
        return out.toString().getBytes(StandardCharsets.UTF_8);
    }

    private static List<String> fields(Results results, CellResult result, Optional<Comparison> comparison) {
        Cell cell = result.cell();
        Optional<Summary> rates = result.rates().filter(r -> !results.counted(cell));
        Optional<Estimate> estimate = comparison.flatMap(Comparison::estimate);
        Optional<Estimate.Interval> interval = estimate.flatMap(Estimate::interval);
        return List.of(
                cell.host(),
                cell.model().spelling(),
                cell.path(),
                cell.workload().name(),
                String.valueOf(cell.cpus().size()),
                cell.cpus().toString(),
                result.verdict().name(),
                String.valueOf(result.trials().size()),
                String.valueOf(result.valid()),
                result.rates().map(r -> String.valueOf(r.n())).orElse(""),
                rates.map(r -> Figures.fixed(r.mean(), 3)).orElse(""),
                rates.map(r -> Figures.fixed(r.sd(), 3)).orElse(""),
                rates.map(r -> Figures.fixed(r.mean() / cell.cpus().size(), 3)).orElse(""),
                comparison.map(Comparison::baseline).orElse(""),
                comparison.map(c -> c.baselineHost().orElse(cell.host())).orElse(""),
                estimate.map(e -> Figures.ratio(e.ratio(), 6)).orElse(""),
                interval.map(i -> Figures.ratio(i.low(), 6)).orElse(""),
                interval.map(i -> Figures.ratio(i.high(), 6)).orElse(""),
                comparison.map(c -> c.finding().words()).orElse(""),
                comparison
                        .map(c -> String.join("; ", c.notes()))
                        .or(() -> Marks.advice(results, cell))
                        .orElse(""),
                comparison.flatMap(Comparison::gate).map(GateResult::words).orElse(""),
                result.instructions().isPresent()
                        ? Figures.fixed(result.instructions().getAsDouble(), 1)
                        : "",
                Marks.of(results, cell).orElse(""));
    }

    /** Hosts that ran together: a line whose host is all of them, whose trials are rounds, and that has no intervals. */
    private static List<String> fields(Results results, JointResult joint) {
        Optional<Summary> rates = joint.rates();
        Optional<Estimate> estimate = joint.toFirst();
        Optional<Estimate.Interval> interval = estimate.flatMap(Estimate::interval);
        String first = results.run().paths().get(0).name();
        return List.of(
                joint.shares().stream().map(JointResult.Share::host).collect(Collectors.joining("+")),
                joint.model().spelling(),
                joint.path(),
                joint.workload().name(),
                String.valueOf(joint.cpus()),
                "",
                joint.verdict().name(),
                String.valueOf(joint.rounds().size()),
                String.valueOf(joint.valid()),
                "",
                rates.map(r -> Figures.fixed(r.mean(), 3)).orElse(""),
                rates.map(r -> Figures.fixed(r.sd(), 3)).orElse(""),
                rates.map(r -> Figures.fixed(r.mean() / joint.cpus(), 3)).orElse(""),
                estimate.map(e -> first).orElse(""),
                "",
                estimate.map(e -> Figures.ratio(e.ratio(), 6)).orElse(""),
                interval.map(i -> Figures.ratio(i.low(), 6)).orElse(""),
                interval.map(i -> Figures.ratio(i.high(), 6)).orElse(""),
                estimate.map(Togethers::finding).orElse(""),
                "together",
                "",
                "",
                Togethers.mark(results, joint).map(HostProfile.Mark::name).orElse(""));
    }

    private static void row(StringBuilder out, List<String> fields) {
        out.append(fields.stream().map(CsvReport::quoted).collect(Collectors.joining(",", "", "\n")));
    }

    private static String quoted(String field) {
        String plain = Plain.text(field);
        return plain.matches("[^\",]*") ? plain : "\"" + plain.replace("\"", "\"\"") + "\"";
    }
}

package io.trapline.report;

import io.trapline.analysis.Comparison;
import io.trapline.analysis.Estimate;
import io.trapline.analysis.Results;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** One table for each path and baseline. */
final class ComparisonGrids {
    private static final List<Block.Column> COLUMNS = List.of(
            new Block.Column("workload", false),
            new Block.Column("cpus", true),
            new Block.Column("ratio", true),
            new Block.Column("95% interval", true),
            new Block.Column("change", true),
            new Block.Column("finding", false),
            new Block.Column("basis", false));

    private ComparisonGrids() {}

    static List<Block> blocks(Results results, Groups groups) {
        List<Block> blocks = new ArrayList<>();
        for (Groups.Group group : groups.all()) {
            Map<String, List<List<String>>> tables = new LinkedHashMap<>();
            results.comparisons().stream()
                    .filter(c -> group.has(c.cell()))
                    .forEach(c -> tables.computeIfAbsent(
                                    groups.name(c.cell().path() + " against " + c.baseline(), group),
                                    t -> new ArrayList<>())
                            .add(row(c)));
            tables.forEach((title, rows) -> {
                blocks.add(new Block.Paragraph(title + ":"));
                blocks.add(new Block.Grid(COLUMNS, rows));
            });
        }
        if (blocks.isEmpty()) {
            blocks.add(new Block.Paragraph("Nothing to compare: no row has two paths on one host."));
        }
        return blocks;
    }

    private static List<String> row(Comparison comparison) {
        String finding = comparison.finding().words() + (comparison.gateFailed() ? ", gate failed" : "");
        return List.of(
                comparison.cell().workload().name(),
                String.valueOf(comparison.cell().cpus().size()),
                comparison.estimate().map(e -> Figures.fixed(e.ratio(), 3)).orElse("-"),
                comparison
                        .estimate()
                        .flatMap(Estimate::interval)
                        .map(i -> Figures.fixed(i.low(), 3) + " .. " + Figures.fixed(i.high(), 3))
                        .orElse("-"),
                comparison
                        .estimate()
                        .map(e -> Figures.change(e.ratio()) + " vs " + comparison.baseline())
                        .orElse("-"),
                finding,
                comparison.estimate().map(Estimate::basis).orElse("-"));
    }
}

package io.trapline.report;

import io.trapline.analysis.Comparison;
import io.trapline.analysis.Estimate;
import io.trapline.analysis.Results;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

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
            Map<String, List<Comparison>> tables = new LinkedHashMap<>();
            results.comparisons().stream()
                    .filter(c -> group.has(c.cell()))
                    .forEach(c -> tables.computeIfAbsent(
                                    groups.name(c.cell().path() + " against " + c.baseline(), group),
                                    t -> new ArrayList<>())
                            .add(c));
            tables.forEach((title, rows) -> {
                blocks.add(new Block.Paragraph(title + ":"));
                blocks.add(new Block.Grid(
                        COLUMNS, rows.stream().map(ComparisonGrids::row).toList()));
                notes(rows).ifPresent(blocks::add);
            });
        }
        if (blocks.isEmpty()) {
            blocks.add(new Block.Paragraph("Nothing to compare: no row has two paths on one host."));
        }
        return blocks;
    }

    /** What must be known of some rows, each thing once. */
    private static Optional<Block> notes(List<Comparison> rows) {
        Map<String, List<Comparison>> byNote = new LinkedHashMap<>();
        rows.forEach(c -> c.note()
                .ifPresent(
                        n -> byNote.computeIfAbsent(n, k -> new ArrayList<>()).add(c)));
        return byNote.isEmpty()
                ? Optional.empty()
                : Optional.of(new Block.Bullets(byNote.entrySet().stream()
                        .map(e -> (e.getValue().size() == rows.size() ? "all rows" : names(e.getValue())) + ": "
                                + e.getKey())
                        .toList()));
    }

    /** {@code uprobe-nop at 1 and 2 CPUs, uprobe-ret at 2 CPUs}. */
    private static String names(List<Comparison> rows) {
        Map<String, List<Integer>> counts = new LinkedHashMap<>();
        rows.forEach(c -> counts.computeIfAbsent(c.cell().workload().name(), w -> new ArrayList<>())
                .add(c.cell().cpus().size()));
        return counts.entrySet().stream()
                .map(e -> e.getKey() + " " + Figures.at(e.getValue(), Integer.MAX_VALUE))
                .collect(Collectors.joining(", "));
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

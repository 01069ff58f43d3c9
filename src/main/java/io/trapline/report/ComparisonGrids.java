package io.trapline.report;

import io.trapline.analysis.Comparison;
import io.trapline.analysis.Estimate;
import io.trapline.analysis.GateResult;
import io.trapline.analysis.Results;
import io.trapline.campaign.Cell;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/** One table for each path and baseline. */
final class ComparisonGrids {
    private static final String NONE = "-";

    private static final Block.Column GATE = new Block.Column("gate", false);

    private static final Map<Block.Column, Function<Comparison, String>> COLUMNS = columns();

    private ComparisonGrids() {}

    static List<Block> blocks(Results results, Groups groups) {
        List<Block> blocks = new ArrayList<>();
        for (Groups.Group group : groups.timed()) {
            Map<String, List<Comparison>> tables = new LinkedHashMap<>();
            results.comparisons().stream()
                    .filter(c -> group.has(c.cell()))
                    .forEach(c -> tables.computeIfAbsent(groups.mark(groups.versus(c), group), t -> new ArrayList<>())
                            .add(c));
            tables.forEach((title, rows) -> {
                blocks.add(new Block.Paragraph(title + ":"));
                blocks.add(grid(rows));
                notes(rows, groups).ifPresent(blocks::add);
            });
        }
        blocks.add(
                0,
                new Block.Paragraph(
                        blocks.isEmpty()
                                ? "Nothing to compare: only one path has rows."
                                : "A ratio is one of geometric means of trials, the tables above have arithmetic means of"
                                        + " intervals: dividing their figures gives nearly the ratio, not quite."));
        return blocks;
    }

    /** What must be known of some rows, each thing once. */
    static Optional<Block> notes(List<Comparison> rows, Groups groups) {
        Map<String, List<Cell>> byNote = new LinkedHashMap<>();
        rows.forEach(c -> c.notes()
                .forEach(n -> byNote.computeIfAbsent(n, k -> new ArrayList<>()).add(c.cell())));
        return byNote.isEmpty()
                ? Optional.empty()
                : Optional.of(new Block.Bullets(byNote.entrySet().stream()
                        .map(e -> groups.rows(e.getValue()) + ": " + e.getKey())
                        .toList()));
    }

    private static Map<Block.Column, Function<Comparison, String>> columns() {
        Map<Block.Column, Function<Comparison, String>> columns = new LinkedHashMap<>();
        columns.put(
                new Block.Column("workload", false), c -> c.cell().workload().name());
        columns.put(
                new Block.Column("cpus", true),
                c -> String.valueOf(c.cell().cpus().size()));
        columns.put(new Block.Column("ratio", true), c -> of(c, e -> Figures.ratio(e.ratio(), 3)));
        columns.put(new Block.Column("95% interval", true), c -> of(c, ComparisonGrids::interval));
        columns.put(
                new Block.Column("change", true), c -> of(c, e -> Figures.change(e.ratio()) + " vs " + c.baseline()));
        columns.put(new Block.Column("finding", false), c -> c.finding().words());
        columns.put(GATE, c -> c.gate().map(GateResult::words).orElse(NONE));
        columns.put(new Block.Column("basis", false), c -> of(c, Estimate::basis));
        return Collections.unmodifiableMap(columns);
    }

    private static String of(Comparison comparison, Function<Estimate, String> figure) {
        return comparison.estimate().map(figure).orElse(NONE);
    }

    private static String interval(Estimate estimate) {
        return estimate.interval().map(i -> Figures.interval(i, 3)).orElse(NONE);
    }

    /** The gate has a column where it has a say. */
    private static Block grid(List<Comparison> rows) {
        boolean gated = rows.stream().anyMatch(c -> c.gate().isPresent());
        List<Block.Column> columns =
                COLUMNS.keySet().stream().filter(c -> gated || !c.equals(GATE)).toList();
        return new Block.Grid(
                columns,
                rows.stream()
                        .map(row -> columns.stream()
                                .map(column -> COLUMNS.get(column).apply(row))
                                .toList())
                        .toList());
    }
}

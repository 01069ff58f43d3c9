package io.trapline.report;

import io.trapline.analysis.CellResult;
import io.trapline.analysis.Comparison;
import io.trapline.analysis.Results;
import io.trapline.campaign.Cell;
import io.trapline.host.Workload;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** How many instructions an operation takes, where they were counted. */
final class PathLengths {
    private static final List<Block.Column> COLUMNS = List.of(
            new Block.Column("workload", false),
            new Block.Column("path", false),
            new Block.Column("instructions/op", true),
            new Block.Column("difference", true),
            new Block.Column("change", true),
            new Block.Column("finding", false));

    private PathLengths() {}

    static List<Block> blocks(Results results, Groups groups) {
        List<Block> blocks = new ArrayList<>();
        blocks.add(
                new Block.Paragraph("Path length, not time: instructions of a guest an operation, those of the kernel"
                        + " and of the loop. Differences are against "
                        + results.run().paths().get(0).name() + "."));
        for (Groups.Group group : groups.counted()) {
            List<List<String>> rows = new ArrayList<>();
            for (Workload workload : Workload.all()) {
                results.run()
                        .paths()
                        .forEach(path -> results.cells().stream()
                                .filter(c -> group.has(c.cell())
                                        && c.cell().path().equals(path.name())
                                        && c.cell().workload().equals(workload))
                                .forEach(c -> rows.add(row(results, c))));
            }
            if (groups.all().size() > 1) {
                blocks.add(new Block.Paragraph(groups.name("Counted", group) + ":"));
            }
            blocks.add(new Block.Grid(COLUMNS, rows));
            ComparisonGrids.notes(
                            results.comparisons().stream()
                                    .filter(c -> c.toFirst() && group.has(c.cell()))
                                    .toList(),
                            groups)
                    .ifPresent(blocks::add);
        }
        return blocks;
    }

    private static List<String> row(Results results, CellResult cell) {
        Optional<Comparison> comparison = toFirst(results, cell.cell());
        Optional<Double> difference = comparison.flatMap(c -> difference(cell, c));
        return List.of(
                cell.cell().workload().name(),
                cell.cell().path(),
                cell.instructions().isPresent()
                        ? Figures.fixed(cell.instructions().getAsDouble(), 1)
                        : Gaps.word(cell),
                difference.map(PathLengths::signed).orElse("-"),
                comparison.flatMap(PathLengths::change).orElse("-"),
                comparison.map(PathLengths::finding).orElse("-"));
    }

    /** What is to be said of a workload, a sentence a path. */
    static List<String> sentences(Results results, Groups.Group group, Workload workload) {
        return results.cells().stream()
                .filter(c -> group.has(c.cell()) && c.cell().workload().equals(workload))
                .flatMap(cell -> toFirst(results, cell.cell()).stream().map(c -> sentence(cell, c)))
                .toList();
    }

    private static String sentence(CellResult cell, Comparison comparison) {
        return "%s against %s is %s%s"
                .formatted(
                        cell.cell().path(),
                        comparison.baseline(),
                        finding(comparison),
                        difference(cell, comparison)
                                .map(d -> " (%s instructions/op, %s)"
                                        .formatted(signed(d), change(comparison).orElseThrow()))
                                .orElse(""));
    }

    private static Optional<Comparison> toFirst(Results results, Cell cell) {
        return results.comparisons().stream()
                .filter(c -> c.toFirst() && c.cell().equals(cell))
                .findFirst();
    }

    /** In instructions an operation; more is a longer path. */
    private static Optional<Double> difference(CellResult cell, Comparison comparison) {
        return comparison
                .estimate()
                .filter(e -> cell.instructions().isPresent())
                .map(e -> {
                    double instructions = cell.instructions().getAsDouble();
                    return instructions - instructions / e.ratio();
                });
    }

    private static Optional<String> change(Comparison comparison) {
        return comparison.estimate().map(e -> Figures.change(e.ratio()));
    }

    private static String signed(double difference) {
        String text = Figures.fixed(difference, 1);
        return difference > 0 ? "+" + text : text;
    }

    private static String finding(Comparison comparison) {
        return comparison.finding().words()
                + comparison.gate().map(gate -> ", gate " + gate.words()).orElse("");
    }
}

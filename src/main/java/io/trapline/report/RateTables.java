package io.trapline.report;

import io.trapline.analysis.CellResult;
import io.trapline.analysis.Results;
import io.trapline.analysis.Summary;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Rates in the shape that the kernel's mailing lists know: that of the loop around {@code bench} whose tables stand in
 * uprobe patches since 2024, byte for byte. A name, a count or a figure that does not fit widens its column in the
 * whole table.
 */
final class RateTables {
    private static final int NAME = 15;
    private static final int CPUS = 2;
    private static final int MEAN = 8;
    private static final int SD = 5;
    private static final int PER_CPU = 7;

    private final int name;
    private final int cpus;
    private final int mean;
    private final int sd;
    private final int perCpu;

    private RateTables(List<CellResult> cells) {
        name = widest(NAME, cells.stream().map(c -> c.cell().workload().name()));
        cpus = widest(
                CPUS, cells.stream().map(c -> String.valueOf(c.cell().cpus().size())));
        mean = widest(MEAN, rates(cells).map(s -> Figures.millions(s.mean())));
        sd = widest(SD, rates(cells).map(s -> Figures.millions(s.sd())));
        perCpu = widest(PER_CPU, cells.stream().flatMap(c -> c.rates().stream().map(s -> perCpu(c, s))));
    }

    static List<Block> blocks(Results results, Groups groups) {
        List<Block> blocks = new ArrayList<>();
        blocks.add(new Block.Paragraph("Millions of operations a second: mean ± sample standard deviation (n - 1) of"
                + " the interval rates of all valid trials."));
        for (Groups.Group group : groups.timed()) {
            results.run().paths().forEach(path -> {
                List<CellResult> cells = results.cells().stream()
                        .filter(c -> group.has(c.cell()) && c.cell().path().equals(path.name()))
                        .toList();
                if (!cells.isEmpty()) {
                    blocks.add(new Block.Verbatim(table(groups.marked(path.name(), group), cells)));
                }
            });
        }
        return blocks;
    }

    private static List<String> table(String title, List<CellResult> cells) {
        RateTables widths = new RateTables(cells);
        List<String> lines = new ArrayList<>(List.of(title, "-".repeat(title.length())));
        IntStream.range(0, cells.size()).forEach(i -> {
            if (i > 0
                    && !cells.get(i)
                            .cell()
                            .workload()
                            .equals(cells.get(i - 1).cell().workload())) {
                lines.add("");
            }
            lines.add(widths.row(cells.get(i)));
        });
        return lines;
    }

    private String row(CellResult cell) {
        String label = Figures.left(cell.cell().workload().name(), name) + " ("
                + Figures.right(String.valueOf(cell.cell().cpus().size()), cpus) + " cpus): ";
        return label + cell.rates().map(rates -> figures(cell, rates)).orElseGet(() -> "   " + Gaps.word(cell));
    }

    private String figures(CellResult cell, Summary rates) {
        String missing = cell.valid() == cell.trials().size()
                ? ""
                : "  (" + cell.valid() + " of " + cell.trials().size() + " trials)";
        return Figures.right(Figures.millions(rates.mean()), mean) + " ± "
                + Figures.right(Figures.millions(rates.sd()), sd) + "M/s  ("
                + Figures.right(perCpu(cell, rates), perCpu) + "M/s/cpu)" + missing;
    }

    private static String perCpu(CellResult cell, Summary rates) {
        return Figures.millions(rates.mean() / cell.cell().cpus().size());
    }

    private static Stream<Summary> rates(List<CellResult> cells) {
        return cells.stream().flatMap(c -> c.rates().stream());
    }

    private static int widest(int least, Stream<String> texts) {
        return Math.max(least, texts.mapToInt(String::length).max().orElse(0));
    }
}

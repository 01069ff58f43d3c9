package io.trapline.report;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.IntStream;

/** For a terminal and for mails: UTF-8, at most {@value #WIDTH} columns where the words allow it. */
public final class TextReport implements ReportFormat {
    private static final int WIDTH = 96;

    @Override
    public String fileName() {
        return "report.txt";
    }

    @Override
    public byte[] render(Report report) {
        StringBuilder out = new StringBuilder();
        heading(out, report.title());
        for (Report.Section section : report.sections()) {
            if (!section.title().isEmpty()) {
                heading(out, section.title());
            }
            section.blocks().forEach(block -> {
                block(out, block);
                out.append('\n');
            });
        }
        out.setLength(out.length() - 1);
        return out.toString().getBytes(StandardCharsets.UTF_8);
    }

    private static void heading(StringBuilder out, String title) {
        String plain = Plain.text(title);
        line(out, plain);
        line(out, "=".repeat(plain.length()));
        out.append('\n');
    }

    private static void block(StringBuilder out, Block block) {
        if (block instanceof Block.Paragraph paragraph) {
            wrapped(out, "", "", paragraph.text());
        } else if (block instanceof Block.Bullets bullets) {
            bullets.items().forEach(item -> wrapped(out, "- ", "  ", item));
        } else if (block instanceof Block.Facts facts) {
            facts(out, facts.facts());
        } else if (block instanceof Block.Verbatim verbatim) {
            verbatim.lines().forEach(text -> line(out, Plain.text(text)));
        } else if (block instanceof Block.Grid grid) {
            grid(out, grid);
        }
    }

    private static void facts(StringBuilder out, List<Block.Fact> facts) {
        int width = facts.stream().mapToInt(f -> f.label().length()).max().orElse(0) + 2;
        String blank = " ".repeat(width);
        for (Block.Fact fact : facts) {
            for (int i = 0; i < fact.values().size(); i++) {
                String label = i == 0 ? Figures.left(fact.label(), width) : blank;
                wrapped(out, label, blank + "  ", fact.values().get(i));
            }
        }
    }

    private static void grid(StringBuilder out, Block.Grid grid) {
        List<String> titles = grid.columns().stream().map(Block.Column::title).toList();
        int[] widths = IntStream.range(0, titles.size())
                .map(i -> Math.max(
                        titles.get(i).length(),
                        grid.rows().stream()
                                .mapToInt(row -> Plain.text(row.get(i)).length())
                                .max()
                                .orElse(0)))
                .toArray();
        row(out, grid.columns(), widths, titles);
        boolean grouped =
                grid.rows().stream().map(cells -> cells.get(0)).distinct().count()
                        < grid.rows().size();
        String group = grid.rows().isEmpty() ? "" : grid.rows().get(0).get(0);
        for (List<String> cells : grid.rows()) {
            if (grouped && !group.equals(cells.get(0))) {
                out.append('\n');
            }
            group = cells.get(0);
            row(out, grid.columns(), widths, cells);
        }
    }

    private static void row(StringBuilder out, List<Block.Column> columns, int[] widths, List<String> cells) {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < widths.length; i++) {
            String cell = Plain.text(cells.get(i));
            text.append(i == 0 ? "" : "  ")
                    .append(columns.get(i).number() ? Figures.right(cell, widths[i]) : Figures.left(cell, widths[i]));
        }
        line(out, text.toString().stripTrailing());
    }

    private static void wrapped(StringBuilder out, String first, String further, String text) {
        StringBuilder line = new StringBuilder(first);
        boolean empty = true;
        for (String word : Plain.text(text).split(" ", -1)) {
            if (!empty && line.length() + 1 + word.length() > WIDTH) {
                line(out, line.toString());
                line = new StringBuilder(further);
                empty = true;
            }
            line.append(empty ? "" : " ").append(word);
            empty = false;
        }
        line(out, line.toString());
    }

    private static void line(StringBuilder out, String text) {
        out.append(text).append('\n');
    }
}

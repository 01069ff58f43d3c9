package io.trapline.report;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.Collectors;

/** For issues and pull requests: GitHub's Markdown. Rates stay in their plain shape, ready for a commit message. */
public final class MarkdownReport implements ReportFormat {

    @Override
    public String fileName() {
        return "report.md";
    }

    @Override
    public byte[] render(Report report) {
        StringBuilder out =
                new StringBuilder("# ").append(escaped(report.title())).append("\n\n");
        for (Report.Section section : report.sections()) {
            if (!section.title().isEmpty()) {
                out.append("## ").append(escaped(section.title())).append("\n\n");
            }
            section.blocks().forEach(block -> {
                block(out, block);
                out.append('\n');
            });
        }
        out.setLength(out.length() - 1);
        return out.toString().getBytes(StandardCharsets.UTF_8);
    }

    private static void block(StringBuilder out, Block block) {
        if (block instanceof Block.Paragraph paragraph) {
            out.append(escaped(paragraph.text())).append('\n');
        } else if (block instanceof Block.Bullets bullets) {
            bullets.items().forEach(item -> item(out, "", item));
        } else if (block instanceof Block.Facts facts) {
            facts.facts().forEach(fact -> fact(out, fact));
        } else if (block instanceof Block.Verbatim verbatim) {
            // indented, since no text can end such a block early, as it can a fenced one
            verbatim.lines()
                    .forEach(text -> out.append(text.isEmpty() ? "" : "    " + Plain.text(text))
                            .append('\n'));
        } else if (block instanceof Block.Grid grid) {
            row(out, grid.columns().stream().map(Block.Column::title).toList());
            out.append(grid.columns().stream()
                    .map(c -> c.number() ? "---:" : "---")
                    .collect(Collectors.joining(" | ", "| ", " |\n")));
            grid.rows().forEach(cells -> row(out, cells));
        }
    }

    private static void fact(StringBuilder out, Block.Fact fact) {
        if (fact.values().size() == 1) {
            item(out, "**" + fact.label() + "**: ", fact.values().get(0));
            return;
        }
        out.append("- **").append(fact.label()).append("**\n");
        fact.values().forEach(value -> {
            out.append("  ");
            item(out, "", value);
        });
    }

    private static void item(StringBuilder out, String label, String text) {
        out.append("- ").append(label).append(escaped(text)).append('\n');
    }

    private static void row(StringBuilder out, List<String> cells) {
        out.append(cells.stream().map(MarkdownReport::escaped).collect(Collectors.joining(" | ", "| ", " |\n")));
    }

    /** Nothing in a text is mark-up. */
    private static String escaped(String text) {
        return Plain.text(text).replaceAll("([\\\\`*_|<>\\[\\]#~&])", "\\\\$1");
    }
}

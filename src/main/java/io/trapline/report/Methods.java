package io.trapline.report;

import io.trapline.analysis.Results;
import java.util.ArrayList;
import java.util.List;

/** How the figures came about, and how to get them again. */
final class Methods {
    private Methods() {}

    static List<Block> blocks(Results results, Groups groups) {
        List<Block> blocks = new ArrayList<>();
        blocks.add(new Block.Paragraph(results.method()));
        if (groups.counted().isEmpty() || !groups.timed().isEmpty()) {
            blocks.add(times());
        }
        results.economy()
                .ifPresent(e -> blocks.add(new Block.Paragraph("The run took "
                        + Figures.fixed(e.wallMs() / 1e3, 1) + " s for " + Figures.fixed(e.measuringMs() / 1e3, 1)
                        + " s of warm-up and measuring"
                        + (e.measuringMs() > 0
                                ? ": " + Figures.fixed((double) e.wallMs() / e.measuringMs(), 3) + " times as long."
                                : "."))));
        blocks.add(new Block.Paragraph(
                "Run " + results.run().run() + ", begun " + results.run().at() + ", trapline "
                        + results.run().version() + ", campaign file SHA-256 "
                        + results.run().sha256()
                        + ". All figures are computed from journal.jsonl beside this file; \"trapline report DIR\" on that"
                        + " directory writes the same bytes again."));
        return blocks;
    }

    /** What the findings on times mean. */
    private static Block times() {
        return new Block.Paragraph("\"faster\" and \"slower\": the interval excludes 1. \"same within 1%\": all of"
                + " it lies in 0.99 .. 1.01. \"undecided\": neither. Bounds that are more than 100 times apart are left to"
                + " report.json. Each interval stands for its row alone: of 20 rows without any difference, one is"
                + " expected to look faster or slower."
                + " Factors from few to many CPUs are compared in the same way. Rates use the stamps of the readings"
                + " (CLOCK_MONOTONIC of the host), never the nominal length of an interval, and no clock of the day."
                + " Different hosts, models and CPU sets are never averaged. Models are never compared, hosts only where"
                + " each path lives on one of its own, and the row says so.");
    }
}

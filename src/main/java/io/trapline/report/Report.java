package io.trapline.report;

import io.trapline.analysis.Results;
import java.util.ArrayList;
import java.util.List;

/**
 * What a report says, before it takes a format. It depends on the results alone: not on the time, the place, or the
 * machine that writes it.
 *
 * @param title the campaign's name
 * @param sections in reading order: the question and its answer first, then figures, then what they rest on
 * @param answers a line a workload: what the paths are against the first one, and how they scale
 * @param results the figures themselves, for formats that machines read
 */
public record Report(String title, List<Section> sections, List<String> answers, Results results) {
    public Report {
        answers = List.copyOf(answers);
        sections = List.copyOf(sections);
    }

    /**
     * Blocks under a title.
     *
     * @param title empty for the first section, which the report's own title heads
     */
    public record Section(String title, List<Block> blocks) {
        public Section {
            blocks = List.copyOf(blocks);
        }
    }

    /** The report of these results. */
    public static Report of(Results results) {
        Groups groups = Groups.of(results);
        List<Section> sections = new ArrayList<>();
        sections.add(new Section("", List.of(new Summing(results, groups).facts())));
        List<String> answers = new Answers(results, groups).sentences();
        sections.add(new Section(
                "Answer",
                List.of(
                        answers.isEmpty()
                                ? new Block.Paragraph("None: nothing was measured.")
                                : new Block.Bullets(answers))));
        if (!results.joints().isEmpty()) {
            sections.add(new Section("Together", Togethers.blocks(results)));
        }
        if (!groups.counted().isEmpty()) {
            sections.add(new Section("Path length", PathLengths.blocks(results, groups)));
        }
        if (!groups.timed().isEmpty() || groups.all().isEmpty()) {
            sections.add(new Section("Rates", RateTables.blocks(results, groups)));
            sections.add(new Section("Comparison", ComparisonGrids.blocks(results, groups)));
        }
        sections.add(new Section("Evidence", Evidence.blocks(results, groups)));
        List<Block> gaps = Gaps.blocks(results, groups);
        if (!gaps.isEmpty()) {
            sections.add(new Section("Missing and invalid", gaps));
        }
        if (!results.remarks().isEmpty()) {
            sections.add(new Section("Remarks", List.of(new Block.Bullets(results.remarks()))));
        }
        sections.add(new Section("Noise", Noises.blocks(results, groups)));
        sections.add(new Section("Method", Methods.blocks(results, groups)));
        return new Report(results.run().campaign(), sections, answers, results);
    }
}

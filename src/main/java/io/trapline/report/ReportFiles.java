package io.trapline.report;

import io.trapline.analysis.Analysis;
import io.trapline.journal.AtomicFile;
import io.trapline.journal.Journal;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** Writes a run's reports. */
public final class ReportFiles {
    private static final List<ReportFormat> FORMATS =
            List.of(new TextReport(), new MarkdownReport(), new JsonReport(), new CsvReport());

    private ReportFiles() {}

    /**
     * Computes the report of a journal and writes it in all formats.
     *
     * @param directory that exists
     * @return the report, for its verdict and for the terminal
     * @throws IOException naming the file that can't be written; each file is the old one or the new one, whole
     */
    public static Report write(Path directory, Journal journal) throws IOException {
        Report report = Report.of(Analysis.of(journal));
        for (ReportFormat format : FORMATS) {
            AtomicFile.write(directory.resolve(format.fileName()), format.render(report));
        }
        return report;
    }
}

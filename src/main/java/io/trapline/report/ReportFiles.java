package io.trapline.report;

import io.trapline.journal.AtomicFile;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** Writes a run's reports. */
public final class ReportFiles {
    private static final List<ReportFormat> FORMATS =
            List.of(new TextReport(), new MarkdownReport(), new JsonReport(), new CsvReport());

    private ReportFiles() {}

    /**
     * Writes a report in all formats.
     *
     * @param directory that exists
     * @throws IOException naming the file that can't be written; each file is the old one or the new one, whole
     */
    public static void write(Path directory, Report report) throws IOException {
        for (ReportFormat format : FORMATS) {
            AtomicFile.write(directory.resolve(format.fileName()), format.render(report));
        }
    }
}

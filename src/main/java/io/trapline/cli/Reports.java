package io.trapline.cli;

import io.trapline.analysis.Analysis;
import io.trapline.journal.Journal;
import io.trapline.journal.RunDirectory;
import io.trapline.report.Report;
import io.trapline.report.ReportFiles;
import io.trapline.report.TextReport;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/** Makes the report of a run's directory from its journal, into its files and onto the terminal. */
final class Reports {
    private final PrintWriter out;

    Reports(PrintWriter out) {
        this.out = out;
    }

    /**
     * Prints the text, writes all formats, and says what the run is worth. The text comes first: a disk that is full
     * keeps nobody from reading.
     */
    ExitCode write(Path directory, Journal journal) throws IOException {
        Report report = print(journal);
        ReportFiles.write(directory, report);
        return ExitCode.of(report.results().outcome().exitCode());
    }

    /** Prints the text alone. */
    Report print(Journal journal) {
        Report report = Report.of(Analysis.of(journal));
        out.print(new String(new TextReport().render(report), StandardCharsets.UTF_8));
        out.flush();
        return report;
    }

    /** The same for a run whose journal is still to be read. */
    ExitCode write(Path directory) throws IOException {
        return write(directory, RunDirectory.read(directory));
    }
}

package io.trapline.report;

/** One way to write a report down. */
public interface ReportFormat {
    /** The file's name in the run's directory. */
    String fileName();

    /** The file's content. The same report gives the same bytes on every machine. */
    byte[] render(Report report);
}

package io.trapline.http;

import java.util.Arrays;
import java.util.Optional;
import java.util.stream.Collectors;

/** A file of a run that can be fetched. */
public enum RunFile {
    CAMPAIGN("campaign.yaml", "application/yaml"),
    JOURNAL("journal.jsonl", "application/jsonl"),
    TEXT("report.txt", "text/plain; charset=UTF-8"),
    MARKDOWN("report.md", "text/markdown; charset=UTF-8"),
    JSON("report.json", "application/json"),
    CSV("report.csv", "text/csv; charset=UTF-8");

    private final String fileName;
    private final String contentType;

    RunFile(String fileName, String contentType) {
        this.fileName = fileName;
        this.contentType = contentType;
    }

    /** The one of that name; empty when it is none of them. */
    static Optional<RunFile> named(String fileName) {
        return Arrays.stream(values()).filter(f -> f.fileName.equals(fileName)).findFirst();
    }

    /** All names, for messages. */
    static String names() {
        return Arrays.stream(values()).map(RunFile::fileName).collect(Collectors.joining(", "));
    }

    /** Its name in the run's directory and in the API. */
    public String fileName() {
        return fileName;
    }

    String contentType() {
        return contentType;
    }

    /** Whether it is there only after the run's end. */
    public boolean isReport() {
        return this != CAMPAIGN && this != JOURNAL;
    }
}

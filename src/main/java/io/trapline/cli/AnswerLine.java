package io.trapline.cli;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.util.List;
import java.util.stream.Stream;

/** A run's result in one line, for those who show no more: a pod's termination message, a line of a chat. */
final class AnswerLine {
    private static final JsonMapper JSON = new JsonMapper();

    private AnswerLine() {}

    /** The part of {@code report.json} that is said. */
    @JsonIgnoreProperties(ignoreUnknown = true)
    private record Said(String verdict, List<String> reasons, List<String> answers) {}

    /**
     * The line of a report: verdict, its reasons, and an answer a workload.
     *
     * @param report a {@code report.json}
     * @throws IOException when it is none
     */
    static String of(byte[] report) throws IOException {
        Said said = JSON.readValue(report, Said.class);
        String why = said.reasons().isEmpty() ? "" : " (" + String.join("; ", said.reasons()) + ")";
        String answers = String.join(" ", said.answers());
        return oneLine(Stream.of(said.verdict() + why, answers)
                .filter(s -> !s.isEmpty())
                .toList());
    }

    /** Several lines as one. */
    static String oneLine(List<String> lines) {
        return String.join(": ", lines).replaceAll("\\s+", " ").strip();
    }
}

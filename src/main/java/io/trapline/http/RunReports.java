package io.trapline.http;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.type.TypeReference;
import io.trapline.analysis.Analysis;
import io.trapline.cluster.Campaigns;
import io.trapline.cluster.RunEvent;
import io.trapline.journal.JournalException;
import io.trapline.journal.RunDirectory;
import io.trapline.report.Report;
import io.trapline.report.ReportFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.ConcurrentHashMap;

/** The reports of runs: written when a run ends, read later. Everything here waits for a disk. */
final class RunReports {
    private static final int BAD_INPUT = 1;
    private static final int INCOMPLETE = 4;
    private static final int NO_HOSTS = 5;

    /** Of runs that have ended: it does not change any more. */
    private final Map<String, Integer> exitCodes = new ConcurrentHashMap<>();

    /**
     * Writes the reports of a run that has ended, unless they are there.
     *
     * @return what a command that followed the run ends with
     * @throws IOException when they can't be written
     */
    int finish(String id, Path directory, RunEvent last) throws IOException {
        Integer known = exitCodes.get(id);
        if (known != null) {
            return known;
        }
        int code = hasJournal(directory) ? reported(directory) : INCOMPLETE;
        if (last instanceof RunEvent.Refused refused) {
            code = refused.cause() == RunEvent.Refused.Cause.NO_HOSTS ? NO_HOSTS : BAD_INPUT;
        } else if (((RunEvent.Finished) last).ending() == RunEvent.Finished.Ending.JOURNAL_FAILED) {
            code = BAD_INPUT;
        }
        exitCodes.put(id, code);
        return code;
    }

    /** The exit code of a run; empty before its end, or when its report can't be had. */
    OptionalInt exitCode(Campaigns.Run run) {
        if (run.last().isEmpty()) {
            return OptionalInt.empty();
        }
        try {
            return OptionalInt.of(finish(run.id(), run.directory(), run.last().get()));
        } catch (IOException e) {
            return OptionalInt.empty();
        }
    }

    /** What an ended run measured; nothing when it has no report. */
    List<CellRate> cells(Path directory) throws IOException {
        try {
            ReportJson report =
                    Json.read(Files.readString(directory.resolve(RunFile.JSON.fileName())), new TypeReference<>() {});
            return RunTally.cells(report.cells().stream()
                    .flatMap(cell -> cell.trials().stream()
                            .flatMap(trial -> trial.rate().stream())
                            .map(rate -> new RunTally.Result(cell.name(), rate)))
                    .toList());
        } catch (NoSuchFileException e) {
            return List.of();
        }
    }

    /** What the journal of a run that goes on holds so far: results by trial. */
    Map<String, RunTally.Result> measured(Path directory) throws IOException {
        Map<String, RunTally.Result> results = new LinkedHashMap<>();
        if (hasJournal(directory)) {
            Analysis.of(RunDirectory.read(directory)).cells().stream()
                    .flatMap(cell -> cell.trials().stream())
                    .forEach(trial -> trial.measured()
                            .ifPresent(m -> results.put(
                                    trial.planned().trial(),
                                    new RunTally.Result(
                                            CellName.of(trial.planned().cell()), m.rate()))));
        }
        return results;
    }

    /** A run that was taken from the queue, or refused, has none. */
    private static boolean hasJournal(Path directory) throws IOException {
        Path journal = directory.resolve(RunFile.JOURNAL.fileName());
        return Files.exists(journal) && Files.size(journal) > 0;
    }

    private static int reported(Path directory) throws IOException {
        boolean written = Arrays.stream(RunFile.values())
                .filter(RunFile::isReport)
                .allMatch(file -> Files.exists(directory.resolve(file.fileName())));
        if (written) {
            return exitCode(directory.resolve(RunFile.JSON.fileName()));
        }
        try {
            Report report = Report.of(Analysis.of(RunDirectory.read(directory)));
            ReportFiles.write(directory, report);
            return report.results().outcome().exitCode();
        } catch (JournalException e) {
            return INCOMPLETE; // what is wrong with the journal keeps all that it says out of reports
        }
    }

    /** Stands among the first fields, so that a long report is not read to its end. */
    private static int exitCode(Path json) throws IOException {
        try (JsonParser parser = new JsonFactory().createParser(json.toFile())) {
            for (JsonToken token = parser.nextToken(); token != null; token = parser.nextToken()) {
                if (token == JsonToken.VALUE_NUMBER_INT && parser.currentName().equals("exitCode")) {
                    return parser.getIntValue();
                }
            }
        }
        throw new IOException(json + " holds no exitCode");
    }

    /** The part of {@code report.json} that is of use here. */
    private record ReportJson(List<Row> cells) {}

    private record Row(
            String path, String workload, String model, int cpus, String cpuList, String host, List<Trial> trials) {
        private CellName name() {
            return new CellName(path, workload, model, cpus, cpuList, host);
        }
    }

    private record Trial(Optional<Double> rate) {}
}

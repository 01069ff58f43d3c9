package io.trapline.cluster;

import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.datatype.jdk8.Jdk8Module;
import io.trapline.campaign.Campaign;
import io.trapline.campaign.CampaignException;
import io.trapline.campaign.CampaignReader;
import io.trapline.campaign.Problem;
import io.trapline.journal.AtomicFile;
import io.trapline.journal.RunDirectory;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Every run that a coordinator was given, in {@code runs.json} below its data directory and each in a directory of its
 * own beside it, so that another coordinator can go on with them. For one thread at a time.
 */
final class RunBook {
    private static final String FILE = "runs.json";

    private static final ObjectMapper JSON =
            JsonMapper.builder().addModule(new Jdk8Module()).build();

    private final Path data;
    private final String version;
    private final Map<String, Campaigns.Run> runs = new LinkedHashMap<>();
    private final Map<String, RunDirectory> open = new LinkedHashMap<>();

    private RunBook(Path data, String version) {
        this.data = data;
        this.version = version;
    }

    /** A run as the file has it; the directory is known by the id. */
    private record Line(
            String id,
            String campaign,
            Campaigns.State state,
            String submitted,
            int done,
            int planned,
            Optional<RunEvent.Refused> refused,
            Optional<RunEvent.Finished> finished) {
        static Line of(Campaigns.Run run) {
            return new Line(
                    run.id(),
                    run.campaign(),
                    run.state(),
                    run.submitted().toString(),
                    run.done(),
                    run.planned(),
                    run.last().filter(RunEvent.Refused.class::isInstance).map(RunEvent.Refused.class::cast),
                    run.last().filter(RunEvent.Finished.class::isInstance).map(RunEvent.Finished.class::cast));
        }

        Campaigns.Run run(Path directory) {
            Optional<RunEvent> last = refused.map(RunEvent.class::cast).or(() -> finished);
            return new Campaigns.Run(id, campaign, state, Instant.parse(submitted), done, planned, last, directory);
        }
    }

    /**
     * The book of that directory, which is made if need be.
     *
     * @param version of the program, for the journals
     * @throws IOException naming the file that can't be read
     */
    static RunBook in(Path data, String version) throws IOException {
        RunBook book = new RunBook(data, version);
        Path file = data.resolve(FILE);
        if (Files.exists(file)) {
            try {
                for (Line line : JSON.readValue(Files.readAllBytes(file), new TypeReference<List<Line>>() {})) {
                    book.runs.put(line.id(), line.run(book.directory(line.id())));
                }
            } catch (com.fasterxml.jackson.core.JacksonException e) {
                throw new IOException(file + " is no list of runs: " + e.getOriginalMessage(), e);
            }
        }
        return book;
    }

    private Path directory(String id) {
        return data.resolve("runs").resolve(id);
    }

    /** Every run, the newest first. */
    List<Campaigns.Run> all() {
        List<Campaigns.Run> all = new ArrayList<>(runs.values());
        Collections.reverse(all);
        return all;
    }

    Optional<Campaigns.Run> find(String id) {
        return Optional.ofNullable(runs.get(id));
    }

    /**
     * Takes a new run in; it is on disk when this returns.
     *
     * @throws IOException naming the file that can't be written
     */
    Submission add(String id, Campaign campaign, String text) throws IOException {
        Submission submission = submission(id, campaign, text, false);
        put(new Campaigns.Run(
                id, campaign.name(), Campaigns.State.QUEUED, Instant.now(), 0, 0, Optional.empty(), directory(id)));
        return submission;
    }

    /**
     * Whether the run has that very campaign file.
     *
     * @throws IOException naming the file that can't be read
     */
    boolean isOf(String id, String text) throws IOException {
        return Files.readString(directory(id).resolve("campaign.yaml")).equals(text);
    }

    private Submission submission(String id, Campaign campaign, String text, boolean resume) throws IOException {
        byte[] file = text.getBytes(StandardCharsets.UTF_8);
        RunDirectory directory = RunDirectory.open(directory(id), campaign.name(), file, resume);
        open.put(id, directory);
        return new Submission(
                campaign,
                id,
                RunDirectory.sha256(file),
                version,
                directory.journal(),
                directory.earlier().map(Earlier::of).orElse(Earlier.NOTHING));
    }

    /**
     * The runs that an earlier coordinator left unfinished, in their order. One whose campaign this program can't read any
     * more ends as refused.
     *
     * @throws IOException naming the file that can't be used
     */
    List<Submission> unfinished() throws IOException {
        List<Submission> unfinished = new ArrayList<>();
        for (Campaigns.Run run : List.copyOf(runs.values())) {
            if (run.state() != Campaigns.State.ENDED) {
                Path file = run.directory().resolve("campaign.yaml");
                String text = Files.readString(file);
                try {
                    unfinished.add(submission(run.id(), CampaignReader.parse(file.toString(), text), text, true));
                } catch (CampaignException e) {
                    end(
                            run.id(),
                            new RunEvent.Refused(
                                    RunEvent.Refused.Cause.BAD_INPUT,
                                    e.problems().stream().map(Problem::toString).toList()));
                }
            }
        }
        return unfinished;
    }

    /**
     * Notes what happened to a run, but for its end.
     *
     * @throws IOException naming the file that can't be written
     */
    void note(String id, RunEvent event) throws IOException {
        Campaigns.Run run = runs.get(id);
        if (event instanceof RunEvent.Accepted accepted) {
            int planned = accepted.plan().trials().size();
            put(with(run, Campaigns.State.RUNNING, planned - accepted.toRun(), planned, Optional.empty()));
        } else if (event instanceof RunEvent.TrialEnded ended && ended.failure().isEmpty()) {
            runs.put(id, with(run, run.state(), run.done() + 1, run.planned(), Optional.empty()));
        }
    }

    /**
     * A run has ended.
     *
     * @throws IOException naming the file that can't be written
     */
    void end(String id, RunEvent last) throws IOException {
        Campaigns.Run run = runs.get(id);
        put(with(run, Campaigns.State.ENDED, run.done(), run.planned(), Optional.of(last)));
        close(id);
    }

    private static Campaigns.Run with(
            Campaigns.Run run, Campaigns.State state, int done, int planned, Optional<RunEvent> last) {
        return new Campaigns.Run(
                run.id(), run.campaign(), state, run.submitted(), done, planned, last, run.directory());
    }

    private void put(Campaigns.Run run) throws IOException {
        runs.put(run.id(), run);
        AtomicFile.write(
                data.resolve(FILE),
                JSON.writerWithDefaultPrettyPrinter()
                        .writeValueAsBytes(runs.values().stream().map(Line::of).toList()));
    }

    private void close(String id) throws IOException {
        RunDirectory directory = open.remove(id);
        if (directory != null) {
            directory.close();
        }
    }

    /** Gives all journals free. */
    void close() throws IOException {
        for (String id : List.copyOf(open.keySet())) {
            close(id);
        }
    }
}

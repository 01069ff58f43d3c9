package io.trapline.cli;

import io.trapline.campaign.Campaign;
import io.trapline.cluster.Earlier;
import io.trapline.cluster.LocalCluster;
import io.trapline.cluster.RunEvent;
import io.trapline.cluster.Submission;
import io.trapline.host.HostProfile;
import io.trapline.http.ApiEvent;
import io.trapline.journal.Journal;
import io.trapline.journal.RunDirectory;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/** A campaign on this machine, from its directory to its report. */
final class LocalRun {
    private final Campaign campaign;
    private final Path file;
    private final String text;
    private final PrintWriter out;
    private final PrintWriter err;

    /**
     * @param file the campaign's
     * @param text what is in it
     * @param out for the report
     * @param err for all else
     */
    LocalRun(Campaign campaign, Path file, String text, PrintWriter out, PrintWriter err) {
        this.campaign = campaign;
        this.file = file;
        this.text = text;
        this.out = out;
        this.err = err;
    }

    /** Measures into that directory and writes the report, however the run ends. */
    ExitCode run(Path directory, boolean resume, LocalHosts.Opener opener) throws IOException, CommandFailure {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        try (RunDirectory kept = RunDirectory.open(directory, campaign.name(), bytes, resume);
                LocalHosts hosts = opener.open(kept.path());
                LocalCluster cluster = LocalCluster.start(hosts.hosts())) {
            kept.journal().mended().ifPresent(this::say);
            if (resume && kept.earlier().isEmpty()) {
                say(directory + " holds no trial yet: all are to be measured");
            }
            Submission submission = new Submission(
                    campaign,
                    kept.earlier()
                            .map(e -> e.run().run())
                            .orElseGet(() -> UUID.randomUUID().toString()),
                    RunDirectory.sha256(bytes),
                    Version.text(),
                    kept.journal(),
                    kept.earlier().map(Earlier::of).orElse(Earlier.NOTHING));
            CompletableFuture<RunEvent> last = new CompletableFuture<>();
            cluster.submit(submission, follower(last, hosts.profiles()));
            Interrupt interrupt = Interrupt.watch(() -> cluster.cancel(submission.run(), "interrupted"), last);
            ExitCode code = ExitCode.BAD_INPUT;
            try {
                code = finish(last.join(), kept); // the run's own deadlines end it
            } catch (CommandFailure failure) {
                failure.print(err);
                code = failure.exitCode();
            } finally {
                interrupt.done(code);
            }
            return code;
        }
    }

    private Consumer<RunEvent> follower(CompletableFuture<RunEvent> last, List<HostProfile> hosts) {
        Progress progress = new Progress(err, Terminal.columns(), false, hosts);
        return event -> {
            progress.on(ApiEvent.of(event, ExitCode.FINE.code()));
            if (event instanceof RunEvent.Refused || event instanceof RunEvent.Finished) {
                last.complete(event);
            }
        };
    }

    private ExitCode finish(RunEvent last, RunDirectory kept) throws IOException, CommandFailure {
        if (last instanceof RunEvent.Refused refused) {
            throw new CommandFailure(
                    refused.cause() == RunEvent.Refused.Cause.NO_HOSTS ? ExitCode.NO_HOSTS : ExitCode.BAD_INPUT,
                    refused.problems());
        }
        RunEvent.Finished finished = (RunEvent.Finished) last;
        Path directory = kept.path();
        boolean unwritable = finished.ending() == RunEvent.Finished.Ending.JOURNAL_FAILED;
        if (kept.journal().isEmpty()) {
            throw new CommandFailure(
                    unwritable ? ExitCode.BAD_INPUT : ExitCode.INCOMPLETE,
                    finished.reason() + " before anything was measured");
        }
        if (unwritable) {
            new Reports(out).print(RunDirectory.read(directory));
            throw new CommandFailure(
                    ExitCode.BAD_INPUT,
                    List.of(
                            finished.reason(),
                            "the report above is of what is on disk; once it can be written, "
                                    + resumption(directory)));
        }
        if (finished.ending() != RunEvent.Finished.Ending.COMPLETE) {
            say("the run was ended early: " + finished.reason() + "; " + resumption(directory));
        }
        Journal journal = RunDirectory.read(directory);
        ExitCode code = new Reports(out).write(directory, journal);
        sayWallTime(journal);
        say("report: " + directory.resolve("report.txt"));
        return code;
    }

    private String resumption(Path directory) {
        return "trapline run " + file + " --resume --out " + directory + " measures the rest";
    }

    private void sayWallTime(Journal journal) {
        Duration wall = Duration.between(Terminal.started(), Instant.now());
        journal.ended().filter(ended -> ended.measuringMs() > 0).ifPresent(ended -> {
            double measuring = ended.measuringMs() / 1000.0;
            double seconds = wall.toMillis() / 1000.0;
            say(String.format(
                    Locale.ROOT,
                    "wall time %.1f s, starting up and reporting included, for %.1f s of warm-up and measuring: %.3f times"
                            + " as long",
                    seconds,
                    measuring,
                    seconds / measuring));
        });
    }

    private void say(String line) {
        err.println(line);
        err.flush();
    }
}

package io.trapline.cli;

import io.trapline.campaign.CampaignException;
import io.trapline.campaign.CampaignReader;
import io.trapline.campaign.Problem;
import io.trapline.http.ApiEvent;
import io.trapline.http.ClientException;
import io.trapline.http.CoordinatorClient;
import io.trapline.http.RunFile;
import io.trapline.http.RunFollower;
import io.trapline.journal.JournalRecord;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code trapline submit}: has a coordinator measure a campaign. */
@Command(
        name = "submit",
        description = "Has a coordinator measure a campaign, follows it, prints the report, and ends with the"
                + " campaign's exit code.",
        mixinStandardHelpOptions = true)
final class SubmitCommand implements Callable<Integer> {
    /** A coordinator that restarts is back long before; one that is away for longer needs somebody. */
    private static final Duration PATIENCE = Duration.ofMinutes(10);

    /** Between two looks for a coordinator that is not there. */
    private static final Duration PAUSE = Duration.ofSeconds(2);

    @Parameters(paramLabel = "CAMPAIGN", description = "The campaign file (YAML).")
    private Path campaignFile;

    @Option(
            names = "--run",
            paramLabel = "ID",
            description = "The run's id: a-z, 0-9 and -. If the coordinator has that very run, it is followed and not"
                    + " run again. Default: a new id.")
    private Optional<String> wanted = Optional.empty();

    @Option(
            names = "--wait",
            paramLabel = "SECONDS",
            defaultValue = "0",
            description = "How long to wait for a coordinator that is not there; needs --run, so that nothing is run"
                    + " twice. Default: ${DEFAULT-VALUE}.")
    private long waitSeconds;

    @Option(
            names = "--answer",
            paramLabel = "FILE",
            description = "Write the answer in one line to this file; if there is none, why.")
    private Optional<Path> answer = Optional.empty();

    @Mixin
    private CoordinatorOptions coordinator;

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() throws CommandFailure, ClientException, IOException, InterruptedException {
        if (waitSeconds > 0 && wanted.isEmpty()) {
            throw new CommandFailure(ExitCode.BAD_INPUT, "--wait needs --run ID as well");
        }
        try {
            return submit();
        } catch (CommandFailure e) {
            answer(e.lines());
            throw e;
        } catch (ClientException e) {
            answer(e.lines());
            throw e;
        }
    }

    /** In place, not by renaming: a pod's termination message is a mount. */
    private void answer(List<String> lines) throws IOException {
        if (answer.isPresent()) {
            Files.writeString(answer.get(), AnswerLine.oneLine(lines) + "\n");
        }
    }

    private int submit() throws CommandFailure, ClientException, IOException, InterruptedException {
        CoordinatorClient client = coordinator.client();
        Progress progress = new Progress(spec.commandLine().getErr(), Terminal.columns(), true, List.of());
        String run = queue(client, text(), progress);
        progress.say("run " + run + " is in the queue; Ctrl-C ends this command, not the run: trapline cancel " + run
                + " " + coordinator.spelled());
        ApiEvent last = new RunFollower(client, PATIENCE).follow(run, new RunFollower.Listener() {
            @Override
            public void on(ApiEvent event) {
                progress.on(event);
            }

            @Override
            public void onLost(String reason) {
                progress.say("lost the coordinator, trying again: " + reason);
            }
        });
        return finish(client, run, last, progress);
    }

    /** The run's id, from a coordinator that may have to be waited for. */
    private String queue(CoordinatorClient client, String text, Progress progress)
            throws ClientException, InterruptedException {
        long begun = System.nanoTime();
        while (true) {
            try {
                return client.submit(wanted, campaignFile.toString(), text);
            } catch (ClientException e) {
                if (e.kind() != ClientException.Kind.NO_CONNECTION
                        || System.nanoTime() - begun
                                >= Duration.ofSeconds(waitSeconds).toNanos()) {
                    throw e;
                }
                progress.say("waiting for the coordinator: " + e.lines().get(0));
                Thread.sleep(PAUSE.toMillis());
            }
        }
    }

    private String text() throws CommandFailure {
        try {
            return CampaignReader.text(campaignFile);
        } catch (CampaignException e) {
            throw new CommandFailure(
                    ExitCode.BAD_INPUT,
                    e.problems().stream().map(Problem::toString).toList());
        }
    }

    private int finish(CoordinatorClient client, String run, ApiEvent last, Progress progress)
            throws CommandFailure, ClientException, IOException {
        if (last instanceof ApiEvent.Refused refused) {
            throw new CommandFailure(ExitCode.of(refused.exitCode()), refused.problems());
        }
        ApiEvent.Finished finished = (ApiEvent.Finished) last;
        if (!finished.reason().equals(JournalRecord.Ended.COMPLETE)) {
            progress.say("the run was ended early: " + finished.reason());
        }
        PrintWriter out = spec.commandLine().getOut();
        try {
            out.print(new String(client.file(run, RunFile.TEXT), StandardCharsets.UTF_8));
            out.flush();
            answer(List.of(AnswerLine.of(client.file(run, RunFile.JSON))));
            progress.say("all files: trapline fetch " + run + " DIR " + coordinator.spelled());
        } catch (ClientException e) {
            if (e.kind() != ClientException.Kind.NOT_FOUND) {
                throw e;
            }
            progress.say("nothing was measured, so there is no report");
            answer(List.of("nothing was measured", finished.reason()));
        }
        return finished.exitCode();
    }
}

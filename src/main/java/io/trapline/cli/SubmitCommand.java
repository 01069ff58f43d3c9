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
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
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

    @Parameters(paramLabel = "CAMPAIGN", description = "The campaign file (YAML).")
    private Path campaignFile;

    @Mixin
    private CoordinatorOptions coordinator;

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() throws CommandFailure, ClientException, IOException {
        CoordinatorClient client = coordinator.client();
        String run = client.submit(campaignFile.toString(), text());
        Progress progress = new Progress(spec.commandLine().getErr(), Terminal.columns(), true);
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
            throws CommandFailure, ClientException {
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
            progress.say("all files: trapline fetch " + run + " DIR " + coordinator.spelled());
        } catch (ClientException e) {
            if (e.kind() != ClientException.Kind.NOT_FOUND) {
                throw e;
            }
            progress.say("nothing was measured, so there is no report");
        }
        return finished.exitCode();
    }
}

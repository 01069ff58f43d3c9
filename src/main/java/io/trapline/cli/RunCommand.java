package io.trapline.cli;

import io.trapline.campaign.Campaign;
import io.trapline.campaign.CampaignException;
import io.trapline.campaign.CampaignReader;
import io.trapline.campaign.NoHostException;
import io.trapline.campaign.Plan;
import io.trapline.campaign.Planner;
import io.trapline.campaign.Problem;
import io.trapline.cluster.Earlier;
import io.trapline.host.Host;
import io.trapline.host.LocalHost;
import io.trapline.journal.RunDirectory;
import io.trapline.trigger.TriggerException;
import io.trapline.trigger.TriggerProgram;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code trapline run}: measures a campaign on this machine. */
@Command(
        name = "run",
        description = "Measures a campaign on this machine, prints the report and writes its files.",
        mixinStandardHelpOptions = true)
final class RunCommand implements Callable<Integer> {
    @Parameters(paramLabel = "CAMPAIGN", description = "The campaign file (YAML).")
    private Path campaignFile;

    @Option(
            names = "--out",
            paramLabel = "DIR",
            description = "Where the run's files go. Default: out/NAME-TIME below the current directory.")
    private Optional<Path> out = Optional.empty();

    @Option(
            names = "--resume",
            description = "Go on with an earlier run of this campaign, in --out or the newest below out/:"
                    + " only what is missing is measured.")
    private boolean resume;

    @Option(names = "--dry-run", description = "Print what would be run, in order, and how long it takes.")
    private boolean dryRun;

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() throws CommandFailure, IOException {
        try {
            String text = CampaignReader.text(campaignFile);
            Campaign campaign = CampaignReader.parse(campaignFile.toString(), text);
            try (Host host = LocalHost.open(TriggerProgram.find())) {
                Plan plan = Planner.plan(campaign, List.of(host.profile())); // all is checked before anything is made
                Path directory = new OutputChoice(out, resume).directory(campaign.name());
                if (dryRun) {
                    Earlier earlier = resume ? Earlier.of(RunDirectory.read(directory)) : Earlier.NOTHING;
                    new PlanText(plan, earlier.done()).lines().forEach(print()::println);
                    return ExitCode.FINE.code();
                }
                return new LocalRun(campaign, text, print(), spec.commandLine().getErr())
                        .run(directory, resume, host)
                        .code();
            }
        } catch (CampaignException e) {
            throw new CommandFailure(
                    ExitCode.BAD_INPUT,
                    e.problems().stream().map(Problem::toString).toList());
        } catch (NoHostException e) {
            throw new CommandFailure(ExitCode.NO_HOSTS, e.getMessage());
        } catch (TriggerException e) {
            throw CommandFailure.of(e);
        }
    }

    private PrintWriter print() {
        return spec.commandLine().getOut();
    }
}

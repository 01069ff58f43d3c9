package io.trapline.cli;

import io.trapline.campaign.Campaign;
import io.trapline.campaign.CampaignException;
import io.trapline.campaign.CampaignReader;
import io.trapline.campaign.NoHostException;
import io.trapline.campaign.Plan;
import io.trapline.campaign.Planner;
import io.trapline.campaign.Problem;
import io.trapline.cluster.Claim;
import io.trapline.cluster.Earlier;
import io.trapline.journal.RunDirectory;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
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
    private static final Pattern OVERRIDE = Pattern.compile("([^:]+):kernel=(.+)");

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
                    + " only what is missing or invalid is measured.")
    private boolean resume;

    @Option(names = "--dry-run", description = "Print what would be run, in order, and how long it takes.")
    private boolean dryRun;

    @Option(
            names = "--path",
            paramLabel = "NAME:kernel=FILE",
            description = "The kernel of a path, in place of the campaign's: a file or debian:VERSION. Repeatable.")
    private List<String> paths = List.of();

    @Mixin
    private SimulatedOption simulated = new SimulatedOption();

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() throws CommandFailure, IOException {
        try {
            String text = CampaignReader.text(campaignFile);
            Campaign campaign = CampaignReader.parse(campaignFile.toString(), text, kernels());
            LocalHosts.checkKernels(campaign); // before anything is started or made
            return simulated.isGiven() ? planOrRun(campaign, text) : claimed(campaign, text);
        } catch (CampaignException e) {
            throw new CommandFailure(
                    ExitCode.BAD_INPUT,
                    e.problems().stream().map(Problem::toString).toList());
        } catch (NoHostException e) {
            throw new CommandFailure(ExitCode.NO_HOSTS, e.getMessage());
        }
    }

    /** Already what a host can measure is found out by measuring. */
    @SuppressWarnings("try") // the claim is held, not used
    private int claimed(Campaign campaign, String text)
            throws CommandFailure, IOException, CampaignException, NoHostException {
        try (Claim machine = ThisMachine.take((dryRun ? "the plan of " : "a run of ") + campaign.name())) {
            return planOrRun(campaign, text);
        }
    }

    private int planOrRun(Campaign campaign, String text)
            throws CommandFailure, IOException, CampaignException, NoHostException {
        if (dryRun) {
            return printPlan(campaign);
        }
        if (LocalHosts.needsGuests(campaign)) {
            // What a guest's CPUs are is known when it runs, and its console belongs into the run's directory.
            return run(campaign, text, consoles -> open(campaign, consoles));
        }
        try (LocalHosts hosts = open(campaign, Path.of("."))) {
            Planner.plan(campaign, hosts.profiles()); // all is checked before anything is made
            return run(campaign, text, consoles -> hosts);
        }
    }

    private LocalHosts open(Campaign campaign, Path consoles) throws CommandFailure, IOException {
        return simulated.isGiven() ? LocalHosts.simulated(simulated) : LocalHosts.open(campaign, consoles, this::say);
    }

    private int run(Campaign campaign, String text, LocalHosts.Opener opener) throws CommandFailure, IOException {
        Path directory = new OutputChoice(out, resume).directory(campaign.name());
        return new LocalRun(
                        campaign,
                        campaignFile,
                        text,
                        print(),
                        spec.commandLine().getErr())
                .run(directory, resume, opener)
                .code();
    }

    private int printPlan(Campaign campaign) throws CommandFailure, IOException, CampaignException, NoHostException {
        Path consoles = Files.createTempDirectory("trapline-consoles-");
        try (LocalHosts hosts = open(campaign, consoles)) {
            Plan plan = Planner.plan(campaign, hosts.profiles());
            Earlier earlier = resume
                    ? Earlier.of(RunDirectory.read(new OutputChoice(out, true).directory(campaign.name())))
                    : Earlier.NOTHING;
            new PlanText(plan, earlier.done()).lines().forEach(print()::println);
            return ExitCode.FINE.code();
        } finally {
            remove(consoles);
        }
    }

    private static void remove(Path consoles) throws IOException {
        try (DirectoryStream<Path> logs = Files.newDirectoryStream(consoles)) {
            for (Path log : logs) {
                Files.delete(log);
            }
        }
        Files.delete(consoles);
    }

    /** What --path says, by the path's name. */
    private Map<String, String> kernels() throws CommandFailure {
        Map<String, String> kernels = new LinkedHashMap<>();
        for (String override : paths) {
            Matcher form = OVERRIDE.matcher(override);
            if (!form.matches()) {
                throw new CommandFailure(
                        ExitCode.BAD_INPUT,
                        "--path " + override + ": its form is NAME:kernel=FILE, such as lockless:kernel=after/bzImage");
            }
            kernels.put(form.group(1), form.group(2));
        }
        return kernels;
    }

    private void say(String line) {
        spec.commandLine().getErr().println("trapline: " + line);
        spec.commandLine().getErr().flush();
    }

    private PrintWriter print() {
        return spec.commandLine().getOut();
    }
}

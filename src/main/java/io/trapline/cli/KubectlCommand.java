package io.trapline.cli;

import io.trapline.campaign.Campaign;
import io.trapline.campaign.CampaignException;
import io.trapline.campaign.CampaignReader;
import io.trapline.campaign.Problem;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.regex.Pattern;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code trapline kubectl}: a campaign as a manifest. */
@Command(
        name = "kubectl",
        description = "Prints the ConfigMap and the Job that run a campaign on Kubernetes: for kubectl create -f -.",
        mixinStandardHelpOptions = true)
final class KubectlCommand implements Callable<Integer> {
    /** The image's name as it is built; {@code k8s/base} has the same. */
    static final String IMAGE = "trapline:0.1.0";

    /** A name that a Job, its pods and a label's value may have; Job names leave room for a pod's suffix. */
    private static final Pattern RUN_ID = Pattern.compile("[a-z0-9]([-a-z0-9]{0,55}[a-z0-9])?");

    @Parameters(paramLabel = "CAMPAIGN", description = "The campaign file (YAML).")
    private Path campaignFile;

    @Option(
            names = "--run",
            paramLabel = "ID",
            description = "The run's id, and the name of all that is made for it. Default: the campaign's name.")
    private Optional<String> run = Optional.empty();

    @Option(
            names = "--image",
            paramLabel = "IMAGE",
            defaultValue = IMAGE,
            description = "What the pod runs. Default: ${DEFAULT-VALUE}.")
    private String image = "";

    @Option(names = "--tls", description = "For a coordinator of the overlay tls: HTTPS, and a token.")
    private boolean tls;

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() throws CommandFailure {
        try {
            String text = CampaignReader.text(campaignFile);
            CampaignJob job = job(text);
            spec.commandLine().getOut().print(job.yaml());
            spec.commandLine().getOut().flush();
            return ExitCode.FINE.code();
        } catch (CampaignException e) {
            throw new CommandFailure(
                    ExitCode.BAD_INPUT,
                    e.problems().stream().map(Problem::toString).toList());
        }
    }

    private CampaignJob job(String text) throws CampaignException, CommandFailure {
        Campaign campaign = CampaignReader.parse(campaignFile.toString(), text);
        String id = run.orElse(campaign.name());
        if (!RUN_ID.matcher(id).matches()) {
            throw new CommandFailure(
                    ExitCode.BAD_INPUT,
                    "\"" + id + "\" is no run id: up to 57 of a-z, 0-9 and -, the first and the last no -; give another"
                            + " one with --run");
        }
        return new CampaignJob(id, campaign, text, image, tls);
    }
}

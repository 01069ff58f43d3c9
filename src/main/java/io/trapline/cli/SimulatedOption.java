package io.trapline.cli;

import io.trapline.campaign.CampaignException;
import io.trapline.campaign.Problem;
import io.trapline.campaign.SimulationReader;
import io.trapline.host.Host;
import io.trapline.host.SimulatedHost;
import io.trapline.host.simulated.Simulation;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.Option;

/** The option that asks for hosts that are none. Nothing else does. */
final class SimulatedOption {
    /** What their names begin with when nobody says. */
    static final String NAME = "sim";

    private static final int MOST = 10_000;
    private static final Pattern FORM = Pattern.compile("([1-9]\\d{0,4})(?::(.+))?");

    @Option(
            names = "--simulated",
            paramLabel = "N[:FILE]",
            description = "Measure no kernel: N simulated hosts instead of this machine, as FILE describes them. All"
                    + " that they yield is marked SIMULATED.")
    private Optional<String> simulated = Optional.empty();

    boolean isGiven() {
        return simulated.isPresent();
    }

    /**
     * Opens what was asked for.
     *
     * @param name what their names begin with
     * @throws CommandFailure for a number or a file that is wrong
     */
    List<Host> open(String name) throws CommandFailure {
        String text = simulated.orElseThrow();
        Matcher form = FORM.matcher(text);
        if (!form.matches() || Integer.parseInt(form.group(1)) > MOST) {
            throw new CommandFailure(
                    ExitCode.BAD_INPUT,
                    "--simulated " + text + ": its form is N or N:FILE, with N from 1 to " + MOST
                            + ", such as 4 or 4:lab.yaml");
        }
        try {
            Simulation simulation =
                    form.group(2) == null ? Simulation.byDefault() : SimulationReader.read(Path.of(form.group(2)));
            return SimulatedHost.open(simulation, name, Integer.parseInt(form.group(1)));
        } catch (CampaignException e) {
            throw new CommandFailure(
                    ExitCode.BAD_INPUT,
                    e.problems().stream().map(Problem::toString).toList());
        }
    }
}

package io.trapline.cli;

import io.trapline.host.Host;
import io.trapline.host.LocalHost;
import io.trapline.trigger.TriggerException;
import io.trapline.trigger.TriggerProgram;
import java.io.PrintWriter;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code trapline inspect}: what this machine is, what can be measured on it, and what disturbs it. */
@Command(
        name = "inspect",
        description =
                "Tells what this machine is, what can be measured on it and what not and why, and what adds noise.",
        mixinStandardHelpOptions = true)
final class InspectCommand implements Callable<Integer> {
    @Option(names = "--json", description = "As one JSON object.")
    private boolean json;

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() throws CommandFailure {
        PrintWriter print = spec.commandLine().getOut();
        try (Host host = LocalHost.open(TriggerProgram.find())) {
            if (json) {
                print.println(HostJson.of(host.profile()));
            } else {
                new InspectText(host.profile()).lines().forEach(print::println);
            }
        } catch (TriggerException e) {
            throw CommandFailure.of(e);
        }
        return ExitCode.FINE.code();
    }
}

package io.trapline.cli;

import io.trapline.http.ClientException;
import java.io.IOException;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code trapline cancel}: ends a run at a coordinator. */
@Command(
        name = "cancel",
        description = "Ends a run at a coordinator early, or takes it from the queue. What was measured stays.",
        mixinStandardHelpOptions = true)
final class CancelCommand implements Callable<Integer> {
    @Parameters(paramLabel = "RUN", description = "The run's id; trapline status lists them.")
    private String run;

    @Option(
            names = "--reason",
            paramLabel = "TEXT",
            description = "For the report. Default: ${DEFAULT-VALUE}.",
            defaultValue = "cancelled")
    private String reason;

    @Mixin
    private CoordinatorOptions coordinator;

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() throws CommandFailure, ClientException, IOException {
        coordinator.client().cancel(run, reason);
        spec.commandLine().getErr().println("run " + run + " is being ended");
        return ExitCode.FINE.code();
    }
}

package io.trapline.cli;

import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code trapline report}: makes the reports of a run again, from its journal alone. */
@Command(
        name = "report",
        description = "Makes a run's report files again from its journal, and prints the text.",
        mixinStandardHelpOptions = true)
final class ReportCommand implements Callable<Integer> {
    @Parameters(paramLabel = "DIR", description = "The run's directory.")
    private Path directory;

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() throws IOException {
        return new Reports(spec.commandLine().getOut()).write(directory).code();
    }
}

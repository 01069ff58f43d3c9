package io.trapline.cli;

import io.trapline.http.ClientException;
import io.trapline.http.CoordinatorClient;
import io.trapline.http.RunFile;
import io.trapline.journal.AtomicFile;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code trapline fetch}: gets a run's files from a coordinator. */
@Command(
        name = "fetch",
        description = "Gets a run's files from a coordinator and checks that they arrived whole. Of a run that has not"
                + " ended these are its campaign and its journal so far.",
        mixinStandardHelpOptions = true)
final class FetchCommand implements Callable<Integer> {
    @Parameters(index = "0", paramLabel = "RUN", description = "The run's id; trapline status lists them.")
    private String run;

    @Parameters(index = "1", paramLabel = "DIR", description = "Where its files go: new or empty.")
    private Path directory;

    @Mixin
    private CoordinatorOptions coordinator;

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() throws CommandFailure, ClientException, IOException {
        CoordinatorClient client = coordinator.client();
        byte[] campaign = client.file(run, RunFile.CAMPAIGN); // tells whether there is such a run
        makeDirectory();
        keep(RunFile.CAMPAIGN, campaign);
        for (RunFile file : RunFile.values()) {
            if (file != RunFile.CAMPAIGN) {
                fetch(client, file);
            }
        }
        return ExitCode.FINE.code();
    }

    private void fetch(CoordinatorClient client, RunFile file) throws ClientException, IOException {
        try {
            keep(file, client.file(run, file));
        } catch (ClientException e) {
            if (e.kind() != ClientException.Kind.NOT_FOUND) {
                throw e;
            }
            PrintWriter err = spec.commandLine().getErr();
            e.lines().forEach(err::println);
        }
    }

    private void keep(RunFile file, byte[] content) throws IOException {
        Path target = directory.resolve(file.fileName());
        AtomicFile.write(target, content);
        spec.commandLine().getOut().println(target);
    }

    private void makeDirectory() throws CommandFailure, IOException {
        if (Files.exists(directory) && !Files.isDirectory(directory)) {
            throw new CommandFailure(ExitCode.BAD_INPUT, directory + " is no directory; choose another one");
        }
        Files.createDirectories(directory);
        try (DirectoryStream<Path> files = Files.newDirectoryStream(directory)) {
            if (files.iterator().hasNext()) {
                throw new CommandFailure(
                        ExitCode.BAD_INPUT,
                        directory + " is not empty; choose a new or empty directory, nothing is overwritten");
            }
        }
    }
}

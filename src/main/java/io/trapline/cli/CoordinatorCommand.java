package io.trapline.cli;

import io.trapline.analysis.Analysis;
import io.trapline.cluster.Bind;
import io.trapline.cluster.CoordinatorNode;
import io.trapline.cluster.Endpoint;
import io.trapline.http.HttpServer;
import io.trapline.journal.RunDirectory;
import io.trapline.report.Report;
import io.trapline.report.ReportFiles;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.net.UnknownHostException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code trapline coordinator}: keeps a queue of campaigns and runs them on the workers that join it. */
@Command(
        name = "coordinator",
        description = "Keeps a queue of campaigns and runs them on the workers that join it, until it is stopped."
                + " Started again on the same data it goes on where it ended.",
        mixinStandardHelpOptions = true)
final class CoordinatorCommand implements Callable<Integer> {
    @Mixin
    private Listening listening = new Listening();

    @Option(
            names = "--port",
            paramLabel = "N",
            defaultValue = "2551",
            description = "The port for workers. Default: ${DEFAULT-VALUE}.")
    private int port;

    @Option(
            names = "--name",
            paramLabel = "HOST",
            description = "The name or address by which workers reach it (their --join). Default: that of --bind.")
    private Optional<String> name = Optional.empty();

    @Option(
            names = "--data",
            paramLabel = "DIR",
            defaultValue = "trapline-data",
            description = "Where its runs are kept. Default: ${DEFAULT-VALUE}.")
    private Path data = Path.of("");

    @Mixin
    private HttpOptions http = new HttpOptions();

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() throws CommandFailure, IOException {
        Bind bind = listening.at(port);
        String known = known(bind.at());
        CoordinatorNode node =
                CoordinatorNode.start(new CoordinatorNode.Options(bind, known, data, Version.text()), this::report);
        try (HttpServer server = http.serve(node, listening.insecure())) {
            say("coordinator: campaigns come in, and the page is, at " + server.uri());
            Interrupt interrupt = Interrupt.watch(() -> close(server, node), CompletableFuture.completedFuture(null));
            say("coordinator: workers join with --join " + known + ":" + port + "; runs are kept in " + data);
            node.stopped().toCompletableFuture().join();
            interrupt.done(ExitCode.FINE);
        } catch (CommandFailure | IOException e) {
            node.close();
            throw e;
        }
        return ExitCode.FINE.code();
    }

    private String known(Endpoint bind) throws CommandFailure {
        try {
            if (name.isEmpty() && bind.isWildcard()) {
                throw new CommandFailure(
                        ExitCode.BAD_INPUT,
                        "--bind " + bind.host()
                                + " stands for all addresses: add --name HOST, by which workers reach it");
            }
            return name.orElse(bind.host());
        } catch (UnknownHostException e) {
            throw new CommandFailure(ExitCode.BAD_INPUT, "--bind " + bind.host() + ": no such address is known");
        }
    }

    private void report(Path run) {
        try {
            ReportFiles.write(run, Report.of(Analysis.of(RunDirectory.read(run))));
            say("run " + run.getFileName() + " has ended; report: " + run.resolve("report.txt"));
        } catch (IOException e) {
            say("run " + run.getFileName() + " has ended without a report: " + e.getMessage());
        }
    }

    /** The API first: who asks it in that moment is told that it is closed, not that the coordinator is silent. */
    private static void close(HttpServer server, CoordinatorNode node) {
        try {
            server.close();
            node.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void say(String line) {
        PrintWriter err = spec.commandLine().getErr();
        err.println(line);
        err.flush();
    }
}

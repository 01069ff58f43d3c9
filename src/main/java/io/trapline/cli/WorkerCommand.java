package io.trapline.cli;

import io.trapline.cluster.Bind;
import io.trapline.cluster.Endpoint;
import io.trapline.cluster.WorkerNode;
import io.trapline.host.Labels;
import java.io.IOException;
import java.io.PrintWriter;
import java.net.UnknownHostException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code trapline worker}: lends this machine to a coordinator. */
@Command(
        name = "worker",
        description = "Lends this machine to a coordinator until it is stopped. It waits for a coordinator that is not"
                + " there, and keeps what it has measured until the coordinator has it.",
        mixinStandardHelpOptions = true)
final class WorkerCommand implements Callable<Integer> {
    @Option(
            names = "--join",
            required = true,
            paramLabel = "HOST:PORT",
            description = "The coordinator, by the very name that it goes by.")
    private String join = "";

    @Mixin
    private Listening listening = new Listening();

    @Option(
            names = "--port",
            paramLabel = "N",
            defaultValue = "0",
            description = "The port that the coordinator reaches this worker at. Default: any free one.")
    private int port;

    @Option(
            names = "--name",
            paramLabel = "HOST",
            description = "The host's name in campaigns and reports; simulated ones are HOST-1 and so on. Default: this"
                    + " machine's name, or " + SimulatedOption.NAME + ".")
    private Optional<String> name = Optional.empty();

    @Option(
            names = "--label",
            paramLabel = "KEY=VALUE",
            description = "What a campaign's selector may ask for as label.KEY; may be repeated.")
    private List<String> labels = List.of();

    @Mixin
    private SimulatedOption simulated = new SimulatedOption();

    @Option(
            names = "--data",
            paramLabel = "DIR",
            defaultValue = "trapline-worker",
            description = "Where results are kept until the coordinator has them. Default: ${DEFAULT-VALUE}.")
    private Path data = Path.of("");

    @Spec
    private CommandSpec spec;

    private Optional<Interrupt> interrupt = Optional.empty();

    @Override
    public Integer call() throws CommandFailure, IOException, InterruptedException {
        Endpoint coordinator = coordinator();
        Bind bind = listening.at(port);
        refuseOneWay(coordinator, bind.at());
        try (LentHosts hosts = hosts(coordinator)) {
            return end(work(hosts, coordinator, bind));
        }
    }

    private LentHosts hosts(Endpoint coordinator) throws CommandFailure, IOException {
        Map<String, String> all = labels();
        return simulated.isGiven()
                ? LentHosts.simulated(simulated, name.orElse(SimulatedOption.NAME), all, data)
                : LentHosts.machine(name, all, "a worker that joins " + coordinator);
    }

    private Map<String, String> labels() throws CommandFailure {
        try {
            return Labels.parse(labels);
        } catch (IllegalArgumentException e) {
            throw new CommandFailure(ExitCode.BAD_INPUT, "--label: " + e.getMessage());
        }
    }

    /** Why the coordinator does not want this worker; empty when it was told to stop. */
    private Optional<String> work(LentHosts hosts, Endpoint coordinator, Bind bind)
            throws IOException, InterruptedException {
        WorkerNode node = WorkerNode.open(new WorkerNode.Options(coordinator, bind, data), hosts.hosts());
        interrupt = Optional.of(Interrupt.watch(node::close, CompletableFuture.completedFuture(null)));
        say("worker: " + hosts + " " + coordinator);
        return node.work();
    }

    private int end(Optional<String> unwanted) throws CommandFailure {
        ExitCode code = unwanted.isPresent() ? ExitCode.NO_HOSTS : ExitCode.FINE;
        interrupt.ifPresent(i -> i.done(code));
        if (unwanted.isPresent()) {
            throw new CommandFailure(code, unwanted.get());
        }
        return code.code();
    }

    private Endpoint coordinator() throws CommandFailure {
        try {
            return Endpoint.parse(join);
        } catch (IllegalArgumentException e) {
            throw new CommandFailure(ExitCode.BAD_INPUT, "--join: " + e.getMessage());
        }
    }

    /** The coordinator opens connections to its workers, too. */
    private static void refuseOneWay(Endpoint coordinator, Endpoint bind) throws CommandFailure {
        try {
            if (bind.isWildcard()) {
                throw new CommandFailure(
                        ExitCode.BAD_INPUT,
                        "--bind " + bind.host() + ": give the one address that the coordinator sees");
            }
            if (bind.isLoopback() && !coordinator.isLoopback()) {
                throw new CommandFailure(
                        ExitCode.BAD_INPUT,
                        "the coordinator " + coordinator + " can't reach a worker that listens on " + bind.host()
                                + ": add --bind with an address of this machine");
            }
        } catch (UnknownHostException e) {
            // A name that is not known yet may be later; the worker goes on asking for it.
        }
    }

    private void say(String line) {
        PrintWriter err = spec.commandLine().getErr();
        err.println(line);
        err.flush();
    }
}

package io.trapline.cli;

import io.trapline.cluster.Campaigns;
import io.trapline.http.CallersView;
import io.trapline.http.ClientException;
import io.trapline.http.CoordinatorClient;
import io.trapline.http.HostView;
import io.trapline.http.RunView;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code trapline status}: what a coordinator has. */
@Command(
        name = "status",
        description = "Lists a coordinator's hosts, its queue, and its runs.",
        mixinStandardHelpOptions = true)
final class StatusCommand implements Callable<Integer> {
    @Mixin
    private CoordinatorOptions coordinator;

    @Option(
            names = "--past",
            paramLabel = "N",
            description = "How many runs that have ended are listed, the newest first. Default: ${DEFAULT-VALUE}.",
            defaultValue = "10")
    private int past;

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() throws CommandFailure, ClientException, IOException {
        CoordinatorClient client = coordinator.client();
        List<RunView> runs = client.runs();
        PrintWriter out = spec.commandLine().getOut();
        hosts(client.hosts()).lines().forEach(out::println);
        out.println();
        runs(runs).lines().forEach(out::println);
        turnedAway(client.callers()).forEach(out::println);
        out.flush();
        return ExitCode.FINE.code();
    }

    /** Nothing, as long as nobody was. */
    private static List<String> turnedAway(CallersView callers) {
        List<String> lines = new ArrayList<>();
        if (callers.strangers() > 0) {
            lines.add("strangers at the workers' port, turned away: " + callers.strangers());
        }
        if (callers.refusedWorkers() > 0) {
            lines.add("workers of another version, refused: " + callers.refusedWorkers());
        }
        if (!lines.isEmpty()) {
            lines.add(0, "");
        }
        return lines;
    }

    private static TextTable hosts(List<HostView> hosts) {
        return new TextTable(
                List.of("HOST", "STATE", "KERNEL", "ARCH", "CPUS", "NUMA NODES", "LABELS", "RUN"),
                hosts.stream()
                        .map(host -> List.of(
                                host.name()
                                        + host.mark().map(m -> " [" + m + "]").orElse(""),
                                lower(host.state()),
                                host.kernel(),
                                host.arch(),
                                Integer.toString(host.cpus()),
                                Integer.toString(host.numaNodes().size()),
                                host.labels().entrySet().stream()
                                        .map(label -> label.getKey() + "=" + label.getValue())
                                        .sorted()
                                        .collect(Collectors.joining(",")),
                                host.running().orElse("")))
                        .toList(),
                "no worker said hello yet");
    }

    /** Those that go on, then the queue in its order, then the newest of those that have ended. */
    private TextTable runs(List<RunView> newestFirst) {
        List<RunView> oldestFirst = new ArrayList<>(newestFirst);
        Collections.reverse(oldestFirst);
        Stream<RunView> shown = Stream.of(
                        oldestFirst.stream().filter(run -> run.state() == Campaigns.State.RUNNING),
                        oldestFirst.stream().filter(run -> run.state() == Campaigns.State.QUEUED),
                        newestFirst.stream()
                                .filter(run -> run.state() == Campaigns.State.ENDED)
                                .limit(past))
                .flatMap(runs -> runs);
        return new TextTable(
                List.of("RUN", "CAMPAIGN", "STATE", "TRIALS", "SUBMITTED", "EXIT", "WHY"),
                shown.map(StatusCommand::row).toList(),
                "no runs");
    }

    private static List<String> row(RunView run) {
        return List.of(
                run.id(),
                run.campaign(),
                lower(run.state()),
                run.done() + "/" + run.planned(),
                run.submitted().toString(),
                run.exitCode().isPresent() ? Integer.toString(run.exitCode().getAsInt()) : "",
                run.reason().orElse(""));
    }

    private static String lower(Enum<?> value) {
        return value.name().toLowerCase(Locale.ROOT);
    }
}

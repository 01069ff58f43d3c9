package io.trapline.cli;

import io.trapline.cluster.QueuedRun;
import io.trapline.http.CoordinatorClient;
import io.trapline.http.RunView;
import io.trapline.journal.Journal;
import io.trapline.journal.JournalRecord;
import io.trapline.journal.RunDirectory;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.URLConnection;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * A coordinator and workers as processes of their own on this machine, each in a directory of its name. They notice each
 * other's loss sooner than they do by default, so that tests are short; all else is as users have it.
 */
final class TestCluster implements AutoCloseable {
    private static final int PATIENCE_MS = 120_000;

    private final Path directory;
    private final int port = freePort();
    private final int httpPort = freePort();
    private final List<String> jvm = new ArrayList<>();
    private final List<TraplineProcess> processes = new ArrayList<>();

    TestCluster(Path directory) throws IOException {
        this.directory = directory;
        jvm.add("-Dakka.cluster.seed-node-timeout=1s");
        jvm.add("-Dakka.cluster.retry-unsuccessful-join-after=1s");
    }

    /** Has all members started from now on use that setting. */
    TestCluster with(String key, String value) {
        jvm.add("-D" + key + "=" + value);
        return this;
    }

    static int freePort() throws IOException {
        try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return free.getLocalPort();
        }
    }

    Path data() {
        return directory.resolve("data");
    }

    int port() {
        return port;
    }

    int httpPort() {
        return httpPort;
    }

    URI uri() {
        return URI.create("http://127.0.0.1:" + httpPort);
    }

    CoordinatorClient client() throws IOException {
        return CoordinatorClient.of(uri(), Optional.empty(), Optional.empty());
    }

    /** A coordinator on this cluster's data and ports. */
    TraplineProcess coordinator(String name, String... more) throws IOException {
        return start(
                name,
                List.of(
                        "coordinator",
                        "--data",
                        data().toString(),
                        "--port",
                        Integer.toString(port),
                        "--http",
                        "127.0.0.1:" + httpPort),
                more);
    }

    /** A worker for the host of that name. */
    TraplineProcess worker(String name, String host, String... more) throws IOException {
        return start(name, List.of("worker", "--name", host, "--join", "127.0.0.1:" + port), more);
    }

    private TraplineProcess start(String name, List<String> args, String... more) throws IOException {
        Path own = Files.createDirectories(directory.resolve(name));
        TraplineProcess process = TraplineProcess.start(
                own,
                List.of(),
                jvm,
                Stream.concat(args.stream(), Stream.of(more)).toArray(String[]::new));
        processes.add(process);
        return process;
    }

    /** The end of the process that was started under that name. */
    TraplineProcess.Ended await(TraplineProcess process, String name) throws Exception {
        return process.await(directory.resolve(name));
    }

    /** Puts a campaign into the data directory before there is a coordinator; the run's directory. */
    Path queue(String campaign) throws Exception {
        return QueuedRun.add(data(), campaign);
    }

    /** Submits a campaign; the run's directory. */
    Path submit(String campaign) throws Exception {
        return data().resolve("runs").resolve(client().submit(Optional.empty(), "test.yaml", campaign));
    }

    /** Until so many trials have begun since the coordinator's start and the last one's load runs. */
    void awaitLoad(Path run, int trials) throws IOException {
        awaitEvents(
                run,
                Stream.concat(Stream.generate(() -> "trialBegun").limit(trials), Stream.of("rate"))
                        .toList());
    }

    /** Until these kinds of events have come, one after the other, of all since the coordinator's start. */
    void awaitEvents(Path run, List<String> kinds) throws IOException {
        URLConnection events = uri().resolve("/api/v1/runs/" + run.getFileName() + "/events")
                .toURL()
                .openConnection();
        events.setReadTimeout(PATIENCE_MS);
        int seen = 0;
        try (BufferedReader lines =
                new BufferedReader(new InputStreamReader(events.getInputStream(), StandardCharsets.UTF_8))) {
            for (String line = lines.readLine(); seen < kinds.size(); line = lines.readLine()) {
                if (line == null) {
                    throw new AssertionError("the events ended before " + kinds.subList(seen, kinds.size()) + " came");
                }
                seen += line.contains("\"type\":\"" + kinds.get(seen) + "\"") ? 1 : 0;
            }
        }
    }

    /** Until the run has ended; what the API says of it then. */
    RunView awaitEnd(Path run) throws Exception {
        awaitEvents(run, List.of("finished"));
        String id = run.getFileName().toString();
        return client().runs().stream()
                .filter(r -> r.id().equals(id))
                .findFirst()
                .orElseThrow();
    }

    static Journal journal(Path run) throws IOException {
        return RunDirectory.read(run);
    }

    /** How many attempts each trial had. */
    static List<Integer> attempts(Path run) throws IOException {
        return journal(run).trials().stream()
                .map(trial -> trial.attempts().size())
                .toList();
    }

    /** Why attempts were lost. */
    static List<String> losses(Path run) throws IOException {
        return journal(run).trials().stream()
                .flatMap(t -> t.attempts().stream())
                .flatMap(a -> a.lost().stream())
                .map(JournalRecord.Lost::reason)
                .toList();
    }

    /** Ends whatever still runs. */
    @Override
    public void close() {
        processes.forEach(TraplineProcess::close);
    }
}

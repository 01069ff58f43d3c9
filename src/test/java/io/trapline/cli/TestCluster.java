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
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** A coordinator and workers as processes of their own on this machine, each in a directory of its name. */
final class TestCluster implements AutoCloseable {
    private static final int PATIENCE_MS = 120_000;

    private final Path directory;
    private final int port = freePort();
    private final int httpPort = freePort();
    private final List<String> jvm = new ArrayList<>();
    private final List<TraplineProcess> processes = new ArrayList<>();

    /** As users have it. */
    TestCluster(Path directory) throws IOException {
        this.directory = directory;
    }

    /** One whose members notice each other's loss sooner, and give each other up sooner, so that tests are short. */
    static TestCluster hasty(Path directory) throws IOException {
        return new TestCluster(directory)
                .with("akka.cluster.seed-node-timeout", "1s")
                .with("akka.cluster.retry-unsuccessful-join-after", "1s")
                .with("akka.cluster.failure-detector.acceptable-heartbeat-pause", "4s")
                .with("akka.cluster.split-brain-resolver.stable-after", "3s");
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

    /** A coordinator on this cluster's data and ports that answers at both. */
    TraplineProcess coordinator(String name, String... more) throws IOException, InterruptedException {
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
                        more)
                .awaitErr("workers join with");
    }

    /** A worker for the host of that name. */
    TraplineProcess worker(String name, String host, String... more) throws IOException {
        return start(name, List.of("worker", "--name", host, "--join", "127.0.0.1:" + port), more);
    }

    /** Any command, in the directory of that name. */
    TraplineProcess start(String name, List<String> args, String... more) throws IOException {
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

    /**
     * Until such events have come, one after the other, of all since the coordinator's start.
     *
     * @param events the kind of each, or a pattern that begins with it
     */
    void awaitEvents(Path run, List<String> events) throws IOException {
        URLConnection stream = uri().resolve("/api/v1/runs/" + run.getFileName() + "/events")
                .toURL()
                .openConnection();
        stream.setReadTimeout(PATIENCE_MS);
        int seen = 0;
        try (BufferedReader lines =
                new BufferedReader(new InputStreamReader(stream.getInputStream(), StandardCharsets.UTF_8))) {
            while (seen < events.size()) {
                String line = lines.readLine();
                if (line == null) {
                    throw new AssertionError("the events ended without " + events.subList(seen, events.size()));
                }
                boolean awaited = Pattern.compile("\"type\":\"" + events.get(seen))
                        .matcher(line)
                        .find();
                seen += awaited ? 1 : 0;
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

    /** What a worker keeps on its disk because it has no receipt for it. */
    List<Path> outbox(String worker) throws IOException {
        try (Stream<Path> files = Files.list(directory.resolve(worker).resolve("trapline-worker/outbox"))) {
            return files.toList();
        }
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

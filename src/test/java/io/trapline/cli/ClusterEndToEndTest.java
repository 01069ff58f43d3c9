package io.trapline.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.trapline.cluster.QueuedRun;
import io.trapline.journal.Journal;
import io.trapline.journal.JournalRecord;
import io.trapline.journal.RunDirectory;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Coordinator and worker in processes of their own, with the real trigger, killed and stopped at will. */
class ClusterEndToEndTest {
    @TempDir
    Path directory;

    private Path data;
    private int port;
    private int httpPort;

    @BeforeEach
    void findPorts() throws IOException {
        data = directory.resolve("data");
        try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                ServerSocket another = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = free.getLocalPort();
            httpPort = another.getLocalPort();
        }
    }

    @Test
    void aSubmittedCampaignIsRunByTheWorkerAndItsReportPrintedToWhoSubmittedIt() throws Exception {
        Files.writeString(directory.resolve("test.yaml"), campaign("400ms", 2));
        try (TraplineProcess worker = worker("w");
                TraplineProcess coordinator = coordinator("c")) {
            coordinator.awaitErr("host left is there");

            TraplineProcess.Ended submitted =
                    TraplineProcess.run(directory, "submit", "test.yaml", "--to", "http://127.0.0.1:" + httpPort);

            assertThat(submitted.exitCode()).as(submitted.errText()).isZero();
            assertThat(submitted.out()).contains("verdict  VALID: all 4 trials");
            assertThat(worker.isAlive()).isTrue();
        }
    }

    @Test
    void aWorkerThatWasThereFirstRunsTheCampaignAndBothEndWhenTold() throws Exception {
        Path run = QueuedRun.add(data, campaign("100ms", 2));
        try (TraplineProcess worker = worker("w");
                TraplineProcess coordinator = coordinator("c")) {
            coordinator.awaitErr("host left is there").awaitErr("has ended; report:");
            worker.signal("TERM");
            assertThat(worker.await(directory.resolve("w")).exitCode()).isZero();
            coordinator.signal("TERM");
            assertThat(coordinator.await(directory.resolve("c")).exitCode()).isZero();
        }
        assertThat(run.resolve("report.txt")).exists();
        assertThat(attempts(run)).containsExactly(1, 1, 1, 1);
        assertThat(outbox("w")).isEmpty();
    }

    @Test
    void aCoordinatorThatIsKilledGoesOnWhereItEndedAndItsWorkerComesBackByItself() throws Exception {
        Path run = QueuedRun.add(data, campaign("2s", 2));
        try (TraplineProcess worker = worker("w")) {
            try (TraplineProcess first = coordinator("c")) {
                first.awaitErr("host left is there");
                awaitTrial(worker, run, 2);
                first.signal("KILL");
                first.await(directory.resolve("c"));
            }
            try (TraplineProcess second = coordinator("c2")) {
                second.awaitErr("has ended; report:");
            }
            assertThat(worker.isAlive()).isTrue();
        }
        Journal journal = RunDirectory.read(run);
        assertThat(journal.sessions()).hasSize(2);
        assertThat(journal.trials())
                .allSatisfy(trial -> assertThat(trial.counted()).isPresent());
        assertThat(journal.trials().get(0).attempts())
                .as("what was finished is not run again")
                .hasSize(1);
        assertThat(attempts(run)).contains(2);
    }

    @Test
    void aWorkerThatIsKilledAndStartedAgainLosesTheTrialInHandAloneWhichIsRepeated() throws Exception {
        Path run = QueuedRun.add(data, campaign("2s", 2));
        try (TraplineProcess coordinator = coordinator("c")) {
            try (TraplineProcess first = worker("w")) {
                coordinator.awaitErr("host left is there");
                awaitTrial(first, run, 2);
                first.signal("KILL");
                first.await(directory.resolve("w"));
            }
            try (TraplineProcess second = worker("w")) {
                second.awaitErr("joins");
                coordinator.awaitErr("host left was lost").awaitErr("has ended; report:");
            }
        }
        Journal journal = RunDirectory.read(run);
        assertThat(journal.trials())
                .allSatisfy(trial -> assertThat(trial.counted()).isPresent());
        List<Journal.Attempt> lost = journal.trials().stream()
                .flatMap(t -> t.attempts().stream())
                .filter(a -> a.lost().isPresent())
                .toList();
        assertThat(lost).hasSize(1);
        assertThat(lost.get(0).lost())
                .map(JournalRecord.Lost::reason)
                .hasValueSatisfying(r -> assertThat(r).contains("host left was lost"));
    }

    @Test
    void aWorkerThatIsStoppedForEightSecondsIsNotLost() throws Exception {
        Path run = QueuedRun.add(data, campaign("12s", 1));
        try (TraplineProcess coordinator = coordinator("c");
                TraplineProcess worker = worker("w")) {
            coordinator.awaitErr("host left is there");
            awaitTrial(worker, run, 1);
            worker.signal("STOP");
            TimeUnit.SECONDS.sleep(8); // the fault itself
            worker.signal("CONT");
            coordinator.awaitErr("has ended; report:");
        }
        assertThat(attempts(run)).containsExactly(1, 1);
    }

    @Test
    void aSecondCoordinatorOnTheSameDataIsRefusedByNameOfTheFirst() throws Exception {
        try (TraplineProcess first = coordinator("c")) {
            first.awaitErr("workers join with");

            TraplineProcess.Ended second = TraplineProcess.run(
                    Files.createDirectories(directory.resolve("c2")),
                    "coordinator",
                    "--data",
                    data.toString(),
                    "--port",
                    "0");

            assertThat(second.exitCode()).isEqualTo(1);
            assertThat(second.errText()).contains("taken by the coordinator 127.0.0.1:" + port);
        }
    }

    @Test
    void aSecondWorkerOnTheSameMachineIsRefused() throws Exception {
        try (TraplineProcess first = worker("w")) {
            first.awaitErr("joins");
            try (TraplineProcess second = worker("w")) {
                TraplineProcess.Ended ended = second.await(directory.resolve("w"));

                assertThat(ended.exitCode()).isEqualTo(5);
                assertThat(ended.errText()).contains("this machine is taken by process");
            }
        }
    }

    @Test
    void anAddressThatOthersReachIsRefusedUnlessSaidToBeInsecure() throws Exception {
        TraplineProcess.Ended refused =
                TraplineProcess.run(directory, "coordinator", "--bind", "0.0.0.0", "--data", data.toString());

        assertThat(refused.exitCode()).isEqualTo(1);
        assertThat(refused.errText()).contains("--insecure");
        assertThat(data).doesNotExist();
    }

    private TraplineProcess coordinator(String name) throws IOException {
        return TraplineProcess.start(
                Files.createDirectories(directory.resolve(name)),
                "coordinator",
                "--data",
                data.toString(),
                "--port",
                Integer.toString(port),
                "--http",
                "127.0.0.1:" + httpPort);
    }

    /** Its lock is in its own directory, since other workers may run on the machine that tests. */
    private TraplineProcess worker(String name) throws IOException {
        Path own = Files.createDirectories(directory.resolve(name));
        return TraplineProcess.start(
                own,
                List.of("env", "JAVA_TOOL_OPTIONS=-Djava.io.tmpdir=" + own),
                "worker",
                "--name",
                "left",
                "--join",
                "127.0.0.1:" + port,
                "--label",
                "rack=b");
    }

    /** Until so many trials have a trigger at work on them, as the journal tells. */
    private static void awaitTrial(TraplineProcess worker, Path run, int count) throws Exception {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
        while (started(run) < count) {
            assertThat(worker.isAlive()).isTrue();
            assertThat(System.nanoTime())
                    .as("no trial " + count + " has started")
                    .isLessThan(deadline);
            TimeUnit.MILLISECONDS.sleep(50);
        }
    }

    private static long started(Path run) throws IOException {
        return Files.readString(run.resolve("journal.jsonl"))
                .lines()
                .filter(line -> line.contains("\"type\":\"started\""))
                .count();
    }

    private static List<Integer> attempts(Path run) throws IOException {
        return RunDirectory.read(run).trials().stream()
                .map(trial -> trial.attempts().size())
                .toList();
    }

    private List<Path> outbox(String worker) throws IOException {
        try (var files = Files.list(directory.resolve(worker).resolve("trapline-worker/outbox"))) {
            return files.toList();
        }
    }

    private static String campaign(String measure, int rounds) {
        return """
                apiVersion: trapline/v1
                kind: Campaign
                metadata: {name: test}
                spec:
                  paths:
                    - {name: locked, variant: {altstack: swap}}
                    - {name: lockless, variant: {altstack: same}}
                  workloads: [signal-altstack]
                  cpus: [1]
                  timing: {warmup: 20ms, interval: 50ms, measure: %s, rounds: %d}
                """.formatted(measure, rounds);
    }
}

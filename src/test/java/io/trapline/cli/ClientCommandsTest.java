package io.trapline.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.trapline.cluster.RunEvent;
import io.trapline.http.FakeCampaigns;
import io.trapline.http.HttpSettings;
import io.trapline.http.Served;
import java.io.IOException;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** submit, status, cancel and fetch, as users call them, against a server whose runs do what the test says. */
@Timeout(120)
class ClientCommandsTest {
    @TempDir
    private Path directory;

    private FakeCampaigns campaigns;

    @BeforeEach
    void writeCampaign() throws IOException {
        Files.writeString(directory.resolve("two.yaml"), Served.CAMPAIGN);
        campaigns = new FakeCampaigns(directory.resolve("data"));
    }

    @Test
    void submitFollowsTheRunAndEndsWithItsReportAndExitCode() throws Exception {
        try (Served served = serve(0);
                TraplineProcess submit =
                        start("submit", "two.yaml", "--to", served.uri().toString())) {
            submit.awaitErr("run run1 is in the queue");
            served.firstHalf("run1");
            served.third("run1");
            submit.awaitErr("trial 3/4"); // it follows: a run that has ended tells its last event alone
            served.finish("run1");
            TraplineProcess.Ended ended = submit.await(directory);

            assertThat(ended.exitCode()).as(ended.errText()).isZero();
            assertThat(ended.err())
                    .contains("4 trials to run, 0 measured before")
                    .anyMatch(line ->
                            line.matches("trial 1/4: locked uprobe-nop threads, 1 CPU \\(0\\) on rack-b-1: 0\\.905M/s"))
                    .anyMatch(line -> line.matches("trial 2/4: .*: perf_event_open: EPERM; it is repeated"));
            assertThat(ended.out()).contains("uprobe-nop      ( 1 cpus):");
            assertThat(ended.out()).isEqualTo(Files.readString(directory.resolve("data/run1/report.txt")));
        }
    }

    @Test
    void submitGoesOnAfterTheCoordinatorRestartedAndTellsNothingTwice() throws Exception {
        int port = freePort();
        Served first = serve(port);
        try (TraplineProcess submit =
                start("submit", "two.yaml", "--to", first.uri().toString())) {
            submit.awaitErr("run run1 is in the queue");
            first.firstHalf("run1");
            submit.awaitErr("perf_event_open: EPERM");
            first.close();
            submit.awaitErr("lost the coordinator, trying again");
            try (Served second = serve(port)) {
                submit.awaitErr("3 trials to run, 1 measured before");
                second.third("run1");
                second.finish("run1");
                TraplineProcess.Ended ended = submit.await(directory);

                assertThat(ended.exitCode()).as(ended.errText()).isZero();
                assertThat(ended.err())
                        .filteredOn(line -> line.startsWith("trial 1/4"))
                        .hasSize(1);
                assertThat(ended.err())
                        .filteredOn(line -> line.startsWith("trial 3/3"))
                        .hasSize(1);
                assertThat(ended.err())
                        .filteredOn(line -> line.startsWith("lost the coordinator"))
                        .hasSize(1);
            }
        } finally {
            first.close();
        }
    }

    @Test
    void aCampaignThatItsHostsCanNotRunEndsWithTheReasons() throws Exception {
        try (Served served = serve(0);
                TraplineProcess submit =
                        start("submit", "two.yaml", "--to", served.uri().toString())) {
            submit.awaitErr("run run1 is in the queue");
            campaigns.tell(
                    "run1",
                    new RunEvent.Refused(
                            RunEvent.Refused.Cause.NO_HOSTS, List.of("no host matches", "h1: kernel 6.1")));
            TraplineProcess.Ended ended = submit.await(directory);

            assertThat(ended.exitCode()).isEqualTo(5);
            assertThat(ended.err()).endsWith("trapline: no host matches", "trapline: h1: kernel 6.1");
        }
    }

    @Test
    void whoSubmitsARunAgainFollowsTheOneThatIsThere() throws Exception {
        try (Served served = serve(0)) {
            String[] submit = {
                "submit",
                "two.yaml",
                "--run",
                "nightly-7",
                "--answer",
                "answer",
                "--to",
                served.uri().toString()
            };
            try (TraplineProcess first = start(submit)) {
                first.awaitErr("run nightly-7 is in the queue");
                first.signal("KILL");
                first.await(directory);
            }
            try (TraplineProcess second = start(submit)) {
                second.awaitErr("run nightly-7 is in the queue");
                assertThat(campaigns.runs().toCompletableFuture().join()).hasSize(1);
                served.firstHalf("nightly-7");
                served.finish("nightly-7");
                assertThat(second.await(directory).exitCode()).isZero();
            }
            assertThat(Files.readString(directory.resolve("answer")))
                    .isEqualTo("VALID: uprobe-nop: lockless against locked is faster at 1 CPU (+3.3%).\n");

            Files.writeString(directory.resolve("two.yaml"), Served.CAMPAIGN + "# another\n");
            TraplineProcess.Ended other = run(submit);
            assertThat(other.exitCode()).isEqualTo(1);
            assertThat(other.errText()).contains("run nightly-7 has another campaign");
            assertThat(Files.readString(directory.resolve("answer")))
                    .isEqualTo(served.uri() + ": run nightly-7 has another campaign; choose another id for this one\n");
        }
    }

    @Test
    void submitWaitsForACoordinatorThatIsNotThereYet() throws Exception {
        int port = freePort();
        String to = "http://127.0.0.1:" + port;
        try (TraplineProcess submit = start("submit", "two.yaml", "--run", "r", "--wait", "60", "--to", to)) {
            submit.awaitErr("waiting for the coordinator: ");
            try (Served served = serve(port)) {
                submit.awaitErr("run r is in the queue");
                served.firstHalf("r");
                served.finish("r");
                assertThat(submit.await(directory).exitCode()).isZero();
            }
        }
        assertThat(run("submit", "two.yaml", "--wait", "60", "--to", to).errText())
                .contains("--wait needs --run ID");
    }

    @Test
    void aRunThatIsCancelledInTheQueueHasNoReport() throws Exception {
        try (Served served = serve(0);
                TraplineProcess submit =
                        start("submit", "two.yaml", "--to", served.uri().toString())) {
            submit.awaitErr("run run1 is in the queue");
            TraplineProcess.Ended cancel = run(
                    "cancel",
                    "run1",
                    "--reason",
                    "wrong kernel",
                    "--to",
                    served.uri().toString());
            TraplineProcess.Ended ended = submit.await(directory);

            assertThat(cancel.exitCode()).as(cancel.errText()).isZero();
            assertThat(ended.exitCode()).isEqualTo(4);
            assertThat(ended.err())
                    .contains("the run was ended early: wrong kernel", "nothing was measured, so there is no report");
            assertThat(run("cancel", "run1", "--to", served.uri().toString()).errText())
                    .contains("run run1 has ended already");
        }
    }

    @Test
    void allProblemsOfACampaignAreTold() throws Exception {
        Files.writeString(
                directory.resolve("bad.yaml"),
                Served.CAMPAIGN.replace("[1, 2]", "[0]").replace("uprobe-nop", "uprobe-nip"));
        try (Served served = serve(0)) {
            TraplineProcess.Ended ended =
                    run("submit", "bad.yaml", "--to", served.uri().toString());

            assertThat(ended.exitCode()).isEqualTo(1);
            assertThat(ended.err()).hasSize(2).allMatch(line -> line.matches("trapline: bad.yaml:[67]:\\d+: .*"));
        }
    }

    @Test
    void statusListsHostsAndRuns() throws Exception {
        campaigns.hosts(
                FakeCampaigns.member("rack-b-1", true, Optional.of("run2")),
                FakeCampaigns.member("rack-b-2", false, Optional.empty()));
        try (Served served = serve(0)) {
            for (String run : List.of("run1", "run2", "run3")) {
                campaigns.submit(Optional.empty(), "two.yaml", Served.CAMPAIGN);
                assertThat(campaigns.run(run).toCompletableFuture().join()).isPresent();
            }
            campaigns.tell("run1", new RunEvent.Finished(RunEvent.Finished.Ending.CANCELLED, "stopped"));
            served.firstHalf("run2");
            TraplineProcess.Ended ended = run("status", "--to", served.uri().toString());

            assertThat(ended.exitCode()).as(ended.errText()).isZero();
            assertThat(ended.out().lines().map(line -> line.replaceAll(" +", " ")))
                    .containsExactly(
                            "HOST STATE KERNEL ARCH CPUS NUMA NODES LABELS RUN",
                            "rack-b-1 busy 6.18.15 x86_64 64 4 rack=b run2",
                            "rack-b-2 lost 6.18.15 x86_64 64 4 rack=b",
                            "",
                            "RUN CAMPAIGN STATE TRIALS SUBMITTED EXIT WHY",
                            "run2 two-paths running 1/4 2026-11-30T12:00:00Z",
                            "run3 two-paths queued 0/0 2026-11-30T12:00:00Z",
                            "run1 two-paths ended 0/0 2026-11-30T12:00:00Z 4 stopped",
                            "",
                            "strangers at the workers' port, turned away: 2",
                            "workers of another version, refused: 1");
        }
    }

    @Test
    void fetchWritesTheFilesByteForByteAndNeverOverOthers() throws Exception {
        try (Served served = serve(0)) {
            campaigns.submit(Optional.empty(), "two.yaml", Served.CAMPAIGN);
            served.firstHalf("run1");
            served.finish("run1");
            assertThat(run("status", "--to", served.uri().toString()).out()).contains("ended"); // reports are written
            TraplineProcess.Ended ended =
                    run("fetch", "run1", "copy", "--to", served.uri().toString());

            assertThat(ended.exitCode()).as(ended.errText()).isZero();
            for (String file :
                    List.of("campaign.yaml", "journal.jsonl", "report.txt", "report.md", "report.json", "report.csv")) {
                assertThat(directory.resolve("copy").resolve(file))
                        .hasSameBinaryContentAs(directory.resolve("data/run1").resolve(file));
            }
            TraplineProcess.Ended again =
                    run("fetch", "run1", "copy", "--to", served.uri().toString());
            assertThat(again.exitCode()).isEqualTo(1);
            assertThat(again.errText()).contains("copy is not empty");
        }
    }

    @Test
    void whoeverCanNotBeAskedIsNamedWithTheCauseAndTheWayOut() throws Exception {
        String nobody = "http://127.0.0.1:" + freePort();
        TraplineProcess.Ended unanswered = run("status", "--to", nobody);
        assertThat(unanswered.exitCode()).isEqualTo(5);
        assertThat(unanswered.errText())
                .contains("no connection to " + nobody, "nothing listens there", "trapline coordinator");

        TraplineProcess.Ended noAddress = run("status", "--to", "rack-b-1:7071");
        assertThat(noAddress.exitCode()).isEqualTo(1);
        assertThat(noAddress.errText()).contains("--to rack-b-1:7071 is no address");

        try (Served served = serve(0)) {
            TraplineProcess.Ended unknown =
                    run("fetch", "nope", "copy", "--to", served.uri().toString());
            assertThat(unknown.exitCode()).isEqualTo(1);
            assertThat(unknown.errText()).contains("there is no run nope");
            assertThat(directory.resolve("copy")).doesNotExist();
        }
    }

    @Test
    void aTokenOpensACoordinatorThatWantsOne() throws Exception {
        Path token = Files.writeString(directory.resolve("token"), "0123456789abcdefXYZ\n");
        Path other = Files.writeString(directory.resolve("other"), "0123456789abcdef---\n");
        try (Served served = Served.start(campaigns, Served.settings(Optional.of(token), Duration.ofSeconds(10)))) {
            String to = served.uri().toString();
            assertThat(run("status", "--to", to).errText()).contains("wants a token", "--token-file FILE");
            assertThat(run("status", "--to", to, "--token-file", other.toString())
                            .errText())
                    .contains("does not know this token");
            assertThat(run("status", "--to", to, "--token-file", token.toString())
                            .out())
                    .contains("rack-b-1");
        }
    }

    private TraplineProcess start(String... args) throws IOException {
        return TraplineProcess.start(directory, args);
    }

    private TraplineProcess.Ended run(String... args) throws IOException, InterruptedException {
        return TraplineProcess.run(directory, args);
    }

    private Served serve(int port) throws IOException {
        return Served.start(
                campaigns,
                new HttpSettings("127.0.0.1", port, Optional.empty(), Optional.empty(), false, Duration.ofSeconds(10)));
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0)) {
            return socket.getLocalPort();
        }
    }
}

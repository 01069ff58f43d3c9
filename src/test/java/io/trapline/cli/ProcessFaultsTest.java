package io.trapline.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.trapline.analysis.Analysis;
import io.trapline.http.RunView;
import io.trapline.journal.Journal;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Coordinator and workers as processes that are killed, stopped and started again in the middle of what they do. */
class ProcessFaultsTest {
    @TempDir
    private Path directory;

    private TestCluster cluster;

    @BeforeEach
    void describe() throws IOException {
        cluster = TestCluster.hasty(directory);
    }

    @Test
    void aWorkerThatDiesLeavesTheOthersResultsAndItsOwnUpToThenInTheReport() throws Exception {
        try (TestCluster all = cluster.with("trapline.lost-host-has", "10s")) {
            TraplineProcess coordinator = all.coordinator("c");
            TraplineProcess doomed = all.worker("w3", "zulu");
            all.worker("w1", "alpha");
            all.worker("w2", "mike");
            coordinator.awaitErr("is there").awaitErr("is there").awaitErr("is there");
            Path run = all.submit(Campaigns.oneOfEach("2s", 2));
            String begun = "trialBegun.*\"host\":\"zulu\"";
            all.awaitEvents(run, List.of(begun, begun, "rate"));
            doomed.signal("KILL");
            RunView end = all.awaitEnd(run);

            assertThat(end.exitCode()).hasValue(4);
            assertThat(end.reason())
                    .hasValueSatisfying(r -> assertThat(r).contains("host zulu did not come back within 10 s"));
            assertThat(Files.readString(run.resolve("report.txt")))
                    .contains("INCOMPLETE", "on alpha", "on mike", "attempt 1 was lost: host zulu");
            for (Journal.Trial trial : TestCluster.journal(run).trials()) {
                boolean before = trial.planned().cell().host().equals("zulu")
                        && trial.attempts().stream().allMatch(a -> a.lost().isEmpty());
                assertThat(trial.counted().isPresent())
                        .as(
                                "%s on %s",
                                trial.planned().trial(), trial.planned().cell().host())
                        .isEqualTo(!trial.planned().cell().host().equals("zulu")
                                || (before && !trial.attempts().isEmpty()));
            }
        }
    }

    @Test
    void aWorkerThatIsKilledAndStartedAgainLosesTheTrialInHandAloneWhichIsRepeated() throws Exception {
        try (TestCluster all = cluster) {
            TraplineProcess coordinator = all.coordinator("c");
            TraplineProcess first = all.worker("w", "left");
            coordinator.awaitErr("host left is there");
            Path run = all.submit(Campaigns.oneOfEach("2s", 2));
            all.awaitLoad(run, 2);
            first.signal("KILL");
            all.await(first, "w");
            all.worker("w", "left");
            coordinator.awaitErr("host left was lost").awaitErr("has ended; report:");

            assertThat(TestCluster.attempts(run)).containsExactlyInAnyOrder(1, 1, 1, 2);
            assertThat(TestCluster.losses(run))
                    .hasSize(1)
                    .allSatisfy(reason -> assertThat(reason).contains("host left was lost"));
            assertThat(all.outbox("w")).isEmpty();
        }
    }

    @Test
    void aWorkerThatIsToldToEndLosesNothing() throws Exception {
        try (TestCluster all = cluster) {
            TraplineProcess coordinator = all.coordinator("c");
            TraplineProcess first = all.worker("w", "left");
            coordinator.awaitErr("host left is there");
            Path run = all.submit(Campaigns.oneOfEach("8s", 1));
            all.awaitLoad(run, 2);
            first.signal("TERM");
            assertThat(all.await(first, "w").exitCode()).isZero();
            all.worker("w", "left");
            coordinator.awaitErr("has ended; report:");

            Journal journal = TestCluster.journal(run);
            assertThat(journal.trials())
                    .allSatisfy(trial -> assertThat(trial.counted()).isPresent());
            assertThat(TestCluster.attempts(run)).containsExactlyInAnyOrder(1, 2);
            assertThat(journal.trials().stream().flatMap(t -> t.attempts().stream()))
                    .as("readings of the trial that was interrupted are there, too")
                    .allSatisfy(attempt -> assertThat(attempt.readings().size()).isPositive());
            assertThat(all.outbox("w")).isEmpty();
        }
    }

    /** With the periods that users have: these eight seconds are the fault itself. */
    @Test
    void aWorkerThatIsStoppedForEightSecondsIsNotLost() throws Exception {
        try (TestCluster all = new TestCluster(directory)) {
            TraplineProcess coordinator = all.coordinator("c");
            TraplineProcess worker = all.worker("w", "left");
            coordinator.awaitErr("host left is there");
            Path run = all.submit(Campaigns.oneOfEach("10s", 1));
            all.awaitLoad(run, 1);
            worker.signal("STOP");
            CompletableFuture.runAsync(() -> {}, CompletableFuture.delayedExecutor(8, TimeUnit.SECONDS))
                    .join();
            worker.signal("CONT");
            coordinator.awaitErr("has ended; report:");

            assertThat(TestCluster.attempts(run)).containsExactly(1, 1);
            assertThat(coordinator.said()).doesNotContain("was lost");
        }
    }

    @Test
    void aWorkerThatIsStoppedUntilItIsPutOutComesBackByItselfAndRepeatsItsTrial() throws Exception {
        try (TestCluster all = cluster) {
            TraplineProcess coordinator = all.coordinator("c");
            TraplineProcess worker = all.worker("w", "left");
            coordinator.awaitErr("host left is there");
            Path run = all.submit(Campaigns.oneOfEach("2s", 1));
            all.awaitLoad(run, 1);
            worker.signal("STOP");
            coordinator.awaitErr("can't be reached").awaitErr("its worker is gone");
            worker.signal("CONT");
            coordinator.awaitErr("host left is there").awaitErr("has ended; report:");

            assertThat(TestCluster.attempts(run)).containsExactlyInAnyOrder(2, 1);
            assertThat(TestCluster.losses(run)).hasSize(1);
            assertThat(worker.isAlive()).isTrue();
        }
    }

    @Test
    void aCoordinatorKilledInAnyStateOfARunGoesOnWhereItWas() throws Exception {
        List<List<String>> states = List.of(
                List.of("accepted"),
                List.of("trialBegun"),
                List.of("trialBegun", "rate"),
                List.of("trialBegun", "trialEnded"),
                List.of("finished"));
        try (TestCluster all = cluster) {
            Path run = all.queue(Campaigns.oneOfEach("1s", 3));
            TraplineProcess coordinator = all.coordinator("c0");
            coordinator.signal("KILL"); // while the run waits for a host
            TraplineProcess worker = all.worker("w", "left");
            Map<String, Integer> finished = new LinkedHashMap<>();
            for (int i = 0; i < states.size(); i++) {
                coordinator = all.coordinator("c" + (i + 1));
                all.awaitEvents(run, states.get(i));
                coordinator.signal("KILL");
                all.await(coordinator, "c" + (i + 1));
                Journal then = TestCluster.journal(run);
                Set<String> valid = Analysis.validTrials(then);
                then.trials().stream()
                        .filter(t -> valid.contains(t.planned().trial()))
                        .forEach(t -> finished.putIfAbsent(
                                t.planned().trial(), t.attempts().size()));
            }
            all.coordinator("last");

            Journal journal = TestCluster.journal(run);
            assertThat(all.client().runs())
                    .singleElement()
                    .satisfies(r -> assertThat(r.done()).isEqualTo(6));
            assertThat(journal.trials())
                    .hasSize(6)
                    .allSatisfy(trial -> assertThat(trial.counted()).isPresent());
            assertThat(journal.trials())
                    .as("what was finished when a coordinator was killed is not run again")
                    .filteredOn(t -> finished.containsKey(t.planned().trial()))
                    .allSatisfy(t -> assertThat(t.attempts())
                            .hasSize(finished.get(t.planned().trial())));
            assertThat(run.resolve("report.txt")).exists();
            assertThat(worker.isAlive()).isTrue();
        }
    }

    @Test
    void aWorkerWithoutItsCoordinatorStopsItsLoadAndKeepsWhatItMeasured() throws Exception {
        try (TestCluster all = new TestCluster(directory)) {
            TraplineProcess coordinator = all.coordinator("c");
            TraplineProcess worker = all.worker("w", "left");
            coordinator.awaitErr("host left is there");
            Path run = all.submit(Campaigns.oneOfEach("60s", 1));
            all.awaitLoad(run, 1);
            List<ProcessHandle> load = worker.load();
            assertThat(load).isNotEmpty();
            coordinator.signal("KILL");
            for (ProcessHandle process : load) {
                process.onExit().get(12, TimeUnit.SECONDS);
            }

            assertThat(worker.isAlive()).isTrue();
            assertThat(all.outbox("w")).isNotEmpty();
        }
    }
}

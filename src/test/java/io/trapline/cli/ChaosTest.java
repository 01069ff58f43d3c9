package io.trapline.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.trapline.http.RunView;
import io.trapline.journal.Journal;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Random faults, one after the other, while a campaign runs: whatever happens, it ends, and its journal has each reading
 * of each trial once. The seed is printed; {@code -Dtrapline.chaos.seed=N} tries it again and
 * {@code -Dtrapline.chaos.seconds=1200} goes on for longer.
 */
class ChaosTest {
    private static final int LONGEST_PAUSE_MS = 4000;
    private static final int INTERVALS = 5;

    private final long seconds = Long.getLong("trapline.chaos.seconds", 15);
    private final long seed = Long.getLong("trapline.chaos.seed", System.nanoTime());
    private final Random random = new Random(seed);
    private final Map<String, TraplineProcess> workers = new TreeMap<>();
    private final List<String> done = new ArrayList<>();

    @TempDir
    private Path directory;

    private TestCluster cluster;
    private TraplineProcess coordinator;
    private int coordinators;

    @BeforeEach
    void start() throws Exception {
        cluster = TestCluster.hasty(directory);
        startCoordinator();
        for (String host : List.of("alpha", "mike")) {
            startWorker(host);
        }
        coordinator.awaitErr("is there").awaitErr("is there");
    }

    private void startCoordinator() throws Exception {
        coordinator = cluster.coordinator("c" + coordinators++);
    }

    private void startWorker(String host) throws Exception {
        workers.put(host, cluster.worker(host, host, "--simulated", "1"));
    }

    private void pause(int milliseconds) {
        CompletableFuture.runAsync(() -> {}, CompletableFuture.delayedExecutor(milliseconds, TimeUnit.MILLISECONDS))
                .join();
    }

    private void oneFault() throws Exception {
        String host = random.nextBoolean() ? "alpha" : "mike";
        int fault = random.nextInt(5);
        done.add(List.of("kill", "end", "stop", "stop for long", "kill the coordinator of")
                        .get(fault) + " " + host);
        switch (fault) {
            case 0, 1 -> {
                workers.get(host).signal(fault == 0 ? "KILL" : "TERM");
                cluster.await(workers.get(host), host);
                startWorker(host);
            }
            case 2, 3 -> {
                workers.get(host).signal("STOP");
                pause(1 + random.nextInt(fault == 2 ? 1000 : 2 * LONGEST_PAUSE_MS));
                workers.get(host).signal("CONT");
            }
            default -> {
                coordinator.signal("KILL");
                cluster.await(coordinator, "c" + (coordinators - 1));
                startCoordinator();
            }
        }
    }

    @Test
    void whateverHappensTheCampaignEndsAndItsJournalHasEachReadingOnce() throws Exception {
        System.err.println("chaos: -Dtrapline.chaos.seed=" + seed + " for " + seconds + " s");
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
        try (TestCluster all = cluster) {
            Path run = all.submit(Campaigns.oneOfEach("250ms", (int) seconds));
            while (System.nanoTime() < end) {
                pause(random.nextInt(LONGEST_PAUSE_MS));
                oneFault();
            }
            RunView ended = all.awaitEnd(run);
            String story = "seed " + seed + ": " + done;

            assertThat(ended.exitCode().orElse(-1)).as(story).isIn(0, 4);
            Journal journal = TestCluster.journal(run);
            assertThat(journal.duplicates()).as(story).isZero();
            for (Journal.Trial trial : journal.trials()) {
                for (Journal.Attempt attempt : trial.attempts()) {
                    assertThat(attempt.contradictions()).as(story).isEmpty();
                    for (int i = 0; i < attempt.readings().size(); i++) {
                        assertThat(attempt.readings().seq(i)).as(story).isEqualTo(i);
                    }
                }
                boolean givenUp = trial.attempts().size() > 1;
                assertThat(trial.counted().isPresent() || givenUp)
                        .as("%s: %s", story, trial.planned())
                        .isTrue();
                trial.counted()
                        .ifPresent(attempt ->
                                assertThat(attempt.readings().size()).as(story).isEqualTo(INTERVALS + 1));
            }
        }
    }
}

package io.trapline.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import akka.actor.testkit.typed.javadsl.ActorTestKit;
import akka.actor.testkit.typed.javadsl.FishingOutcomes;
import akka.actor.testkit.typed.javadsl.ManualTime;
import akka.actor.testkit.typed.javadsl.TestProbe;
import akka.actor.typed.ActorRef;
import akka.actor.typed.DispatcherSelector;
import io.trapline.campaign.Campaign;
import io.trapline.campaign.CampaignReader;
import io.trapline.campaign.Plan;
import io.trapline.campaign.Planner;
import io.trapline.cluster.RunEvent.Finished.Ending;
import io.trapline.host.HostProfile;
import io.trapline.journal.JournalWriter;
import io.trapline.journal.SampleRun;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.function.LongSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A run whose disk stands still, or that fails itself, still tells its followers how it ended. */
class CampaignRunTest {
    private static final HostProfile HOST = SampleRun.host("vm");

    @TempDir
    private Path directory;

    private ActorTestKit kit;
    private TestProbe<RunEvent> follower;
    private TestProbe<Worker.Command> worker;

    @BeforeEach
    void start() {
        kit = ActorTestKit.create(ManualTime.config().withFallback(Kits.config()));
        follower = kit.createTestProbe();
        worker = kit.createTestProbe();
    }

    @AfterEach
    void stop() {
        kit.shutdownTestKit();
    }

    private ActorRef<CampaignRun.Command> run(LongSupplier nanos) throws Exception {
        Campaign campaign = CampaignReader.parse("test.yaml", """
                apiVersion: trapline/v1
                kind: Campaign
                metadata: {name: test}
                spec:
                  paths: [{name: a, variant: {altstack: swap}}, {name: b, variant: {altstack: same}}]
                  workloads: [signal-altstack]
                  cpus: [1]
                """);
        Plan plan = Planner.plan(campaign, List.of(HOST));
        RunSetup setup = new RunSetup(
                SampleRun.run(1, 1, "a", "b"),
                plan,
                campaign.together(),
                campaign.onLoss(),
                Optional.empty(),
                Duration.ofMinutes(2),
                List.of(HOST),
                Map.of(HOST.name(), "one"),
                Earlier.NOTHING);
        RunLogic logic = new RunLogic(setup, Clock.systemUTC(), nanos);
        return kit.spawn(CampaignRun.create("r1", logic, journal(), Map.of(HOST.name(), worker.ref()), follower.ref()));
    }

    private JournalWriter journal() throws IOException {
        return JournalWriter.open(directory.resolve("journal.jsonl"));
    }

    @Test
    void aTrialIsPreparedOnceItsBeginningIsOnDisk() throws Exception {
        run(() -> 0);

        worker.expectMessageClass(Worker.Attach.class);
        assertThat(worker.expectMessageClass(Worker.Prepare.class).attempt().number())
                .isEqualTo(1);
        assertThat(directory.resolve("journal.jsonl")).content().contains("\"type\":\"begun\"");
    }

    @Test
    void aDiskThatStandsStillEndsTheRunAfterAMinuteWithThatReason() throws Exception {
        CountDownLatch disk = new CountDownLatch(1);
        try {
            for (int thread = 0; thread < 2; thread++) { // all that may wait for a disk
                kit.system()
                        .dispatchers()
                        .lookup(DispatcherSelector.fromConfig("trapline.blocking-dispatcher"))
                        .execute(() -> awaitQuietly(disk));
            }
            run(() -> 0);
            worker.expectMessageClass(Worker.Attach.class);
            follower.expectMessageClass(RunEvent.Accepted.class);
            follower.expectMessageClass(RunEvent.TrialBegun.class);
            ManualTime.get(kit.system()).timePasses(Patience.UNTIL_SYNCED.minusSeconds(1));
            follower.expectNoMessage();
            ManualTime.get(kit.system()).timePasses(Duration.ofSeconds(1));

            RunEvent.Finished end = follower.expectMessageClass(RunEvent.Finished.class);
            assertThat(end.ending()).isEqualTo(Ending.JOURNAL_FAILED);
            assertThat(end.reason()).isEqualTo("the journal was not on its disk within 60 s");
        } finally {
            disk.countDown();
        }
    }

    private static void awaitQuietly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Test
    void aRunThatFailsByAnErrorOfItsOwnTellsItsFollowers() throws Exception {
        int[] asked = {0};
        ActorRef<CampaignRun.Command> run = run(() -> {
            if (asked[0]++ > 0) {
                throw new IllegalStateException("an error of the run's own, on purpose");
            }
            return 0;
        });
        worker.expectMessageClass(Worker.Attach.class);
        worker.expectMessageClass(Worker.Prepare.class);
        run.tell(new CampaignRun.WorkerLost(HOST.name(), "gone"));
        run.tell(new CampaignRun.Cancel("stop"));

        RunEvent last = follower.fishForMessage(
                        Duration.ofSeconds(5),
                        event -> event instanceof RunEvent.Finished
                                ? FishingOutcomes.complete()
                                : FishingOutcomes.continueAndIgnore())
                .get(0);
        assertThat(((RunEvent.Finished) last).reason()).contains("the run broke off by an error of its own");
        follower.expectTerminated(run, Duration.ofSeconds(5));
    }
}

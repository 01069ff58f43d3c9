package io.trapline.cluster;

import static io.trapline.cluster.Samples.done;
import static io.trapline.cluster.Samples.failed;
import static io.trapline.cluster.Samples.ready;
import static org.assertj.core.api.Assertions.assertThat;

import io.trapline.campaign.Campaign.OnLoss;
import io.trapline.campaign.Cell;
import io.trapline.campaign.Plan;
import io.trapline.cluster.RunEvent.Finished.Ending;
import io.trapline.host.CpuSet;
import io.trapline.host.Method;
import io.trapline.host.Model;
import io.trapline.host.Timing;
import io.trapline.host.TrialSpec;
import io.trapline.host.Workload;
import io.trapline.journal.JournalRecord;
import io.trapline.trigger.Reply;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A run's protocol, one state after the other, without actors. */
class RunLogicTest {
    private static final Timing TIMING = new Timing(Duration.ofMillis(100), Duration.ofMillis(100), 2);
    private static final Clock NOON = Clock.fixed(Instant.parse("2026-11-30T12:00:00Z"), ZoneOffset.UTC);

    private final List<Effect> seen = new ArrayList<>();
    private final Map<Attempt, Integer> said = new HashMap<>();

    @Test
    void anUndisturbedTrialGoesFromPrepareToDiskBeforeTheNextOneBegins() {
        RunLogic run = run(OnLoss.REPEAT, Earlier.NOTHING, "t1", "t2");

        take(run.start());
        assertThat(only(Effect.Prepare.class))
                .extracting(p -> p.attempt().trial())
                .containsExactly("t1");
        assertThat(only(Effect.Go.class)).isEmpty();

        take(say(run, new Attempt("t1", 1), ready("t1")));
        assertThat(only(Effect.Go.class)).hasSize(1);

        take(say(run, new Attempt("t1", 1), done("t1", false)));
        assertThat(only(Effect.Prepare.class)).isEmpty();
        long mark = only(Effect.Sync.class).get(0).mark();

        take(run.onSynced(mark));
        assertThat(only(Effect.Prepare.class))
                .extracting(p -> p.attempt().trial())
                .containsExactly("t2");
    }

    @Test
    void aRunIsFinishedOnlyWhenItsLastLineIsOnDisk() {
        RunLogic run = run(OnLoss.REPEAT, Earlier.NOTHING, "t1");
        take(run.start());
        take(say(run, new Attempt("t1", 1), ready("t1")));
        take(say(run, new Attempt("t1", 1), done("t1", false)));

        take(run.onSynced(only(Effect.Sync.class).get(0).mark()));
        assertThat(finished()).isEmpty();
        assertThat(only(Effect.Append.class)).anyMatch(a -> a.line() instanceof JournalRecord.Ended);

        take(run.onSynced(only(Effect.Sync.class).get(0).mark()));
        assertThat(finished()).map(RunEvent.Finished::ending).contains(Ending.COMPLETE);
    }

    @Test
    void aFailedTrialIsRepeatedOnceAndThenLeft() {
        RunLogic run = run(OnLoss.REPEAT, Earlier.NOTHING, "t1", "t2");
        take(run.start());

        take(say(run, new Attempt("t1", 1), failed("t1")));
        take(run.onSynced(only(Effect.Sync.class).get(0).mark()));
        assertThat(only(Effect.Prepare.class))
                .extracting(Effect.Prepare::attempt)
                .containsExactly(new Attempt("t1", 2));

        take(say(run, new Attempt("t1", 2), failed("t1")));
        take(run.onSynced(only(Effect.Sync.class).get(0).mark()));
        assertThat(only(Effect.Prepare.class))
                .extracting(Effect.Prepare::attempt)
                .containsExactly(new Attempt("t2", 1));
    }

    @ParameterizedTest
    @EnumSource(OnLoss.class)
    void whatAFailedTrialMeansIsTheCampaignsWord(OnLoss onLoss) {
        RunLogic run = run(onLoss, Earlier.NOTHING, "t1", "t2");
        take(run.start());

        take(say(run, new Attempt("t1", 1), failed("t1")));
        take(run.onSynced(only(Effect.Sync.class).get(0).mark()));

        List<Attempt> next =
                only(Effect.Prepare.class).stream().map(Effect.Prepare::attempt).toList();
        switch (onLoss) {
            case REPEAT -> assertThat(next).containsExactly(new Attempt("t1", 2));
            case PARTIAL -> assertThat(next).containsExactly(new Attempt("t2", 1));
            case FAIL -> {
                take(run.onSynced(only(Effect.Sync.class).get(0).mark()));
                assertThat(next).isEmpty();
                assertThat(finished()).map(RunEvent.Finished::ending).contains(Ending.TRIAL_FAILED);
                assertThat(finished())
                        .map(RunEvent.Finished::reason)
                        .hasValueSatisfying(r -> assertThat(r).contains("t1").contains("perf_event_open"));
            }
        }
    }

    @Test
    void aWorkerThatSaysNothingIsStoppedAtTheDeadlineAndItsTrialIsLost() {
        RunLogic run = run(OnLoss.REPEAT, Earlier.NOTHING, "t1");
        take(run.start());
        Effect.Arm armed = only(Effect.Arm.class).get(0);

        miss(run, armed);

        assertThat(only(Effect.Stop.class)).hasSize(1);
        assertThat(appended(JournalRecord.Lost.class))
                .singleElement()
                .satisfies(lost -> assertThat(lost.reason()).contains("the ready of trial t1 attempt 1 on vm"));
    }

    @Test
    void aQuestionThatWasLostIsAskedAgain() {
        RunLogic run = run(OnLoss.REPEAT, Earlier.NOTHING, "t1");
        take(run.start());
        Effect.Prepare prepare = only(Effect.Prepare.class).get(0);
        Effect.Arm armed = only(Effect.Arm.class).get(0);

        take(run.onDeadline("vm", armed.attempt(), armed.waitingFor()));
        assertThat(only(Effect.Prepare.class)).containsExactly(prepare);

        take(say(run, new Attempt("t1", 1), ready("t1")));
        Effect.Go go = only(Effect.Go.class).get(0);
        take(run.onDeadline("vm", armed.attempt(), armed.waitingFor()));
        assertThat(only(Effect.Go.class)).containsExactly(go);

        take(say(run, new Attempt("t1", 1), new Reply.Started("t1", 1, 2)));
        take(run.onDeadline("vm", armed.attempt(), armed.waitingFor()));
        assertThat(only(Effect.Go.class)).as("it runs").isEmpty();
    }

    @Test
    void whatAnOlderAttemptSaysLateIsKeptAndChangesNothing() {
        RunLogic run = run(OnLoss.REPEAT, Earlier.NOTHING, "t1");
        take(run.start());
        Effect.Arm armed = only(Effect.Arm.class).get(0);
        miss(run, armed);
        take(run.onSynced(only(Effect.Sync.class).get(0).mark()));

        take(say(run, new Attempt("t1", 1), done("t1", false)));

        assertThat(seen)
                .singleElement()
                .isInstanceOfSatisfying(
                        Effect.Append.class,
                        append -> assertThat(append.line()).isInstanceOf(JournalRecord.Said.class));
    }

    @Test
    void anOldDeadlineDoesNotHitTheNextAttempt() {
        RunLogic run = run(OnLoss.REPEAT, Earlier.NOTHING, "t1");
        take(run.start());
        Effect.Arm armed = only(Effect.Arm.class).get(0);
        take(say(run, new Attempt("t1", 1), failed("t1")));
        take(run.onSynced(only(Effect.Sync.class).get(0).mark()));

        take(run.onDeadline("vm", armed.attempt(), armed.waitingFor()));

        assertThat(seen).isEmpty();
    }

    @Test
    void cancellingStopsTheTrialInHandKeepsItsLastWordAndFinishes() {
        RunLogic run = run(OnLoss.REPEAT, Earlier.NOTHING, "t1", "t2");
        take(run.start());
        take(say(run, new Attempt("t1", 1), ready("t1")));

        take(run.onCancel("interrupted"));
        assertThat(only(Effect.Stop.class)).hasSize(1);

        take(say(run, new Attempt("t1", 1), done("t1", true)));
        assertThat(appended(JournalRecord.Said.class)).hasSize(1);
        take(run.onSynced(only(Effect.Sync.class).get(0).mark()));
        assertThat(only(Effect.Prepare.class)).isEmpty();
        take(run.onSynced(only(Effect.Sync.class).get(0).mark()));
        assertThat(finished()).contains(new RunEvent.Finished(Ending.CANCELLED, "interrupted"));
    }

    @Test
    void aStoppedTrialThatSaysNothingDoesNotHoldUpTheEnd() {
        RunLogic run = run(OnLoss.REPEAT, Earlier.NOTHING, "t1");
        take(run.start());
        take(run.onCancel("interrupted"));
        Effect.Arm armed = only(Effect.Arm.class).get(0);
        assertThat(armed.after()).isEqualTo(Patience.UNTIL_STOPPED);

        take(run.onDeadline("vm", armed.attempt(), armed.waitingFor()));
        take(run.onSynced(only(Effect.Sync.class).get(0).mark()));
        take(run.onSynced(only(Effect.Sync.class).get(0).mark()));

        assertThat(finished()).map(RunEvent.Finished::ending).contains(Ending.CANCELLED);
    }

    @Test
    void aJournalThatCantBeWrittenEndsTheRunAndNamesWhy() {
        RunLogic run = run(OnLoss.REPEAT, Earlier.NOTHING, "t1", "t2");
        take(run.start());

        take(run.onJournalFailed("out/journal.jsonl: no space left on device"));

        assertThat(only(Effect.Stop.class)).hasSize(1);
        assertThat(only(Effect.Append.class)).isEmpty();
        assertThat(finished())
                .contains(new RunEvent.Finished(Ending.JOURNAL_FAILED, "out/journal.jsonl: no space left on device"));
    }

    @Test
    void whatWasMeasuredBeforeIsNotMeasuredAgainAndAttemptsGoOnCounting() {
        Earlier earlier = new Earlier(Map.of(), Set.of("t1"), Map.of("t1", 1, "t2", 2), List.of(), List.of());
        RunLogic run = run(OnLoss.REPEAT, earlier, "t1", "t2");

        take(run.start());

        assertThat(only(Effect.Prepare.class))
                .extracting(Effect.Prepare::attempt)
                .containsExactly(new Attempt("t2", 3));
    }

    @Test
    void aRunWithNothingLeftToDoIsComplete() {
        Earlier earlier = new Earlier(Map.of(), Set.of("t1"), Map.of("t1", 1), List.of(), List.of());
        RunLogic run = run(OnLoss.REPEAT, earlier, "t1");

        take(run.start());
        take(run.onSynced(only(Effect.Sync.class).get(0).mark()));

        assertThat(finished()).map(RunEvent.Finished::ending).contains(Ending.COMPLETE);
    }

    @Test
    void aLostWorkerSpoilsItsTrialWhichIsRepeatedWhenItIsBack() {
        RunLogic run = run(OnLoss.REPEAT, Earlier.NOTHING, "t1");
        take(run.start());
        take(say(run, new Attempt("t1", 1), ready("t1")));

        take(run.onWorkerLost("vm", "host vm was lost: its worker is gone"));
        assertThat(appended(JournalRecord.Lost.class))
                .containsExactly(new JournalRecord.Lost("t1", 1, "host vm was lost: its worker is gone"));
        assertThat(only(Effect.AwaitReturn.class)).hasSize(1);
        take(run.onSynced(only(Effect.Sync.class).get(0).mark()));
        assertThat(only(Effect.Prepare.class)).isEmpty();

        take(run.onWorkerBack("vm", "another"));
        assertThat(only(Effect.Prepare.class))
                .extracting(Effect.Prepare::attempt)
                .containsExactly(new Attempt("t1", 2));
        assertThat(appended(JournalRecord.Begun.class))
                .extracting(JournalRecord.Begun::worker)
                .containsExactly("another");
    }

    @Test
    void aHostThatDoesNotComeBackEndsTheRunByNameAndKeepsWhatWasMeasured() {
        RunLogic run = run(OnLoss.REPEAT, Earlier.NOTHING, "t1", "t2");
        take(run.start());
        take(run.onWorkerLost("vm", "host vm was lost: its worker is gone"));
        take(run.onSynced(only(Effect.Sync.class).get(0).mark()));

        take(run.onNoReturn("vm"));
        take(run.onSynced(only(Effect.Sync.class).get(0).mark()));

        assertThat(finished()).hasValueSatisfying(end -> {
            assertThat(end.ending()).isEqualTo(Ending.HOST_LOST);
            assertThat(end.reason()).contains("host vm did not come back within 120 s, with 2 trials left");
        });
    }

    @Test
    void aHostThatIsBackInTimeIsNotGivenUp() {
        RunLogic run = run(OnLoss.REPEAT, Earlier.NOTHING, "t1");
        take(run.start());
        take(run.onWorkerLost("vm", "host vm was lost: its worker is gone"));
        take(run.onSynced(only(Effect.Sync.class).get(0).mark()));
        take(run.onWorkerBack("vm", "another"));

        take(run.onNoReturn("vm"));

        assertThat(seen).isEmpty();
    }

    @Test
    void aRunThatGoesOnWithoutItsHostWaitsForIt() {
        Earlier earlier = new Earlier(Map.of(), Set.of(), Map.of("t1", 1), List.of(), List.of());
        RunLogic run = run(OnLoss.REPEAT, earlier, Map.of(), "t1");

        take(run.start());
        assertThat(only(Effect.Prepare.class)).isEmpty();
        assertThat(only(Effect.AwaitReturn.class)).hasSize(1);

        take(run.onWorkerBack("vm", "incarnation"));
        assertThat(only(Effect.Prepare.class))
                .extracting(Effect.Prepare::attempt)
                .containsExactly(new Attempt("t1", 2));
    }

    @Test
    void whatAnAttemptBeforeTheRestartStillHadToSayIsTakenInWhereItBrokeOff() {
        Attempt before = new Attempt("t1", 1);
        Earlier earlier = new Earlier(
                Map.of(), Set.of(), Map.of("t1", 1), List.of(), List.of(new Earlier.Told(before, "incarnation", 1)));
        RunLogic run = run(OnLoss.REPEAT, earlier, "t1");
        take(run.start());

        take(say(run, before, ready("t1")));
        assertThat(appended(JournalRecord.Said.class)).isEmpty();
        take(say(run, before, done("t1", true)));
        assertThat(appended(JournalRecord.Said.class)).hasSize(1);
        assertThat(run.ledger().duplicates()).isEqualTo(1);
    }

    @Test
    void aWorkerThatWantsAReceiptGetsItWhenItsRecordsAreOnDiskAndOneSyncServesMany() {
        RunLogic run = run(OnLoss.REPEAT, Earlier.NOTHING, "t1");
        take(run.start());
        Origin origin = new Origin("run1", new Attempt("t1", 1), "incarnation");

        take(run.onDelivery(new Delivery.Word(origin, 0, true, ready("t1"))));
        long first = only(Effect.Sync.class).get(0).mark();
        take(run.onDelivery(new Delivery.Word(origin, 1, true, new Reply.Started("t1", 1, 1))));
        assertThat(only(Effect.Sync.class)).isEmpty();

        take(run.onSynced(first));
        assertThat(only(Effect.Acknowledge.class))
                .extracting(Effect.Acknowledge::receipt)
                .containsExactly(new Receipt(origin, 1));
        take(run.onSynced(only(Effect.Sync.class).get(0).mark()));
        assertThat(only(Effect.Acknowledge.class))
                .extracting(Effect.Acknowledge::receipt)
                .containsExactly(new Receipt(origin, 2));
    }

    @Test
    void theRateIsMadeOfTheStampsNotOfTheNominalInterval() {
        RunLogic run = run(OnLoss.REPEAT, Earlier.NOTHING, "t1");
        take(run.start());
        take(say(run, new Attempt("t1", 1), ready("t1")));
        take(say(run, new Attempt("t1", 1), new Reply.Interval("t1", 0, 1_000, 10, new long[] {5, 5})));
        assertThat(only(Effect.Tell.class)).isEmpty();

        take(say(run, new Attempt("t1", 1), new Reply.Interval("t1", 1, 250_001_000, 10, new long[] {505, 505})));

        assertThat(only(Effect.Tell.class))
                .extracting(Effect.Tell::event)
                .containsExactly(new RunEvent.Rate("t1", 4000));
    }

    @Test
    void readingsThatCameTogetherMakeOneRate() {
        RunLogic run = run(OnLoss.REPEAT, Earlier.NOTHING, "t1");
        take(run.start());
        Attempt attempt = new Attempt("t1", 1);
        Origin origin = new Origin("run1", attempt, "incarnation");
        take(say(run, attempt, ready("t1")));

        take(run.onDelivery(new Delivery.Readings(origin, 1, false, List.of(reading(0, 0), reading(1, 400)))));
        assertThat(rates()).containsExactly(400.0);
        take(run.onDelivery(
                new Delivery.Readings(origin, 3, false, List.of(reading(2, 500), reading(3, 700), reading(4, 1000)))));
        assertThat(rates()).containsExactly(200.0);
        assertThat(appended(JournalRecord.Said.class)).hasSize(3);

        take(run.onDelivery(new Delivery.Readings(origin, 3, false, List.of(reading(2, 500)))));
        assertThat(rates()).isEmpty();
    }

    /** A reading a second. */
    private static Reply.Interval reading(long seq, long ops) {
        return new Reply.Interval("t1", seq, 1_000_000_000 * seq, 10, new long[] {ops});
    }

    private List<Double> rates() {
        return only(Effect.Tell.class).stream()
                .map(Effect.Tell::event)
                .filter(RunEvent.Rate.class::isInstance)
                .map(event -> ((RunEvent.Rate) event).opsPerSecond())
                .toList();
    }

    private List<Effect> say(RunLogic run, Attempt attempt, Reply.OfTrial reply) {
        long number = said.merge(attempt, 1, Integer::sum) - 1L;
        return run.onDelivery(new Delivery.Word(new Origin("run1", attempt, "incarnation"), number, false, reply));
    }

    private void take(List<Effect> effects) {
        seen.clear();
        seen.addAll(effects);
    }

    private <E extends Effect> List<E> only(Class<E> kind) {
        return seen.stream().filter(kind::isInstance).map(kind::cast).toList();
    }

    /** Misses each deadline until the trial is given up. */
    private void miss(RunLogic run, Effect.Arm armed) {
        do {
            take(run.onDeadline("vm", armed.attempt(), armed.waitingFor()));
        } while (only(Effect.Stop.class).isEmpty());
    }

    private <R extends JournalRecord> List<R> appended(Class<R> kind) {
        return only(Effect.Append.class).stream()
                .map(Effect.Append::line)
                .filter(kind::isInstance)
                .map(kind::cast)
                .toList();
    }

    private Optional<RunEvent.Finished> finished() {
        return only(Effect.Tell.class).stream()
                .map(Effect.Tell::event)
                .filter(RunEvent.Finished.class::isInstance)
                .map(RunEvent.Finished.class::cast)
                .findFirst();
    }

    private static RunLogic run(OnLoss onLoss, Earlier earlier, String... trials) {
        return run(onLoss, earlier, Map.of("vm", "incarnation"), trials);
    }

    private static RunLogic run(OnLoss onLoss, Earlier earlier, Map<String, String> workers, String... trials) {
        List<Plan.Trial> planned = new ArrayList<>();
        for (String id : trials) {
            Cell cell = new Cell("locked", Workload.named("syscall-count"), Model.THREADS, CpuSet.of(0), "vm");
            planned.add(new Plan.Trial(
                    id,
                    cell,
                    1,
                    new TrialSpec(id, cell.workload(), cell.model(), cell.cpus(), Method.DEFAULT, TIMING)));
        }
        JournalRecord.Run header = new JournalRecord.Run(
                JournalRecord.FORMAT,
                "run1",
                "test",
                Optional.empty(),
                "00",
                "test",
                NOON.instant(),
                List.of(),
                TIMING,
                1,
                Optional.empty());
        RunSetup setup = new RunSetup(
                header,
                new Plan(planned, List.of(), List.of()),
                Optional.empty(),
                onLoss,
                Optional.empty(),
                Duration.ofMinutes(2),
                List.of(),
                workers,
                earlier);
        return new RunLogic(setup, NOON, () -> 0);
    }
}

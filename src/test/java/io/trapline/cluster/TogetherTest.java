package io.trapline.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.trapline.campaign.Campaign.OnLoss;
import io.trapline.campaign.Campaign.Together;
import io.trapline.campaign.Cell;
import io.trapline.campaign.Plan;
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
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Trials that run on several hosts at one moment, without actors. */
class TogetherTest {
    private static final Timing TIMING = new Timing(Duration.ofMillis(100), Duration.ofMillis(100), 2);
    private static final Clock NOON = Clock.fixed(Instant.parse("2026-11-30T12:00:00Z"), ZoneOffset.UTC);
    private static final List<String> HOSTS = List.of("a", "b", "c");
    private static final long ROUND_TRIP = 1000;

    private final List<Effect> seen = new ArrayList<>();
    private final Map<Attempt, Integer> said = new HashMap<>();
    private long now = 1_000_000;

    @Test
    void noneGoesBeforeAllAreReadyAndEachClockIsKnownAndThenAllAtOneInstant() {
        RunLogic run = begin(OnLoss.REPEAT);
        assertThat(only(Effect.Prepare.class)).extracting(Effect.Prepare::host).containsExactlyElementsOf(HOSTS);

        ready(run, "a");
        ready(run, "b");
        assertThat(only(Effect.ReadClock.class)).isEmpty();
        ready(run, "c");
        readClocks(run, "a", "b");
        assertThat(only(Effect.Go.class)).isEmpty();
        readClocks(run, "c");

        List<Effect.Go> starts = only(Effect.Go.class);
        assertThat(starts).extracting(Effect.Go::host).containsExactlyElementsOf(HOSTS);
        assertThat(starts)
                .extracting(go -> go.atNs().orElseThrow() - ahead(go.host()))
                .containsOnly(now + Barrier.LEAD.toNanos());
        assertThat(appended(JournalRecord.Barrier.class))
                .singleElement()
                .satisfies(barrier -> assertThat(barrier.clocks())
                        .extracting(JournalRecord.HostClock::offsetNs)
                        .containsExactly(ahead("a"), ahead("b"), ahead("c")));
    }

    @Test
    void oneThatHearsOfTheStartTooLateEndsTheAttemptForAllAndAllRepeatIt() {
        RunLogic run = begin(OnLoss.REPEAT);
        start(run);

        say(run, "b", new Reply.Failed(trial("b"), "go", OptionalInt.empty(), "late", Optional.empty()));
        assertThat(only(Effect.Stop.class)).extracting(Effect.Stop::host).containsExactly("a", "c");
        say(run, "a", Samples.done(trial("a"), true));
        say(run, "c", Samples.done(trial("c"), true));
        syncAll(run);

        assertThat(only(Effect.Prepare.class))
                .extracting(Effect.Prepare::attempt)
                .containsExactly(new Attempt("ta", 2), new Attempt("tb", 2), new Attempt("tc", 2));
    }

    @ParameterizedTest
    @EnumSource(OnLoss.class)
    void aHostThatIsLostWhileTheyRunMeansWhatTheCampaignSays(OnLoss onLoss) {
        RunLogic run = begin(onLoss);
        start(run);

        take(run.onWorkerLost("b", "host b was lost"));
        assertThat(only(Effect.Stop.class))
                .extracting(Effect.Stop::host)
                .containsExactlyElementsOf(onLoss == OnLoss.PARTIAL ? List.of() : List.of("a", "c"));
        say(run, "a", Samples.done(trial("a"), onLoss != OnLoss.PARTIAL));
        say(run, "c", Samples.done(trial("c"), onLoss != OnLoss.PARTIAL));
        syncAll(run);

        switch (onLoss) {
            case REPEAT -> {
                assertThat(only(Effect.Prepare.class)).as("not without b").isEmpty();
                take(run.onWorkerBack("b", "another"));
                assertThat(only(Effect.Prepare.class)).hasSize(3);
            }
            case FAIL -> {
                syncAll(run);
                assertThat(finished()).hasValue(RunEvent.Finished.Ending.TRIAL_FAILED);
            }
            case PARTIAL -> {
                syncAll(run);
                assertThat(finished()).hasValue(RunEvent.Finished.Ending.COMPLETE);
            }
        }
    }

    @Test
    void whatIsAskedOfOneHostIsAskedAgainUntilItAnswers() {
        RunLogic run = begin(OnLoss.REPEAT);
        HOSTS.forEach(host -> ready(run, host));
        Effect.Arm armed = only(Effect.Arm.class).stream()
                .filter(a -> a.host().equals("b"))
                .reduce((first, last) -> last)
                .orElseThrow();
        seen.clear();

        take(run.onDeadline("b", armed.attempt(), armed.waitingFor()));

        assertThat(only(Effect.ReadClock.class))
                .extracting(Effect.ReadClock::host)
                .containsExactly("b");
    }

    /** In whatever order answers come, doubled or lost and asked for again, the run ends and all start at one instant. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20})
    void inAnyOrderOfAnswersAllStartAtOneInstantAndTheRunEnds(long seed) {
        Random random = new Random(seed);
        for (int runs = 0; runs < 25; runs++) {
            said.clear();
            anyOrder(random);
        }
    }

    private void anyOrder(Random random) {
        RunLogic run = run(OnLoss.REPEAT);
        List<Effect> open = new ArrayList<>();
        Map<String, Long> starts = new HashMap<>();
        List<Effect> fresh = run.start();
        Map<String, Effect.Arm> armed = new LinkedHashMap<>();
        for (int step = 0; step < 20_000; step++) {
            for (Effect effect : fresh) {
                if (effect instanceof Effect.Arm arm) {
                    armed.put(arm.host(), arm);
                } else if (effect instanceof Effect.Disarm disarm) {
                    armed.remove(disarm.host());
                } else if (effect instanceof Effect.Tell tell && tell.event() instanceof RunEvent.Finished finished) {
                    assertThat(finished.ending()).isEqualTo(RunEvent.Finished.Ending.COMPLETE);
                    assertThat(starts.values()).hasSize(3).containsOnly(starts.get("a"));
                    return;
                } else if (random.nextInt(6) > 0 || effect instanceof Effect.Sync) {
                    open.add(effect); // else lost on its way
                    if (random.nextInt(6) == 0 && !(effect instanceof Effect.Sync)) {
                        open.add(effect);
                    }
                }
            }
            now += 1000;
            if (open.isEmpty()) {
                Effect.Arm next = new ArrayList<>(armed.values()).get(random.nextInt(armed.size()));
                fresh = run.onDeadline(next.host(), next.attempt(), next.waitingFor());
            } else {
                fresh = answer(run, open.remove(random.nextInt(open.size())), starts);
            }
        }
        throw new AssertionError("the run does not end; open are " + open + ", armed " + armed);
    }

    /** What a worker does that hears nothing twice. */
    private List<Effect> answer(RunLogic run, Effect effect, Map<String, Long> starts) {
        if (effect instanceof Effect.Sync sync) {
            return run.onSynced(sync.mark());
        } else if (effect instanceof Effect.Prepare prepare && said.getOrDefault(prepare.attempt(), 0) == 0) {
            return delivered(
                    run, prepare.attempt(), Samples.ready(prepare.attempt().trial()));
        } else if (effect instanceof Effect.ReadClock read) {
            return run.onClock(
                    read.host(), read.attempt(), now, now + ROUND_TRIP / 2 + ahead(read.host()), now + ROUND_TRIP);
        } else if (effect instanceof Effect.Go go && said.get(go.attempt()) == 1) {
            starts.put(go.host(), go.atNs().orElseThrow() - ahead(go.host()));
            List<Effect> out = new ArrayList<>(
                    delivered(run, go.attempt(), new Reply.Started(go.attempt().trial(), 1, 2)));
            out.addAll(delivered(run, go.attempt(), Samples.done(go.attempt().trial(), false)));
            return out;
        }
        return List.of();
    }

    private RunLogic begin(OnLoss onLoss) {
        RunLogic run = run(onLoss);
        take(run.start());
        return run;
    }

    private void start(RunLogic run) {
        HOSTS.forEach(host -> ready(run, host));
        readClocks(run, "a", "b", "c");
        HOSTS.forEach(host -> {
            if (!host.equals("b")) {
                say(run, host, new Reply.Started(trial(host), 1, 2));
            }
        });
        seen.clear();
    }

    private void ready(RunLogic run, String host) {
        say(run, host, Samples.ready(trial(host)));
    }

    private void readClocks(RunLogic run, String... hosts) {
        for (String host : hosts) {
            for (int i = 0; i < ClockOffset.ENOUGH; i++) {
                take(run.onClock(host, attempt(host), now, now + ROUND_TRIP / 2 + ahead(host), now + ROUND_TRIP));
            }
        }
    }

    private static long ahead(String host) {
        return 1_000_000_000_000L * (1 + HOSTS.indexOf(host));
    }

    private void say(RunLogic run, String host, Reply.OfTrial reply) {
        take(delivered(run, attempt(host), reply));
    }

    private List<Effect> delivered(RunLogic run, Attempt attempt, Reply.OfTrial reply) {
        int first = said.merge(attempt, 1, Integer::sum) - 1;
        return run.onDelivery(new Delivery.Word(new Origin("run1", attempt, "first"), first, false, reply));
    }

    private void syncAll(RunLogic run) {
        List<Effect> before = List.copyOf(unsynced);
        unsynced.clear();
        before.forEach(e -> take(run.onSynced(((Effect.Sync) e).mark())));
    }

    private final List<Effect> unsynced = new ArrayList<>();

    /** Keeps what the last calls asked for since the last look at it. */
    private void take(List<Effect> effects) {
        seen.addAll(effects);
        effects.stream().filter(Effect.Sync.class::isInstance).forEach(unsynced::add);
    }

    private <E extends Effect> List<E> only(Class<E> kind) {
        List<E> only = seen.stream().filter(kind::isInstance).map(kind::cast).toList();
        seen.removeAll(only);
        return only;
    }

    private <R extends JournalRecord> List<R> appended(Class<R> kind) {
        return only(Effect.Append.class).stream()
                .map(Effect.Append::line)
                .filter(kind::isInstance)
                .map(kind::cast)
                .toList();
    }

    private Optional<RunEvent.Finished.Ending> finished() {
        return only(Effect.Tell.class).stream()
                .map(Effect.Tell::event)
                .filter(RunEvent.Finished.class::isInstance)
                .map(e -> ((RunEvent.Finished) e).ending())
                .findFirst();
    }

    private static String trial(String host) {
        return "t" + host;
    }

    private static Attempt attempt(String host) {
        return new Attempt(trial(host), 1);
    }

    private RunLogic run(OnLoss onLoss) {
        List<Plan.Trial> trials = HOSTS.stream()
                .map(host -> {
                    Cell cell = new Cell("locked", Workload.named("syscall-count"), Model.THREADS, CpuSet.of(0), host);
                    TrialSpec spec = new TrialSpec(
                            trial(host), cell.workload(), cell.model(), cell.cpus(), Method.DEFAULT, TIMING);
                    return new Plan.Trial(trial(host), cell, 1, spec, Optional.of("j1"));
                })
                .toList();
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
        Map<String, String> workers = new HashMap<>();
        Stream.of("a", "b", "c").forEach(host -> workers.put(host, "first"));
        RunSetup setup = new RunSetup(
                header,
                new Plan(trials, List.of(), List.of()),
                Optional.of(new Together(Duration.ofMillis(5))),
                onLoss,
                Optional.empty(),
                Duration.ofMinutes(2),
                List.of(),
                workers,
                Earlier.NOTHING);
        return new RunLogic(setup, NOON, () -> now);
    }
}

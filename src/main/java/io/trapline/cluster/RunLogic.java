package io.trapline.cluster;

import io.trapline.campaign.Campaign.OnLoss;
import io.trapline.campaign.Plan;
import io.trapline.cluster.RunEvent.Finished.Ending;
import io.trapline.host.HostProfile;
import io.trapline.journal.JournalRecord;
import io.trapline.trigger.Reply;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.LongSupplier;

/**
 * A campaign's run as plain logic: told what happened, it answers with what is to be done. Each site (a host, or a
 * machine with its guests) runs its trials in the plan's order, one at a time; the next one is not begun before the last
 * one is on disk, so that writing never falls into a measurement.
 */
final class RunLogic {
    /** How long a worker may take until its threads stand ready. */
    static final Duration READY_WITHIN = Duration.ofSeconds(30);

    /** The same for one whose host is a guest, which may have to boot first. */
    static final Duration GUEST_READY_WITHIN = Duration.ofMinutes(4);

    /** What a trial may take beyond its warm-up and measuring. The host gives up earlier and says more. */
    static final Duration GRACE = Duration.ofSeconds(20);

    /** How long a stopped trial may take to say its last word. */
    static final Duration STOPPED_WITHIN = Duration.ofSeconds(1);

    private static final int ATTEMPTS = 2;

    private final Setup setup;
    private final Clock clock;
    private final LongSupplier nanos;
    private final long startNanos;
    private final Map<String, HostProfile> hosts = new LinkedHashMap<>();
    private final Map<String, Deque<Plan.Trial>> waiting = new LinkedHashMap<>(); // by site
    private final Map<String, InHand> inHand = new LinkedHashMap<>();
    private final List<Effect> effects = new ArrayList<>();

    private int begun;
    private Duration measured = Duration.ZERO;
    private Duration left = Duration.ZERO;
    private long mark;
    private OptionalLong lastMark = OptionalLong.empty();
    private Optional<RunEvent.Finished> ending = Optional.empty();

    /**
     * What a run is made of.
     *
     * @param header the journal's first line of this part
     * @param hosts those that the plan is for
     * @param workers the incarnation of each host's worker
     */
    record Setup(
            JournalRecord.Run header,
            Plan plan,
            OnLoss onLoss,
            List<HostProfile> hosts,
            Map<String, String> workers,
            Earlier earlier) {}

    /**
     * @param clock tells people when
     * @param nanos a monotonic clock
     */
    RunLogic(Setup setup, Clock clock, LongSupplier nanos) {
        this.setup = setup;
        this.clock = clock;
        this.nanos = nanos;
        this.startNanos = nanos.getAsLong();
        setup.hosts().forEach(host -> hosts.put(host.name(), host));
    }

    /** Plans on disk, then the first trial of each host. */
    List<Effect> start() {
        int toRun = 0;
        append(setup.header());
        setup.hosts().forEach(profile -> append(new JournalRecord.HostSeen(profile)));
        for (Plan.Unmeasured cell : setup.plan().unmeasured()) {
            append(new JournalRecord.Unmeasured(cell.cell(), cell.reason()));
        }
        for (Plan.Trial trial : setup.plan().trials()) {
            append(new JournalRecord.Planned(trial.id(), trial.cell(), trial.round()));
            if (!setup.earlier().done().contains(trial.id())) {
                waiting.computeIfAbsent(site(trial.cell().host()), s -> new ArrayDeque<>())
                        .add(trial);
                left = left.plus(trial.spec().timing().total());
                toRun++;
            }
        }
        tell(new RunEvent.Accepted(setup.plan(), toRun));
        if (waiting.isEmpty()) {
            end(Ending.COMPLETE, "complete");
        }
        List.copyOf(waiting.keySet()).forEach(site -> next(site, 1));
        return drain();
    }

    /** A worker passed on what its trigger said. */
    List<Effect> onSaid(String host, Attempt attempt, Reply.OfTrial reply) {
        InHand current = inHand.get(host);
        if (current == null || !current.attempt.equals(attempt) || current.phase == InHand.Phase.SYNCING) {
            return drain(); // of an attempt that was given up: its worker spoke after the deadline
        }
        append(new JournalRecord.Said(attempt.trial(), attempt.number(), reply));
        if (reply instanceof Reply.Ready) {
            onReady(host, current);
        } else if (reply instanceof Reply.Interval interval) {
            onInterval(current, interval);
        } else if (reply instanceof Reply.Done end) {
            sync(host, current, end.stopped() ? Optional.of("stopped before its end") : Optional.empty());
        } else if (reply instanceof Reply.Failed failed) {
            sync(
                    host,
                    current,
                    Optional.of(failed.call() + ": " + failed.error()
                            + failed.fix().map(f -> "; " + f).orElse("")));
        }
        return drain();
    }

    private void onReady(String host, InHand current) {
        if (current.phase == InHand.Phase.STOPPING) {
            return;
        }
        current.phase = InHand.Phase.RUNNING;
        effects.add(new Effect.Go(host, current.attempt));
        int slowness = guest(host).map(HostProfile.Guest::slowness).orElse(1);
        Duration longest = current.trial.spec().timing().total().plus(GRACE).multipliedBy(slowness);
        arm(host, current, longest, "the end of " + current.attempt + " on " + host);
    }

    private void onInterval(InHand current, Reply.Interval interval) {
        current.rateUntil(interval).ifPresent(rate -> tell(new RunEvent.Rate(current.attempt.trial(), rate)));
    }

    /** What was armed for that attempt did not come in time. */
    List<Effect> onDeadline(String host, Attempt attempt, String waitingFor) {
        InHand current = inHand.get(host);
        if (current != null && current.attempt.equals(attempt) && current.phase != InHand.Phase.SYNCING) {
            String reason = "the deadline passed: waited for " + waitingFor;
            if (current.phase != InHand.Phase.STOPPING) {
                effects.add(new Effect.Stop(host, attempt));
            }
            append(new JournalRecord.Lost(attempt.trial(), attempt.number(), reason));
            sync(host, current, Optional.of(reason));
        }
        return drain();
    }

    /** The journal is on disk up to that mark. */
    List<Effect> onSynced(long synced) {
        if (lastMark.isPresent() && lastMark.getAsLong() == synced) {
            ending.ifPresent(this::tell);
            return drain();
        }
        inHand.entrySet().stream()
                .filter(e -> e.getValue().mark == synced)
                .findFirst()
                .ifPresent(e -> onDisk(e.getKey(), e.getValue()));
        return drain();
    }

    private void onDisk(String host, InHand ended) {
        String site = site(host);
        inHand.remove(host);
        left = left.minus(ended.trial.spec().timing().total());
        boolean again = ended.failure.isPresent()
                && ending.isEmpty()
                && setup.onLoss() == OnLoss.REPEAT
                && ended.attempt.number() - attemptsBefore(ended.trial) < ATTEMPTS;
        tell(new RunEvent.TrialEnded(ended.attempt.trial(), ended.rate(), ended.failure, again));
        if (again) {
            left = left.plus(ended.trial.spec().timing().total());
            waiting.get(site).addFirst(ended.trial);
            next(site, ended.attempt.number() - attemptsBefore(ended.trial) + 1);
            return;
        }
        if (ended.failure.isPresent() && setup.onLoss() == OnLoss.FAIL && ending.isEmpty()) {
            end(Ending.TRIAL_FAILED, ended.attempt + ": " + ended.failure.get());
            return;
        }
        next(site, 1);
    }

    /** The followers want no more. */
    List<Effect> onCancel(String reason) {
        if (ending.isEmpty()) {
            end(Ending.CANCELLED, reason);
        }
        return drain();
    }

    /** The journal can't be written any more: what is on disk is all that there will be. */
    List<Effect> onJournalFailed(String reason) {
        RunEvent.Finished failed = new RunEvent.Finished(Ending.JOURNAL_FAILED, reason);
        ending = Optional.of(failed);
        waiting.clear();
        inHand.forEach((host, current) -> {
            effects.add(new Effect.Disarm(host));
            effects.add(new Effect.Stop(host, current.attempt));
        });
        inHand.clear();
        effects.removeIf(e -> e instanceof Effect.Append || e instanceof Effect.Sync);
        tell(failed);
        return drain();
    }

    private void end(Ending how, String reason) {
        ending = Optional.of(new RunEvent.Finished(how, reason));
        waiting.values().forEach(Deque::clear);
        inHand.forEach((host, current) -> {
            if (current.phase != InHand.Phase.SYNCING) {
                current.phase = InHand.Phase.STOPPING;
                effects.add(new Effect.Stop(host, current.attempt));
                arm(host, current, STOPPED_WITHIN, "the last word of " + current.attempt + ", which was stopped");
            }
        });
        finishIfIdle();
    }

    private void next(String site, int number) {
        Deque<Plan.Trial> queue = waiting.get(site);
        if (ending.isPresent() || queue.isEmpty()) {
            if (ending.isEmpty()
                    && inHand.isEmpty()
                    && waiting.values().stream().allMatch(Deque::isEmpty)) {
                end(Ending.COMPLETE, "complete");
            } else {
                finishIfIdle();
            }
            return;
        }
        Plan.Trial trial = queue.removeFirst();
        String host = trial.cell().host();
        InHand current = new InHand(trial, attemptsBefore(trial) + number);
        inHand.put(host, current);
        if (number == 1) {
            begun++;
        }
        append(new JournalRecord.Begun(
                trial.id(), current.attempt.number(), setup.workers().getOrDefault(host, host), clock.instant()));
        tell(new RunEvent.TrialBegun(trial.id(), current.attempt.number(), trial.cell(), begun, left));
        effects.add(new Effect.Prepare(host, current.attempt, trial.spec()));
        Duration ready = guest(host).isPresent() ? GUEST_READY_WITHIN : READY_WITHIN;
        arm(host, current, ready, "the ready of " + current.attempt + " on " + host);
    }

    private void finishIfIdle() {
        if (ending.isPresent() && inHand.isEmpty() && lastMark.isEmpty()) {
            long wallMs = (nanos.getAsLong() - startNanos) / 1_000_000;
            append(new JournalRecord.Ended(ending.get().reason(), wallMs, measured.toMillis(), clock.instant()));
            lastMark = OptionalLong.of(++mark);
            effects.add(new Effect.Sync(mark));
        }
    }

    private void sync(String host, InHand current, Optional<String> failure) {
        current.phase = InHand.Phase.SYNCING;
        current.failure = failure;
        if (failure.isEmpty()) {
            measured = measured.plus(current.trial.spec().timing().total());
        }
        effects.add(new Effect.Disarm(host));
        current.mark = ++mark;
        effects.add(new Effect.Sync(mark));
    }

    private String site(String host) {
        return Optional.ofNullable(hosts.get(host)).map(HostProfile::site).orElse(host);
    }

    private Optional<HostProfile.Guest> guest(String host) {
        return Optional.ofNullable(hosts.get(host)).flatMap(HostProfile::guest);
    }

    private int attemptsBefore(Plan.Trial trial) {
        return setup.earlier().attempts().getOrDefault(trial.id(), 0);
    }

    private void arm(String host, InHand current, Duration after, String waitingFor) {
        effects.add(new Effect.Arm(host, current.attempt, after, waitingFor));
    }

    private void append(JournalRecord line) {
        effects.add(new Effect.Append(line));
    }

    private void tell(RunEvent event) {
        effects.add(new Effect.Tell(event));
    }

    private List<Effect> drain() {
        List<Effect> out = List.copyOf(effects);
        effects.clear();
        return out;
    }
}

package io.trapline.cluster;

import io.trapline.campaign.Campaign.OnLoss;
import io.trapline.campaign.Plan;
import io.trapline.cluster.RunEvent.Finished.Ending;
import io.trapline.journal.JournalRecord;
import io.trapline.trigger.Reply;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.LongSupplier;

/**
 * A campaign's run as plain logic: told what happened, it answers with what is to be done. Each site (a host, or a
 * machine with its guests) runs its trials in the plan's order, one at a time; the next one is not begun before the last
 * one is on disk, so that writing never falls into a measurement.
 */
final class RunLogic {
    private static final int ATTEMPTS = 2;

    private final RunSetup setup;
    private final Clock clock;
    private final LongSupplier nanos;
    private final long startNanos;
    private final Map<String, Deque<Plan.Trial>> waiting = new LinkedHashMap<>(); // by site
    private final Map<String, InHand> inHand = new LinkedHashMap<>();
    private final Map<String, String> hostOfTrial = new HashMap<>();
    /** The incarnation of the worker of each host that is there. */
    private final Map<String, String> present = new HashMap<>();

    private final Map<String, Integer> tries = new HashMap<>();
    /** The hosts that are out for good, with the reason. */
    private final Map<String, String> gone = new LinkedHashMap<>();

    private final Ledger ledger;
    private final List<Effect> effects = new ArrayList<>();

    private int begun;
    private Duration measured = Duration.ZERO;
    private Duration left = Duration.ZERO;
    private long mark;
    /** The mark that records were put on disk for because their worker wants a receipt; empty when none is awaited. */
    private OptionalLong receiptMark = OptionalLong.empty();

    private boolean receiptWanted;
    private OptionalLong lastMark = OptionalLong.empty();
    private Optional<RunEvent.Finished> ending = Optional.empty();

    /**
     * @param clock tells people when
     * @param nanos a monotonic clock
     */
    RunLogic(RunSetup setup, Clock clock, LongSupplier nanos) {
        this.setup = setup;
        this.clock = clock;
        this.nanos = nanos;
        this.startNanos = nanos.getAsLong();
        this.ledger = new Ledger(setup.header().run());
        present.putAll(setup.workers());
        setup.earlier().told().forEach(told -> ledger.open(told.attempt(), told.worker(), told.records()));
    }

    /** What came more than once, or from nowhere. */
    Ledger ledger() {
        return ledger;
    }

    /** Plans on disk, then the first trial of each host. */
    List<Effect> start() {
        int toRun = 0;
        append(setup.header());
        setup.hosts().forEach(profile -> append(new JournalRecord.HostSeen(profile)));
        setup.plan().clipped().forEach(left -> append(new JournalRecord.Clipped(left)));
        for (Plan.Unmeasured cell : setup.plan().unmeasured()) {
            append(new JournalRecord.Unmeasured(cell.cell(), cell.reason()));
        }
        for (Plan.Trial trial : setup.plan().trials()) {
            append(new JournalRecord.Planned(trial.id(), trial.cell(), trial.round()));
            hostOfTrial.put(trial.id(), trial.cell().host());
            if (!setup.earlier().done().contains(trial.id())) {
                waiting.computeIfAbsent(setup.site(trial.cell().host()), s -> new ArrayDeque<>())
                        .add(trial);
                left = left.plus(trial.spec().timing().total());
                toRun++;
            }
        }
        tell(new RunEvent.Accepted(setup.plan(), toRun));
        setup.deadline().ifPresent(after -> effects.add(new Effect.Limit(after)));
        if (waiting.isEmpty()) {
            end(Ending.COMPLETE, JournalRecord.Ended.COMPLETE);
        }
        List.copyOf(waiting.keySet()).forEach(this::next);
        Set.copyOf(hostOfTrial.values()).forEach(this::awaitReturn);
        return drain();
    }

    /** A worker delivered records, perhaps not for the first time. */
    List<Effect> onDelivery(Delivery delivery) {
        Attempt attempt = delivery.origin().attempt();
        String host = hostOfTrial.get(attempt.trial());
        if (host == null || lastMark.isPresent()) {
            return drain(); // the journal is closed to them; their worker will be told to forget this run
        }
        for (Reply.OfTrial reply : ledger.take(delivery)) {
            said(host, attempt, reply);
        }
        tellRate(host);
        receiptWanted |= delivery.urgent();
        syncForReceipt();
        return drain();
    }

    /** What an attempt says that was given up is kept, but changes nothing. */
    private void said(String host, Attempt attempt, Reply.OfTrial reply) {
        append(new JournalRecord.Said(attempt.trial(), attempt.number(), reply));
        InHand current = inHand.get(host);
        if (current == null || !current.attempt.equals(attempt) || current.phase == InHand.Phase.SYNCING) {
            return;
        }
        if (reply instanceof Reply.Ready) {
            onReady(host, current);
        } else if (reply instanceof Reply.Interval interval) {
            current.add(interval);
        } else if (reply instanceof Reply.Done end) {
            sync(host, current, end.stopped() ? Optional.of("stopped before its end") : Optional.empty());
        } else if (reply instanceof Reply.Failed failed) {
            sync(
                    host,
                    current,
                    Optional.of(failed.call() + ": " + failed.error()
                            + failed.fix().map(f -> "; " + f).orElse("")));
        }
    }

    private void onReady(String host, InHand current) {
        if (current.phase == InHand.Phase.STOPPING) {
            return;
        }
        current.phase = InHand.Phase.RUNNING;
        effects.add(new Effect.Go(host, current.attempt));
        Duration longest =
                Patience.untilDone(setup.host(host), current.trial.spec().timing());
        arm(host, current, longest, "the end of " + current.attempt + " on " + host);
    }

    private void tellRate(String host) {
        Optional.ofNullable(inHand.get(host))
                .ifPresent(current ->
                        current.latestRate().ifPresent(rate -> tell(new RunEvent.Rate(current.attempt.trial(), rate))));
    }

    /** What was armed for that attempt did not come in time. */
    List<Effect> onDeadline(String host, Attempt attempt, String waitingFor) {
        InHand current = inHand.get(host);
        if (current != null && current.attempt.equals(attempt) && current.phase != InHand.Phase.SYNCING) {
            if (current.phase != InHand.Phase.STOPPING) {
                effects.add(new Effect.Stop(host, attempt));
            }
            lose(host, current, "the deadline passed: waited for " + waitingFor);
        }
        return drain();
    }

    /** A host's worker is gone, or can't be reached: its trial in hand is spoilt. */
    List<Effect> onWorkerLost(String host, String reason) {
        if (present.remove(host) != null) {
            InHand current = inHand.get(host);
            if (current != null && current.phase != InHand.Phase.SYNCING) {
                lose(host, current, reason);
            }
            awaitReturn(host);
        }
        return drain();
    }

    /** A host's worker is there again, or another one in its place. */
    List<Effect> onWorkerBack(String host, String incarnation) {
        present.put(host, incarnation);
        boolean isBusy = inHand.keySet().stream().anyMatch(h -> setup.site(h).equals(setup.site(host)));
        if (waiting.containsKey(setup.site(host)) && !isBusy) {
            next(setup.site(host));
        }
        return drain();
    }

    /** The time that a host had to come back is over. */
    List<Effect> onNoReturn(String host) {
        return present.containsKey(host)
                ? drain()
                : onHostGone(
                        host, "did not come back within " + setup.untilBack().toSeconds() + " s");
    }

    /** A host is out of this run for good: what it had left to measure is not measured. */
    List<Effect> onHostGone(String host, String reason) {
        Deque<Plan.Trial> queue = waiting.getOrDefault(setup.site(host), new ArrayDeque<>());
        List<Plan.Trial> dropped =
                queue.stream().filter(t -> t.cell().host().equals(host)).toList();
        if (ending.isEmpty() && !(dropped.isEmpty() && !inHand.containsKey(host))) {
            gone.put(host, "host " + host + " " + reason + ", with " + dropped.size() + " trials left");
            dropped.forEach(trial -> left = left.minus(trial.spec().timing().total()));
            queue.removeAll(dropped);
            endIfDone();
        }
        return drain();
    }

    private void awaitReturn(String host) {
        if (!present.containsKey(host) && hostOfTrial.containsValue(host)) {
            effects.add(new Effect.AwaitReturn(host, setup.untilBack()));
        }
    }

    private void lose(String host, InHand current, String reason) {
        Attempt attempt = current.attempt;
        String whole = ledger.gap(attempt).map(gap -> reason + "; " + gap).orElse(reason);
        append(new JournalRecord.Lost(attempt.trial(), attempt.number(), whole));
        sync(host, current, Optional.of(whole));
    }

    /** The journal is on disk up to that mark. */
    List<Effect> onSynced(long synced) {
        for (Receipt receipt : ledger.onDisk(synced)) {
            String host = hostOfTrial.get(receipt.origin().attempt().trial());
            effects.add(new Effect.Acknowledge(host, receipt));
        }
        if (receiptMark.isPresent() && receiptMark.getAsLong() == synced) {
            receiptMark = OptionalLong.empty();
            syncForReceipt();
        }
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
        String site = setup.site(host);
        inHand.remove(host);
        left = left.minus(ended.trial.spec().timing().total());
        boolean again = ended.failure.isPresent()
                && ending.isEmpty()
                && !gone.containsKey(host)
                && setup.onLoss() == OnLoss.REPEAT
                && ended.attempt.number() - attemptsBefore(ended.trial) < ATTEMPTS;
        tell(new RunEvent.TrialEnded(ended.attempt.trial(), ended.rate(), ended.failure, again));
        if (again) {
            left = left.plus(ended.trial.spec().timing().total());
            waiting.get(site).addFirst(ended.trial);
            next(site);
            return;
        }
        if (ended.failure.isPresent() && setup.onLoss() == OnLoss.FAIL && ending.isEmpty()) {
            end(Ending.TRIAL_FAILED, ended.attempt + ": " + ended.failure.get());
            return;
        }
        next(site);
    }

    /** The followers want no more. */
    List<Effect> onCancel(String reason) {
        if (ending.isEmpty()) {
            end(Ending.CANCELLED, reason);
        }
        return drain();
    }

    /** The campaign's deadline has passed. */
    List<Effect> onTimeUp(Duration deadline) {
        if (ending.isEmpty()) {
            end(Ending.TIME_UP, JournalRecord.Ended.timeUp(deadline));
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
                arm(
                        host,
                        current,
                        Patience.UNTIL_STOPPED,
                        "the last word of " + current.attempt + ", which was stopped");
            }
        });
        finishIfIdle();
    }

    private void next(String site) {
        Deque<Plan.Trial> queue = waiting.get(site);
        if (ending.isPresent() || queue.isEmpty()) {
            endIfDone();
        } else if (present.containsKey(queue.getFirst().cell().host())) {
            begin(queue.removeFirst());
        }
    }

    private void endIfDone() {
        boolean nothingLeft = inHand.isEmpty() && waiting.values().stream().allMatch(Deque::isEmpty);
        if (ending.isPresent() || !nothingLeft) {
            finishIfIdle();
        } else if (gone.isEmpty()) {
            end(Ending.COMPLETE, JournalRecord.Ended.COMPLETE);
        } else {
            end(Ending.HOST_LOST, String.join("; ", gone.values()));
        }
    }

    private void begin(Plan.Trial trial) {
        String host = trial.cell().host();
        int number = tries.merge(trial.id(), 1, Integer::sum);
        InHand current = new InHand(trial, attemptsBefore(trial) + number);
        inHand.put(host, current);
        if (number == 1) {
            begun++;
        }
        ledger.open(current.attempt, present.get(host), 0);
        append(new JournalRecord.Begun(trial.id(), current.attempt.number(), present.get(host), clock.instant()));
        tell(new RunEvent.TrialBegun(trial.id(), current.attempt.number(), trial.cell(), begun, left));
        effects.add(new Effect.Prepare(host, current.attempt, trial.spec()));
        arm(host, current, Patience.untilReady(setup.host(host)), "the ready of " + current.attempt + " on " + host);
    }

    private void finishIfIdle() {
        if (ending.isPresent() && inHand.isEmpty() && lastMark.isEmpty()) {
            long wallMs = (nanos.getAsLong() - startNanos) / 1_000_000;
            append(new JournalRecord.Ended(ending.get().reason(), wallMs, measured.toMillis(), clock.instant()));
            lastMark = OptionalLong.of(sync());
        }
    }

    private void sync(String host, InHand current, Optional<String> failure) {
        current.phase = InHand.Phase.SYNCING;
        current.failure = failure;
        if (failure.isEmpty()) {
            measured = measured.plus(current.trial.spec().timing().total());
        }
        effects.add(new Effect.Disarm(host));
        current.mark = sync();
    }

    /** One at a time: a disk that is slow gives receipts for many deliveries at once. */
    private void syncForReceipt() {
        if (receiptWanted && receiptMark.isEmpty() && lastMark.isEmpty()) {
            receiptWanted = false;
            receiptMark = OptionalLong.of(sync());
        }
    }

    private long sync() {
        ledger.seal(++mark);
        effects.add(new Effect.Sync(mark));
        return mark;
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

package io.trapline.cluster;

import io.trapline.campaign.Campaign.OnLoss;
import io.trapline.campaign.Plan;
import io.trapline.cluster.RunEvent.Finished.Ending;
import io.trapline.journal.JournalRecord;
import io.trapline.trigger.Reply;
import java.time.Clock;
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
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
    private final Turns waiting = new Turns();
    private final Map<String, InHand> inHand = new LinkedHashMap<>();
    private final Map<String, String> hostOfTrial = new HashMap<>();
    /** The incarnation of the worker of each host that is there. */
    private final Map<String, String> present = new HashMap<>();

    private final Map<String, Integer> tries = new HashMap<>();
    /** The hosts that are out for good, with the reason. */
    private final Map<String, String> gone = new LinkedHashMap<>();

    private final Ledger ledger;
    private final Effects effects = new Effects();
    private final Asking asking;
    private final Marks marks;

    private int begun;
    private Duration measured = Duration.ZERO;
    private Duration left = Duration.ZERO;
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
        this.asking = new Asking(setup, nanos, effects);
        this.marks = new Marks(ledger, effects);
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
        effects.append(setup.header());
        setup.hosts().forEach(profile -> effects.append(new JournalRecord.HostSeen(profile)));
        setup.plan().clipped().forEach(left -> effects.append(new JournalRecord.Clipped(left)));
        for (Plan.Unmeasured cell : setup.plan().unmeasured()) {
            effects.append(new JournalRecord.Unmeasured(cell.cell(), cell.reason()));
        }
        for (Plan.Trial trial : setup.plan().trials()) {
            effects.append(new JournalRecord.Planned(trial.id(), trial.cell(), trial.round()));
            hostOfTrial.put(trial.id(), trial.cell().host());
            if (!setup.earlier().done().contains(trial.id())) {
                waiting.add(setup.site(trial.cell().host()), trial);
                left = left.plus(trial.spec().timing().total());
                toRun++;
            }
        }
        setup.joints().forEach(effects::append);
        effects.tell(new RunEvent.Accepted(setup.plan(), toRun));
        setup.deadline().ifPresent(after -> effects.add(new Effect.Limit(after)));
        if (waiting.isEmpty()) {
            end(Ending.COMPLETE, JournalRecord.Ended.COMPLETE);
        }
        waiting.sites().forEach(this::next);
        Set.copyOf(hostOfTrial.values()).forEach(this::awaitReturn);
        return effects.drain();
    }

    /** A worker delivered records, perhaps not for the first time. */
    List<Effect> onDelivery(Delivery delivery) {
        Attempt attempt = delivery.origin().attempt();
        String host = hostOfTrial.get(attempt.trial());
        if (host == null || marks.isLastSet()) {
            return effects.drain(); // the journal is closed to them; their worker will be told to forget this run
        }
        for (Reply.OfTrial reply : ledger.take(delivery)) {
            said(host, attempt, reply);
        }
        tellRate(host);
        marks.receiptWanted(delivery.urgent());
        return effects.drain();
    }

    /** What an attempt says that was given up is kept, but changes nothing. */
    private void said(String host, Attempt attempt, Reply.OfTrial reply) {
        effects.append(new JournalRecord.Said(attempt.trial(), attempt.number(), reply));
        InHand current = inHand.get(host);
        if (current == null || !current.attempt.equals(attempt) || current.phase == InHand.Phase.SYNCING) {
            return;
        }
        current.asked = Optional.empty();
        if (reply instanceof Reply.Ready) {
            asking.onReady(host, current);
        } else if (reply instanceof Reply.Started) {
            asking.untilDone(host, current);
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

    /**
     * A host's clock was read, perhaps not for the first time.
     *
     * @param sent when it was asked, by the clock that this logic has
     * @param stamped what the host's clock showed
     * @param received when the answer came
     */
    List<Effect> onClock(String host, Attempt attempt, long sent, long stamped, long received) {
        Optional.ofNullable(inHand.get(host))
                .filter(current -> current.attempt.equals(attempt))
                .ifPresent(current -> asking.onClock(host, current, sent, stamped, received));
        return effects.drain();
    }

    private void tellRate(String host) {
        Optional.ofNullable(inHand.get(host))
                .ifPresent(current -> current.latestRate()
                        .ifPresent(rate -> effects.tell(new RunEvent.Rate(current.attempt.trial(), rate))));
    }

    /** What was armed for that attempt did not come in time. */
    List<Effect> onDeadline(String host, Attempt attempt, String waitingFor) {
        InHand current = inHand.get(host);
        if (current == null || !current.attempt.equals(attempt) || current.phase == InHand.Phase.SYNCING) {
            return effects.drain();
        }
        if (asking.askAgain(host, current, waitingFor)) {
            return effects.drain();
        }
        if (current.phase != InHand.Phase.STOPPING) {
            effects.add(new Effect.Stop(host, attempt));
        }
        lose(host, current, "waited in vain for " + waitingFor);
        return effects.drain();
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
        return effects.drain();
    }

    /** A host's worker is there again, or another one in its place. */
    List<Effect> onWorkerBack(String host, String incarnation) {
        present.put(host, incarnation);
        boolean isBusy = inHand.keySet().stream().anyMatch(h -> setup.site(h).equals(setup.site(host)));
        if (waiting.sites().contains(setup.site(host)) && !isBusy) {
            next(setup.site(host));
        }
        return effects.drain();
    }

    /** The time that a host had to come back is over. */
    List<Effect> onNoReturn(String host) {
        return present.containsKey(host)
                ? effects.drain()
                : onHostGone(
                        host, "did not come back within " + setup.untilBack().toSeconds() + " s");
    }

    /** A host is out of this run for good: what it had left to measure is not measured. */
    List<Effect> onHostGone(String host, String reason) {
        if (ending.isEmpty()) {
            List<Plan.Trial> dropped = waiting.drop(setup.site(host), host);
            if (!dropped.isEmpty() || inHand.containsKey(host)) {
                gone.put(host, "host " + host + " " + reason + ", with " + dropped.size() + " trials left");
                dropped.forEach(trial -> left = left.minus(trial.spec().timing().total()));
                endIfDone();
            }
        }
        return effects.drain();
    }

    private void awaitReturn(String host) {
        if (!present.containsKey(host) && hostOfTrial.containsValue(host)) {
            effects.add(new Effect.AwaitReturn(host, setup.untilBack()));
        }
    }

    private void lose(String host, InHand current, String reason) {
        Attempt attempt = current.attempt;
        String whole = ledger.gap(attempt).map(gap -> reason + "; " + gap).orElse(reason);
        effects.append(new JournalRecord.Lost(attempt.trial(), attempt.number(), whole));
        sync(host, current, Optional.of(whole));
    }

    /** The journal is on disk up to that mark. */
    List<Effect> onSynced(long synced) {
        for (Receipt receipt : ledger.onDisk(synced)) {
            String host = hostOfTrial.get(receipt.origin().attempt().trial());
            effects.add(new Effect.Acknowledge(host, receipt));
        }
        if (marks.onDisk(synced)) {
            ending.ifPresent(effects::tell);
            return effects.drain();
        }
        List.copyOf(inHand.values()).stream()
                .filter(current -> current.mark == synced)
                .forEach(this::onDisk);
        return effects.drain();
    }

    private void onDisk(InHand ended) {
        inHand.remove(ended.trial.cell().host());
        ended.onDisk = true;
        if (ended.turn.isOnDisk()) {
            onOver(ended.turn);
        }
    }

    private void onOver(TurnInHand turn) {
        Optional<String> failure = turn.failure();
        boolean again = failure.isPresent()
                && ending.isEmpty()
                && turn.members.keySet().stream().noneMatch(gone::containsKey)
                && setup.onLoss() == OnLoss.REPEAT
                && turn.number - attemptsBefore(turn.trials) < ATTEMPTS;
        for (InHand member : turn.members.values()) {
            left = again ? left : left.minus(member.trial.spec().timing().total());
            boolean kept = member.failure.isEmpty() && setup.onLoss() == OnLoss.PARTIAL;
            effects.tell(new RunEvent.TrialEnded(
                    member.attempt.trial(), member.rate(), kept ? Optional.empty() : failure, again));
        }
        if (again) {
            waiting.again(turn.site, turn.trials);
        } else if (failure.isPresent() && setup.onLoss() == OnLoss.FAIL && ending.isEmpty()) {
            end(Ending.TRIAL_FAILED, turn.members.values().iterator().next().attempt + ": " + failure.get());
            return;
        }
        next(turn.site);
    }

    /** The followers want no more. */
    List<Effect> onCancel(String reason) {
        if (ending.isEmpty()) {
            end(Ending.CANCELLED, reason);
        }
        return effects.drain();
    }

    /** The campaign's deadline has passed. */
    List<Effect> onTimeUp(Duration deadline) {
        if (ending.isEmpty()) {
            end(Ending.TIME_UP, JournalRecord.Ended.timeUp(deadline));
        }
        return effects.drain();
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
        effects.dropWrites();
        effects.tell(failed);
        return effects.drain();
    }

    private void end(Ending how, String reason) {
        ending = Optional.of(new RunEvent.Finished(how, reason));
        waiting.clear();
        inHand.forEach((host, current) -> {
            if (current.phase != InHand.Phase.SYNCING) {
                asking.stop(host, current);
            }
        });
        finishIfIdle();
    }

    private void next(String site) {
        Optional<List<Plan.Trial>> turn = waiting.next(site);
        if (ending.isPresent() || turn.isEmpty()) {
            endIfDone();
        } else if (turn.get().stream()
                .allMatch(trial -> present.containsKey(trial.cell().host()))) {
            waiting.take(site);
            begin(site, turn.get());
        }
    }

    private void endIfDone() {
        boolean nothingLeft = inHand.isEmpty() && waiting.isEmpty();
        if (ending.isPresent() || !nothingLeft) {
            finishIfIdle();
        } else if (gone.isEmpty()) {
            end(Ending.COMPLETE, JournalRecord.Ended.COMPLETE);
        } else {
            end(Ending.HOST_LOST, String.join("; ", gone.values()));
        }
    }

    private void begin(String site, List<Plan.Trial> trials) {
        int number = tries.merge(trials.get(0).id(), 1, Integer::sum);
        TurnInHand turn = new TurnInHand(site, trials, attemptsBefore(trials) + number, setup.together());
        turn.members.forEach((host, member) -> {
            inHand.put(host, member);
            if (number == 1) {
                begun++;
            }
            begin(host, member);
        });
    }

    private void begin(String host, InHand current) {
        Plan.Trial trial = current.trial;
        ledger.open(current.attempt, present.get(host), 0);
        effects.append(
                new JournalRecord.Begun(trial.id(), current.attempt.number(), present.get(host), clock.instant()));
        effects.tell(new RunEvent.TrialBegun(trial.id(), current.attempt.number(), trial.cell(), begun, left));
        asking.prepare(host, current);
    }

    private void finishIfIdle() {
        if (ending.isPresent() && inHand.isEmpty() && !marks.isLastSet()) {
            long wallMs = (nanos.getAsLong() - startNanos) / 1_000_000;
            effects.append(
                    new JournalRecord.Ended(ending.get().reason(), wallMs, measured.toMillis(), clock.instant()));
            marks.last();
        }
    }

    private void sync(String host, InHand current, Optional<String> failure) {
        current.phase = InHand.Phase.SYNCING;
        current.failure = failure;
        if (failure.isEmpty()) {
            measured = measured.plus(current.trial.spec().timing().total());
        }
        effects.add(new Effect.Disarm(host));
        current.mark = marks.next();
        failure.ifPresent(why -> asking.abort(host, current.turn));
    }

    private int attemptsBefore(List<Plan.Trial> trials) {
        return trials.stream()
                .mapToInt(trial -> setup.earlier().attempts().getOrDefault(trial.id(), 0))
                .max()
                .orElse(0);
    }
}

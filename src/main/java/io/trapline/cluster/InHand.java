package io.trapline.cluster;

import io.trapline.campaign.Plan;
import io.trapline.trigger.Reply;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.LongStream;

/** The trial that a host has in hand, as {@link RunLogic} follows it. */
final class InHand {
    /** How far it is. */
    enum Phase {
        /** The worker was asked; its threads are not ready yet. */
        PREPARING,
        /** Its threads are ready; others that run together with it are not, or have no known clock. */
        WAITING,
        RUNNING,
        /** It was told to stop and has its last word to say. */
        STOPPING,
        /** It is over; its records go to disk. */
        SYNCING
    }

    final Plan.Trial trial;
    final Attempt attempt;
    final TurnInHand turn;
    Phase phase = Phase.PREPARING;
    /** Whether all of it is on disk. */
    boolean onDisk;
    /** What it was asked last; it is asked again until there is an answer. */
    Optional<Effect> asked = Optional.empty();
    /** How much longer it may take after the deadline that is armed. */
    Duration patience = Duration.ZERO;
    /** Why there is no result; empty while there may be one. */
    Optional<String> failure = Optional.empty();
    /** The mark of the journal that stands for all of it; 0 before its end. */
    long mark;

    private Optional<Reply.Interval> first = Optional.empty();
    private Optional<Reply.Interval> last = Optional.empty();
    private Optional<Reply.Interval> told = Optional.empty();

    InHand(Plan.Trial trial, int number, TurnInHand turn) {
        this.turn = turn;
        this.trial = trial;
        this.attempt = new Attempt(trial.id(), number);
    }

    void add(Reply.Interval reading) {
        first = first.or(() -> Optional.of(reading));
        last = Optional.of(reading);
    }

    /** Operations a second since this was asked last; empty when no interval has ended since. */
    OptionalDouble latestRate() {
        Optional<Reply.Interval> since = told.or(() -> first);
        told = last;
        return rate(since, last);
    }

    /** Operations a second from the first reading to the last; empty with fewer than two. */
    OptionalDouble rate() {
        return rate(first, last);
    }

    private static OptionalDouble rate(Optional<Reply.Interval> from, Optional<Reply.Interval> to) {
        if (from.isEmpty() || to.isEmpty() || to.get().ns() <= from.get().ns()) {
            return OptionalDouble.empty();
        }
        long ops = LongStream.of(to.get().ops()).sum()
                - LongStream.of(from.get().ops()).sum();
        return OptionalDouble.of(ops * 1e9 / (to.get().ns() - from.get().ns()));
    }
}

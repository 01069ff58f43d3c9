package io.trapline.cluster;

import io.trapline.campaign.Plan;
import io.trapline.trigger.Reply;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.LongStream;

/** The trial that a host has in hand, as {@link RunLogic} follows it. */
final class InHand {
    /** How far it is. */
    enum Phase {
        /** The worker was asked; its threads are not ready yet. */
        PREPARING,
        RUNNING,
        /** It was told to stop and has its last word to say. */
        STOPPING,
        /** It is over; its records go to disk. */
        SYNCING
    }

    final Plan.Trial trial;
    final Attempt attempt;
    Phase phase = Phase.PREPARING;
    /** Why there is no result; empty while there may be one. */
    Optional<String> failure = Optional.empty();
    /** The mark of the journal that stands for all of it; 0 before its end. */
    long mark;

    private Optional<Reply.Interval> last = Optional.empty();

    InHand(Plan.Trial trial, int number) {
        this.trial = trial;
        this.attempt = new Attempt(trial.id(), number);
    }

    /** Operations a second since the reading before; empty at the first one. */
    OptionalDouble rateUntil(Reply.Interval reading) {
        Optional<Reply.Interval> before = last;
        last = Optional.of(reading);
        if (before.isEmpty() || reading.ns() <= before.get().ns()) {
            return OptionalDouble.empty();
        }
        long ops = LongStream.of(reading.ops()).sum()
                - LongStream.of(before.get().ops()).sum();
        return OptionalDouble.of(ops * 1e9 / (reading.ns() - before.get().ns()));
    }
}

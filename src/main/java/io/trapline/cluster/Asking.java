package io.trapline.cluster;

import io.trapline.campaign.Campaign.OnLoss;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.LongSupplier;

/**
 * What workers are asked on a turn's way: to prepare, for their clocks, to go, to stop. It is asked again until it is
 * answered, and trials that run together wait for each other.
 */
final class Asking {
    private final RunSetup setup;
    private final LongSupplier nanos;
    private final Effects effects;

    /** @param nanos the coordinator's monotonic clock */
    Asking(RunSetup setup, LongSupplier nanos, Effects effects) {
        this.setup = setup;
        this.nanos = nanos;
        this.effects = effects;
    }

    /** A trial was begun: its worker is to prepare it. */
    void prepare(String host, InHand current) {
        ask(
                host,
                current,
                new Effect.Prepare(host, current.attempt, current.trial.spec()),
                Patience.untilReady(setup.host(host)),
                "the ready of " + current.attempt + " on " + host);
    }

    /** Its threads stand ready. */
    void onReady(String host, InHand current) {
        if (current.phase != InHand.Phase.PREPARING) {
            return;
        }
        if (current.turn.barrier.isEmpty()) {
            go(host, current, OptionalLong.empty());
            return;
        }
        current.phase = InHand.Phase.WAITING;
        effects.add(new Effect.Disarm(host));
        if (current.turn.barrier.get().ready(host)) {
            current.turn.members.forEach(this::readClock);
        }
    }

    private void readClock(String host, InHand current) {
        ask(host, current, new Effect.ReadClock(host, current.attempt), Patience.UNTIL_CLOCK, "the clock of " + host);
    }

    /** Its host's clock was read; see {@link RunLogic#onClock}. */
    void onClock(String host, InHand current, long sent, long stamped, long received) {
        if (current.phase != InHand.Phase.WAITING) {
            return;
        }
        Barrier barrier = current.turn.barrier.orElseThrow();
        current.asked = Optional.empty();
        if (barrier.read(host, sent, stamped, received)) {
            goTogether(current.turn, barrier);
        } else if (barrier.clock(host).isKnown()) {
            effects.add(new Effect.Disarm(host));
        } else {
            readClock(host, current);
        }
    }

    private void goTogether(TurnInHand turn, Barrier barrier) {
        turn.started = true;
        effects.append(barrier.record(turn));
        Map<String, Long> starts = barrier.starts(nanos.getAsLong());
        turn.members.forEach((host, member) -> go(host, member, OptionalLong.of(starts.get(host))));
    }

    private void go(String host, InHand current, OptionalLong at) {
        current.phase = InHand.Phase.RUNNING;
        current.turn.started = true;
        ask(
                host,
                current,
                new Effect.Go(host, current.attempt, at),
                Patience.untilDone(setup.host(host), current.trial.spec().timing()),
                untilDone(host, current.attempt));
    }

    /** It runs: nobody needs to ask any more until its end. */
    void untilDone(String host, InHand current) {
        if (current.phase == InHand.Phase.RUNNING) {
            Duration longest =
                    Patience.untilDone(setup.host(host), current.trial.spec().timing());
            current.patience = Duration.ZERO;
            effects.arm(host, current.attempt, longest, untilDone(host, current.attempt));
        }
    }

    private static String untilDone(String host, Attempt attempt) {
        return "the end of " + attempt + " on " + host;
    }

    /** Asks, and asks again while there is no answer: any message may be lost, and to hear one twice changes nothing. */
    private void ask(String host, InHand current, Effect question, Duration atMost, String waitingFor) {
        effects.add(question);
        current.asked = Optional.of(question);
        Duration first = atMost.compareTo(Patience.UNTIL_ASKED_AGAIN) < 0 ? atMost : Patience.UNTIL_ASKED_AGAIN;
        current.patience = atMost.minus(first);
        effects.arm(host, current.attempt, first, waitingFor);
    }

    /** A deadline was missed; true when it was one of several, after each of which the question is asked again. */
    boolean askAgain(String host, InHand current, String waitingFor) {
        Duration left = current.patience;
        if (left.isZero()) {
            return false;
        }
        current.patience = Duration.ZERO;
        current.asked.ifPresentOrElse(
                question -> ask(host, current, question, left, waitingFor),
                () -> effects.arm(host, current.attempt, left, waitingFor));
        return true;
    }

    /** What ran together with a trial that failed is worth nothing without it, unless the campaign wants parts. */
    void abort(String failed, TurnInHand turn) {
        if (turn.started && setup.onLoss() == OnLoss.PARTIAL) {
            return;
        }
        turn.members.forEach((host, member) -> {
            if (!host.equals(failed) && member.phase != InHand.Phase.SYNCING && member.phase != InHand.Phase.STOPPING) {
                stop(host, member);
            }
        });
    }

    /** It is to end early. */
    void stop(String host, InHand current) {
        current.phase = InHand.Phase.STOPPING;
        current.asked = Optional.empty();
        current.patience = Duration.ZERO;
        effects.add(new Effect.Stop(host, current.attempt));
        effects.arm(
                host,
                current.attempt,
                Patience.UNTIL_STOPPED,
                "the last word of " + current.attempt + ", which was stopped");
    }
}

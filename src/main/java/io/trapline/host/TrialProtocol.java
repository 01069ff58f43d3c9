package io.trapline.host;

import io.trapline.trigger.Command;
import io.trapline.trigger.Reply;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;

/**
 * What may be said in which order during one trial, and what is done when it isn't. Knows no process, thread or
 * clock; not thread-safe.
 *
 * <pre>
 *   SETTING_UP --ready--> WAITING --go--> RUNNING --done--> OVER
 *        +------------------+----stop-------+--> STOPPING --done--> OVER
 *   from each: failed, a line out of turn, a missed deadline, the trigger's end --> OVER
 * </pre>
 *
 * WAITING has no deadline here: how long hosts wait for each other is for whoever calls go to say.
 */
final class TrialProtocol {
    /**
     * How long the trigger may be silent.
     *
     * @param ready from the run command to {@code ready}: processes, pinning, probes
     * @param beyond from the nominal end of a trial to {@code done}: threads end, probes are detached
     * @param stopped from a stop to {@code done}
     * @param slowness how many times longer than its nominal time a trial may take
     */
    record Deadlines(Duration ready, Duration beyond, Duration stopped, int slowness) {
        /**
         * Those for a host of so many CPUs. A trigger reads its run line only when the probes of the trial before are
         * off, and for each of them (at most one a CPU) the kernel waits until no CPU can be in it, some 80 ms.
         */
        static Deadlines forCpus(int cpus) {
            Duration ready = Duration.ofSeconds(15).plus(Duration.ofMillis(250).multipliedBy(cpus));
            return new Deadlines(ready, Duration.ofSeconds(10), Duration.ofSeconds(5), 1);
        }

        /** Those for a simulated host, which has nothing to set up and nothing to take down. */
        static Deadlines forSimulated() {
            return new Deadlines(Duration.ofSeconds(5), Duration.ofSeconds(5), Duration.ofSeconds(2), 1);
        }

        /** Those for a guest, on a machine that is busy with other things too. */
        static Deadlines forGuest(HostProfile.Guest guest) {
            return new Deadlines(
                    Duration.ofSeconds(60), Duration.ofSeconds(60), Duration.ofSeconds(30), guest.slowness());
        }
    }

    /** What the protocol needs of the world. */
    interface Ports {
        /** Passes a reply on to the trial's listener. */
        void tell(Reply.OfTrial reply);

        /** Sends a line to the trigger. */
        void send(Command command);

        /** Asks for {@link #missed} when so much time has passed; replaces what was asked before. */
        void expectWithin(Duration time);

        /**
         * The trial is over: no deadline any more.
         *
         * @param last what the listener is to be told at the end
         * @param trusted whether the trigger can be given another trial
         */
        void over(Reply.OfTrial last, boolean trusted);

        /** The trigger's last words, as the end of a sentence. */
        String lastWords();
    }

    private enum State {
        SETTING_UP,
        WAITING,
        RUNNING,
        STOPPING,
        OVER
    }

    private final TrialSpec spec;
    private final Deadlines deadlines;
    private final Ports ports;
    private State state = State.SETTING_UP;
    private Duration allowed;
    private long nextSeq;

    TrialProtocol(TrialSpec spec, Deadlines deadlines, Ports ports) {
        this.spec = spec;
        this.deadlines = deadlines;
        this.ports = ports;
        this.allowed = deadlines.ready();
    }

    /** Gives the trigger its run line. */
    void begin() {
        ports.send(new Command.Run(
                spec.id(),
                spec.workload().name(),
                spec.model().spelling(),
                spec.cpus().toString(),
                spec.method().keys(spec.workload()),
                spec.timing().warmup(),
                spec.timing().interval(),
                spec.timing().intervals()));
        ports.expectWithin(allowed);
    }

    /**
     * Lets the threads run.
     *
     * @param lead how long from now they are to start
     */
    void go(OptionalLong atNs, Duration lead) {
        switch (state) {
            case SETTING_UP -> breakOff("go", "go was called before the trial was ready");
            case WAITING -> {
                state = State.RUNNING;
                ports.send(new Command.Go(atNs));
                Duration total = spec.timing().total().multipliedBy(deadlines.slowness());
                expectWithin(lead.plus(total).plus(deadlines.beyond()));
            }
            case RUNNING, STOPPING, OVER -> {
                // It runs already, or has ended meanwhile: its listener knows.
            }
        }
    }

    /** Ends the trial early. */
    void stop() {
        if (state != State.STOPPING && state != State.OVER) {
            state = State.STOPPING;
            ports.send(new Command.Stop());
            expectWithin(deadlines.stopped());
        }
    }

    private void expectWithin(Duration time) {
        allowed = time;
        ports.expectWithin(time);
    }

    /** The trigger has said something. */
    void said(Reply reply) {
        if (state == State.OVER) {
            return;
        }
        if (reply instanceof Reply.Refused refused) {
            if (refused.line().equals(new Command.Stop().line())) {
                return; // sent when the trial before this one had just ended
            }
            end(
                    new Reply.Failed(spec.id(), "run", OptionalInt.empty(), refused.error(), refused.fix()),
                    state == State.SETTING_UP);
        } else if (reply instanceof Reply.OfTrial ours && ours.trial().equals(spec.id())) {
            ofThisTrial(ours);
        } else {
            outOfTurn(reply);
        }
    }

    private void ofThisTrial(Reply.OfTrial reply) {
        if (reply instanceof Reply.Failed) {
            end(reply, true);
        } else if (reply instanceof Reply.Done done && mayBeDone(done)) {
            end(done, true);
        } else if (reply instanceof Reply.Ready && state == State.SETTING_UP) {
            state = State.WAITING;
            ports.tell(reply);
        } else if (isRunning() && reply instanceof Reply.Started) {
            ports.tell(reply);
        } else if (isRunning() && reply instanceof Reply.Interval interval && isNext(interval)) {
            nextSeq++;
            ports.tell(interval);
        } else if (!(reply instanceof Reply.Ready && state == State.STOPPING)) {
            outOfTurn(reply);
        }
    }

    private boolean isRunning() {
        return state == State.RUNNING || state == State.STOPPING;
    }

    private boolean isNext(Reply.Interval interval) {
        return interval.seq() == nextSeq && interval.ops().length == spec.cpus().size();
    }

    /** All readings have come, or it was stopped. */
    private boolean mayBeDone(Reply.Done done) {
        boolean complete = nextSeq == spec.timing().intervals() + 1L;
        return state == State.STOPPING || (state == State.RUNNING && complete && !done.stopped());
    }

    /** The time that {@link Ports#expectWithin} gave has passed. */
    void missed() {
        String what = switch (state) {
            case SETTING_UP -> "ready";
            case RUNNING -> "done";
            case STOPPING -> "stop";
            case WAITING, OVER -> "";
        };
        if (!what.isEmpty()) {
            breakOff(what, "the trigger did not answer within " + seconds(allowed) + " s" + ports.lastWords());
        }
    }

    /** The trigger is gone. */
    void ended(String how) {
        if (state != State.OVER) {
            breakOff("trigger", how);
        }
    }

    /** Whoever runs the trial gives it up. */
    void abandon() {
        if (state != State.OVER) {
            breakOff("close", "the host was closed while the trial ran");
        }
    }

    private void outOfTurn(Reply reply) {
        breakOff(
                "protocol",
                "out of turn (%s, next reading %d) the trigger said %s%s"
                        .formatted(state, nextSeq, reply, ports.lastWords()));
    }

    private void breakOff(String call, String error) {
        end(new Reply.Failed(spec.id(), call, OptionalInt.empty(), error, Optional.empty()), false);
    }

    private void end(Reply.OfTrial last, boolean trusted) {
        state = State.OVER;
        ports.over(last, trusted);
    }

    private static String seconds(Duration time) {
        return String.valueOf(time.toMillis() / 1000.0);
    }
}

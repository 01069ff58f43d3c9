package io.trapline.cluster;

import akka.actor.typed.ActorRef;
import akka.actor.typed.Behavior;
import akka.actor.typed.PostStop;
import akka.actor.typed.javadsl.AbstractBehavior;
import akka.actor.typed.javadsl.ActorContext;
import akka.actor.typed.javadsl.Behaviors;
import akka.actor.typed.javadsl.Receive;
import io.trapline.host.Host;
import io.trapline.host.HostProfile;
import io.trapline.host.TrialSpec;
import io.trapline.trigger.Reply;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.function.Consumer;

/**
 * Runs trials on its host, one at a time, and delivers what the trigger says until the run has it on disk. One a host.
 *
 * <p>A worker that hears nothing from its coordinator stops its load: nobody would know what it measures.
 */
final class Worker extends AbstractBehavior<Worker.Command> {
    /** So many ticks without a beat mean that the coordinator is lost. Ticks, not time: a JVM that was stopped for a while
     * hears the beats that came meanwhile before so many ticks have passed. */
    static final int SILENT_TICKS = 8;

    /** After so many ticks without a receipt, one is asked for. */
    private static final int RECEIPT_TICKS = 3;

    /** After so many, what has none is delivered again. */
    private static final int AGAIN_TICKS = 9;

    /** What a worker is asked. */
    sealed interface Command {}

    /** Get this trial ready. */
    record Prepare(String run, Attempt attempt, TrialSpec spec) implements Command, Wire {}

    /** Let the threads of that attempt run: at once, or at that instant of the host's clock in nanoseconds. */
    record Go(String run, Attempt attempt, OptionalLong atNs) implements Command, Wire {}

    /**
     * What does the host's clock show?
     *
     * @param sent when the question was sent, by the clock of who asks
     */
    record ReadClock(String host, Attempt attempt, long sent, ActorRef<CampaignRun.Command> to)
            implements Command, Wire {}

    /** End that attempt early. */
    record Stop(String run, Attempt attempt) implements Command, Wire {}

    /** All that there is of that run is to be delivered to this actor. */
    record Attach(String run, ActorRef<CampaignRun.Command> to) implements Command, Wire {}

    /** The run has this on disk. */
    record Acknowledge(Receipt receipt) implements Command, Wire {}

    /** That run has ended; nothing of it is wanted any more. */
    record Forget(String run) implements Command, Wire {}

    /** The coordinator is there. */
    record Beat() implements Command, Wire {}

    /** The coordinator does not want this worker. */
    record Dismiss(String reason) implements Command, Wire {}

    /** Say hello to this coordinator, and again whenever it has been silent. */
    record Join(ActorRef<Coordinator.Command> coordinator) implements Command {}

    /** A second has passed. */
    record Tick() implements Command {}

    private record Said(Origin origin, Reply.OfTrial reply) implements Command {}

    /** All readings that came together are in the outbox: it stands behind them in the mailbox. */
    private record Gathered(String run) implements Command {}

    /**
     * What a worker is made of.
     *
     * @param profile its host's, under the name that campaigns call it by
     * @param incarnation tells this start of the worker from every other one
     * @param dismissed is told why the coordinator does not want this worker
     */
    record Setup(Host host, HostProfile profile, String incarnation, Outbox outbox, Consumer<String> dismissed) {}

    private record InHand(Origin origin, Host.Trial trial) {}

    private final Setup setup;
    private final Outbox outbox;
    private final Map<String, ActorRef<CampaignRun.Command>> runs = new HashMap<>();
    private final Map<String, Integer> waited = new HashMap<>();
    private Optional<ActorRef<Coordinator.Command>> coordinator = Optional.empty();
    private Optional<InHand> inHand = Optional.empty();
    private Optional<Prepare> next = Optional.empty();
    /** The attempt that ended last. */
    private Optional<Origin> ended = Optional.empty();

    private int silent;
    /** Whether {@link Gathered} is in the mailbox. */
    private boolean gathering;

    private Worker(ActorContext<Command> context, Setup setup) {
        super(context);
        context.setLoggerName(Worker.class);
        this.setup = setup;
        this.outbox = setup.outbox();
    }

    /** A worker; its host and its outbox outlive it. */
    static Behavior<Command> create(Setup setup) {
        return Behaviors.setup(context -> new Worker(context, setup));
    }

    @Override
    public Receive<Command> createReceive() {
        return newReceiveBuilder()
                .onMessage(Said.class, this::onSaid)
                .onMessage(Gathered.class, this::onGathered)
                .onMessage(Beat.class, beat -> onBeat())
                .onMessage(Tick.class, tick -> onTick())
                .onMessage(Join.class, this::onJoin)
                .onMessage(Prepare.class, this::onPrepare)
                .onMessage(Go.class, this::onGo)
                .onMessage(ReadClock.class, this::onReadClock)
                .onMessage(Stop.class, this::onStop)
                .onMessage(Attach.class, this::onAttach)
                .onMessage(Acknowledge.class, this::onAcknowledge)
                .onMessage(Forget.class, this::onForget)
                .onMessage(Dismiss.class, this::onDismiss)
                .onSignal(PostStop.class, this::onPostStop)
                .build();
    }

    private Behavior<Command> onJoin(Join join) {
        coordinator = Optional.of(join.coordinator());
        silent = 0;
        sayHello();
        return this;
    }

    private void sayHello() {
        coordinator.ifPresent(c -> c.tell(new Coordinator.Hello(
                Coordinator.PROTOCOL,
                KryoTable.HASH,
                setup.profile(),
                setup.incarnation(),
                outbox.runs(),
                getContext().getSelf())));
    }

    private Behavior<Command> onBeat() {
        silent = 0;
        return this;
    }

    private Behavior<Command> onTick() {
        silent++;
        if (coordinator.isPresent() && silent % SILENT_TICKS == 0) {
            inHand.ifPresent(t -> t.trial().stop());
            sayHello();
        }
        for (String run : runs.keySet()) {
            int ticks = outbox.isWaiting(run) ? waited.merge(run, 1, Integer::sum) : 0;
            if (ticks >= AGAIN_TICKS) {
                waited.remove(run);
                outbox.rewind(run);
            }
            deliver(run, ticks >= RECEIPT_TICKS);
        }
        return this;
    }

    private Behavior<Command> onPrepare(Prepare prepare) {
        Origin origin = origin(prepare.run(), prepare.attempt());
        if (ended.equals(Optional.of(origin))) {
            return this; // asked a second time, of what is over; its records are on their way
        }
        boolean askedTwice = inHand.filter(t -> t.origin().equals(origin)).isPresent();
        if (inHand.isEmpty()) {
            begin(prepare);
        } else if (!askedTwice) { // of a coordinator that is gone, or given up by this one
            next = Optional.of(prepare);
            inHand.get().trial().stop();
        }
        return this;
    }

    private void begin(Prepare prepare) {
        Origin origin = origin(prepare.run(), prepare.attempt());
        ActorRef<Command> self = getContext().getSelf();
        try {
            Host.Trial trial = setup.host().begin(prepare.spec(), reply -> self.tell(new Said(origin, reply)));
            inHand = Optional.of(new InHand(origin, trial));
        } catch (IllegalStateException busy) {
            self.tell(new Said(
                    origin,
                    new Reply.Failed(
                            prepare.spec().id(), "begin", OptionalInt.empty(), busy.getMessage(), Optional.empty())));
        }
    }

    private Behavior<Command> onSaid(Said said) {
        Origin origin = said.origin();
        outbox.add(origin, said.reply());
        outbox.complaint()
                .ifPresent(c -> getContext().getLog().warn("results are kept in memory alone, not on disk: {}", c));
        if (!(said.reply() instanceof Reply.Interval)) {
            deliver(origin.run(), false);
        } else if (!gathering) {
            gathering = true;
            getContext().getSelf().tell(new Gathered(origin.run()));
        }
        boolean isLast = said.reply() instanceof Reply.Done || said.reply() instanceof Reply.Failed;
        if (isLast && inHand.filter(t -> !t.origin().equals(origin)).isEmpty()) {
            inHand = Optional.empty();
            ended = Optional.of(origin);
            Optional<Prepare> following = next;
            next = Optional.empty();
            following.ifPresent(this::begin);
        }
        return this;
    }

    private Behavior<Command> onGathered(Gathered readings) {
        gathering = false;
        deliver(readings.run(), false);
        return this;
    }

    private void deliver(String run, boolean urgent) {
        Optional.ofNullable(runs.get(run))
                .ifPresent(to -> outbox.due(run, urgent).forEach(to::tell));
    }

    private Behavior<Command> onGo(Go go) {
        find(go.run(), go.attempt()).ifPresent(trial -> trial.go(go.atNs()));
        return this;
    }

    private Behavior<Command> onReadClock(ReadClock question) {
        question.to()
                .tell(new CampaignRun.Clock(
                        question.host(),
                        question.attempt(),
                        question.sent(),
                        setup.host().clock()));
        return this;
    }

    private Behavior<Command> onStop(Stop stop) {
        find(stop.run(), stop.attempt()).ifPresent(Host.Trial::stop);
        return this;
    }

    private Behavior<Command> onAttach(Attach attach) {
        runs.put(attach.run(), attach.to());
        outbox.rewind(attach.run());
        deliver(attach.run(), true);
        return this;
    }

    private Behavior<Command> onAcknowledge(Acknowledge done) {
        String run = done.receipt().origin().run();
        outbox.settle(done.receipt());
        waited.remove(run);
        deliver(run, false);
        return this;
    }

    private Behavior<Command> onForget(Forget forget) {
        runs.remove(forget.run());
        outbox.forget(forget.run());
        return this;
    }

    private Behavior<Command> onDismiss(Dismiss dismiss) {
        setup.dismissed().accept(dismiss.reason());
        return Behaviors.stopped();
    }

    private Origin origin(String run, Attempt attempt) {
        return new Origin(run, attempt, setup.incarnation());
    }

    private Optional<Host.Trial> find(String run, Attempt attempt) {
        return inHand.filter(t -> t.origin().equals(origin(run, attempt))).map(InHand::trial);
    }

    private Behavior<Command> onPostStop(PostStop signal) {
        inHand.ifPresent(t -> t.trial().stop());
        outbox.complete();
        return this;
    }
}

package io.trapline.cluster;

import akka.actor.typed.ActorRef;
import akka.actor.typed.Behavior;
import akka.actor.typed.DispatcherSelector;
import akka.actor.typed.PostStop;
import akka.actor.typed.javadsl.AbstractBehavior;
import akka.actor.typed.javadsl.ActorContext;
import akka.actor.typed.javadsl.Behaviors;
import akka.actor.typed.javadsl.Receive;
import akka.actor.typed.javadsl.TimerScheduler;
import io.trapline.journal.JournalRecord;
import io.trapline.journal.JournalWriter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** One campaign's run: does what {@link RunLogic} says, and tells it what comes of it. */
public final class CampaignRun extends AbstractBehavior<CampaignRun.Command> {

    /** What a run is told. */
    sealed interface Command
            permits Delivery,
                    Clock,
                    Cancel,
                    WorkerLost,
                    WorkerBack,
                    HostGone,
                    Deadline,
                    TimeUp,
                    NoReturn,
                    Journal,
                    JournalLate {}

    /** End the run early; what was measured stays. */
    record Cancel(String reason) implements Command {}

    /** A host's worker is gone or can't be reached. */
    record WorkerLost(String host, String reason) implements Command {}

    /** A host's worker is there again, or another one in its place. */
    record WorkerBack(String host, String incarnation, ActorRef<Worker.Command> worker) implements Command {}

    /** A host is not any more what this run was planned for. */
    record HostGone(String host, String reason) implements Command {}

    private record TimeUp(Duration deadline) implements Command {}

    /**
     * A host's clock was read.
     *
     * @param sent when it was asked, by the clock of who asked
     * @param stamped what it showed
     */
    record Clock(String host, Attempt attempt, long sent, long stamped) implements Command, Wire {}

    private record Deadline(String host, Attempt attempt, String waitingFor) implements Command {}

    private record NoReturn(String host) implements Command {}

    private record Journal(JournalKeeper.Answer answer) implements Command {}

    private record JournalLate() implements Command {
        static final String REASON =
                "the journal was not on its disk within " + Patience.UNTIL_SYNCED.toSeconds() + " s";
    }

    private final String run;
    private final RunLogic logic;
    private final Map<String, ActorRef<Worker.Command>> workers;
    private final ActorRef<RunEvent> follower;
    private final ActorRef<JournalKeeper.Command> journal;
    private final TimerScheduler<Command> timers;

    /** How many answers the journal's writer owes. */
    private int awaited;

    private boolean finished;

    private CampaignRun(
            ActorContext<Command> context,
            TimerScheduler<Command> timers,
            String run,
            RunLogic logic,
            JournalWriter writer,
            Map<String, ActorRef<Worker.Command>> workers,
            ActorRef<RunEvent> follower) {
        super(context);
        context.setLoggerName(CampaignRun.class);
        this.timers = timers;
        this.run = run;
        this.logic = logic;
        this.workers = new HashMap<>(workers);
        this.follower = follower;
        this.journal = context.spawn(
                JournalKeeper.create(writer, context.messageAdapter(JournalKeeper.Answer.class, Journal::new)),
                "journal",
                DispatcherSelector.fromConfig("trapline.blocking-dispatcher"));
        context.watchWith(journal, new Journal(new JournalKeeper.Failed("the journal's writer ended by itself")));
    }

    /**
     * A run that begins at once.
     *
     * @param run the run's id
     * @param workers the worker of each host that is there
     * @param follower is told of all that happens
     */
    static Behavior<Command> create(
            String run,
            RunLogic logic,
            JournalWriter writer,
            Map<String, ActorRef<Worker.Command>> workers,
            ActorRef<RunEvent> follower) {
        return Behaviors.setup(context -> Behaviors.withTimers(timers -> {
            CampaignRun actor = new CampaignRun(context, timers, run, logic, writer, workers, follower);
            workers.values().forEach(actor::attach);
            return actor.apply(logic.start());
        }));
    }

    @Override
    public Receive<Command> createReceive() {
        return newReceiveBuilder()
                .onMessage(Delivery.Word.class, m -> apply(logic.onDelivery(m)))
                .onMessage(Delivery.Readings.class, m -> apply(logic.onDelivery(m)))
                .onMessage(WorkerLost.class, m -> apply(logic.onWorkerLost(m.host(), m.reason())))
                .onMessage(WorkerBack.class, this::onWorkerBack)
                .onMessage(HostGone.class, m -> apply(logic.onHostGone(m.host(), m.reason())))
                .onMessage(NoReturn.class, m -> apply(logic.onNoReturn(m.host())))
                .onMessage(Cancel.class, m -> apply(logic.onCancel(m.reason())))
                .onMessage(Deadline.class, m -> apply(logic.onDeadline(m.host(), m.attempt(), m.waitingFor())))
                .onMessage(TimeUp.class, m -> apply(logic.onTimeUp(m.deadline())))
                .onMessage(
                        Clock.class,
                        m -> apply(logic.onClock(m.host(), m.attempt(), m.sent(), m.stamped(), System.nanoTime())))
                .onMessage(Journal.class, m -> apply(onJournal(m.answer())))
                .onMessage(JournalLate.class, m -> apply(logic.onJournalFailed(JournalLate.REASON)))
                .onSignal(PostStop.class, stopped -> onStopped())
                .build();
    }

    private Behavior<Command> onWorkerBack(WorkerBack back) {
        workers.put(back.host(), back.worker());
        attach(back.worker());
        return apply(logic.onWorkerBack(back.host(), back.incarnation()));
    }

    /** Whatever the worker has of this run is to come here. */
    private void attach(ActorRef<Worker.Command> worker) {
        worker.tell(new Worker.Attach(run, getContext().getSelf()));
    }

    /** An actor that stops for an error in it, before its run has ended, owes its followers that. */
    private Behavior<Command> onStopped() {
        if (!finished) {
            follower.tell(new RunEvent.Finished(
                    RunEvent.Finished.Ending.JOURNAL_FAILED, "the run broke off by an error of its own, see the log"));
        }
        return this;
    }

    private List<Effect> onJournal(JournalKeeper.Answer answer) {
        timers.cancel(JournalLate.class);
        if (--awaited > 0) {
            awaitDisk();
        }
        if (answer instanceof JournalKeeper.Prepared prepared) {
            Effect.Prepare next = prepared.next();
            toWorker(next.host(), new Worker.Prepare(run, next.attempt(), next.spec()));
            return List.of();
        }
        if (answer instanceof JournalKeeper.Synced synced) {
            return logic.onSynced(synced.mark());
        }
        return logic.onJournalFailed(((JournalKeeper.Failed) answer).reason());
    }

    private Behavior<Command> apply(List<Effect> effects) {
        List<JournalRecord> lines = new ArrayList<>();
        for (Effect effect : effects) {
            if (effect instanceof Effect.Append append) {
                lines.add(append.line());
            } else if (effect instanceof Effect.Sync sync) {
                sync(lines, new JournalKeeper.Synced(sync.mark()));
            } else if (effect instanceof Effect.Prepare prepare) {
                sync(lines, new JournalKeeper.Prepared(prepare));
            } else if (effect instanceof Effect.Tell tell) {
                follower.tell(tell.event());
                finished |= tell.event() instanceof RunEvent.Finished;
            } else {
                arrange(effect);
            }
        }
        if (!lines.isEmpty()) {
            journal.tell(new JournalKeeper.Append(lines));
        }
        return finished ? finish() : this;
    }

    private void sync(List<JournalRecord> lines, JournalKeeper.Answer then) {
        journal.tell(new JournalKeeper.Append(lines));
        journal.tell(new JournalKeeper.Sync(then));
        if (awaited++ == 0) {
            awaitDisk();
        }
        lines.clear();
    }

    /** The deadline is for the next answer: what is asked for meanwhile does not put it off. */
    private void awaitDisk() {
        timers.startSingleTimer(JournalLate.class, new JournalLate(), Patience.UNTIL_SYNCED);
    }

    private void arrange(Effect effect) {
        if (effect instanceof Effect.Go go) {
            toWorker(go.host(), new Worker.Go(run, go.attempt(), go.atNs()));
        } else if (effect instanceof Effect.ReadClock read) {
            toWorker(
                    read.host(),
                    new Worker.ReadClock(
                            read.host(),
                            read.attempt(),
                            System.nanoTime(),
                            getContext().getSelf()));
        } else if (effect instanceof Effect.Stop stop) {
            toWorker(stop.host(), new Worker.Stop(run, stop.attempt()));
        } else if (effect instanceof Effect.Acknowledge done) {
            toWorker(done.host(), new Worker.Acknowledge(done.receipt()));
        } else if (effect instanceof Effect.Arm arm) {
            timers.startSingleTimer(arm.host(), new Deadline(arm.host(), arm.attempt(), arm.waitingFor()), arm.after());
        } else if (effect instanceof Effect.Disarm disarm) {
            timers.cancel(disarm.host());
        } else if (effect instanceof Effect.Limit limit) {
            timers.startSingleTimer(TimeUp.class, new TimeUp(limit.after()), limit.after());
        } else if (effect instanceof Effect.AwaitReturn absent) {
            NoReturn late = new NoReturn(absent.host());
            timers.startSingleTimer(late, late, absent.after());
        }
    }

    /** A worker that is gone gets nothing; when it is back, the logic asks anew. */
    private void toWorker(String host, Worker.Command command) {
        Optional.ofNullable(workers.get(host)).ifPresent(worker -> worker.tell(command));
    }

    private Behavior<Command> finish() {
        long twice = logic.ledger().duplicates();
        long strange = logic.ledger().strangers();
        if (twice + strange > 0) {
            getContext()
                    .getLog()
                    .info(
                            "run {}: {} records came more than once, {} belonged to none of its attempts",
                            run,
                            twice,
                            strange);
        }
        return Behaviors.stopped(() -> {});
    }
}

package io.trapline.cluster;

import akka.actor.typed.ActorRef;
import akka.actor.typed.Behavior;
import akka.actor.typed.DispatcherSelector;
import akka.actor.typed.javadsl.AbstractBehavior;
import akka.actor.typed.javadsl.ActorContext;
import akka.actor.typed.javadsl.Behaviors;
import akka.actor.typed.javadsl.Receive;
import akka.actor.typed.javadsl.TimerScheduler;
import io.trapline.journal.JournalRecord;
import io.trapline.journal.JournalWriter;
import io.trapline.trigger.Reply;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** One campaign's run: does what {@link RunLogic} says, and tells it what comes of it. */
public final class CampaignRun extends AbstractBehavior<CampaignRun.Command> {

    /** What a run is told. */
    public sealed interface Command {}

    /** The trigger of a host said something of that attempt. */
    public record Said(String host, Attempt attempt, Reply.OfTrial reply) implements Command {}

    /** End the run early; what was measured stays. */
    public record Cancel(String reason) implements Command {}

    private record Deadline(String host, Attempt attempt, String waitingFor) implements Command {}

    private record Journal(JournalKeeper.Answer answer) implements Command {}

    private final RunLogic logic;
    private final Map<String, ActorRef<Worker.Command>> workers;
    private final ActorRef<RunEvent> follower;
    private final ActorRef<JournalKeeper.Command> journal;
    private final TimerScheduler<Command> timers;

    private CampaignRun(
            ActorContext<Command> context,
            TimerScheduler<Command> timers,
            RunLogic logic,
            JournalWriter writer,
            Map<String, ActorRef<Worker.Command>> workers,
            ActorRef<RunEvent> follower) {
        super(context);
        this.timers = timers;
        this.logic = logic;
        this.workers = Map.copyOf(workers);
        this.follower = follower;
        this.journal = context.spawn(
                JournalKeeper.create(writer, context.messageAdapter(JournalKeeper.Answer.class, Journal::new)),
                "journal",
                DispatcherSelector.fromConfig("trapline.blocking-dispatcher"));
    }

    /**
     * A run that begins at once.
     *
     * @param workers the worker of each host that the logic plans for
     * @param follower is told of all that happens
     */
    static Behavior<Command> create(
            RunLogic logic,
            JournalWriter writer,
            Map<String, ActorRef<Worker.Command>> workers,
            ActorRef<RunEvent> follower) {
        return Behaviors.setup(context -> Behaviors.withTimers(timers -> {
            CampaignRun run = new CampaignRun(context, timers, logic, writer, workers, follower);
            return run.apply(logic.start());
        }));
    }

    @Override
    public Receive<Command> createReceive() {
        return newReceiveBuilder()
                .onMessage(Said.class, m -> apply(logic.onSaid(m.host(), m.attempt(), m.reply())))
                .onMessage(Cancel.class, m -> apply(logic.onCancel(m.reason())))
                .onMessage(Deadline.class, m -> apply(logic.onDeadline(m.host(), m.attempt(), m.waitingFor())))
                .onMessage(Journal.class, m -> apply(onJournal(m.answer())))
                .build();
    }

    private List<Effect> onJournal(JournalKeeper.Answer answer) {
        if (answer instanceof JournalKeeper.Synced synced) {
            return logic.onSynced(synced.mark());
        }
        return logic.onJournalFailed(((JournalKeeper.Failed) answer).reason());
    }

    private Behavior<Command> apply(List<Effect> effects) {
        List<JournalRecord> lines = new ArrayList<>();
        boolean finished = false;
        for (Effect effect : effects) {
            if (effect instanceof Effect.Append append) {
                lines.add(append.line());
            } else if (effect instanceof Effect.Sync sync) {
                journal.tell(new JournalKeeper.Append(lines));
                journal.tell(new JournalKeeper.Sync(sync.mark()));
                lines.clear();
            } else if (effect instanceof Effect.Tell tell) {
                follower.tell(tell.event());
                finished |= tell.event() instanceof RunEvent.Finished;
            } else {
                toWorker(effect);
            }
        }
        if (!lines.isEmpty()) {
            journal.tell(new JournalKeeper.Append(lines));
        }
        return finished ? Behaviors.stopped(() -> {}) : this;
    }

    private void toWorker(Effect effect) {
        if (effect instanceof Effect.Prepare p) {
            workers.get(p.host())
                    .tell(new Worker.Prepare(p.attempt(), p.spec(), getContext().getSelf()));
        } else if (effect instanceof Effect.Go go) {
            workers.get(go.host()).tell(new Worker.Go(go.attempt()));
        } else if (effect instanceof Effect.Stop stop) {
            workers.get(stop.host()).tell(new Worker.Stop(stop.attempt()));
        } else if (effect instanceof Effect.Arm arm) {
            timers.startSingleTimer(arm.host(), new Deadline(arm.host(), arm.attempt(), arm.waitingFor()), arm.after());
        } else if (effect instanceof Effect.Disarm disarm) {
            timers.cancel(disarm.host());
        }
    }
}

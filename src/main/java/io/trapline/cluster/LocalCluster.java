package io.trapline.cluster;

import akka.actor.typed.ActorRef;
import akka.actor.typed.ActorSystem;
import akka.actor.typed.Behavior;
import akka.actor.typed.DispatcherSelector;
import akka.actor.typed.javadsl.ActorContext;
import akka.actor.typed.javadsl.Behaviors;
import akka.cluster.typed.Cluster;
import akka.cluster.typed.Join;
import akka.cluster.typed.SelfUp;
import akka.cluster.typed.Subscribe;
import io.trapline.host.Host;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.UUID;
import java.util.function.Consumer;

/**
 * A cluster of one member in this JVM: the coordinator and a worker a host, as on many machines, and nothing listening
 * beyond loopback.
 */
public final class LocalCluster implements AutoCloseable {
    private sealed interface Command {}

    private record Submit(Submission submission, Consumer<RunEvent> follower) implements Command {}

    private record Cancel(String run, String reason) implements Command {}

    private record Up() implements Command {}

    private record AllJoined() implements Command {}

    /** How much may be asked of it before it is up. */
    private static final int EARLY_MESSAGES = 100;

    private final ActorSystem<Command> system;

    private LocalCluster(ActorSystem<Command> system) {
        this.system = system;
    }

    /** Starts it with a worker for each of these hosts, which the caller closes after the cluster. */
    public static LocalCluster start(List<Host> hosts) {
        return new LocalCluster(ActorSystem.create(guardian(hosts), NodeConfig.NAME, NodeConfig.local()));
    }

    /**
     * Runs a campaign.
     *
     * @param follower is told of all that happens, from one actor's thread; must not block for long
     */
    public void submit(Submission submission, Consumer<RunEvent> follower) {
        system.tell(new Submit(submission, follower));
    }

    /** Ends that run early; {@code Finished} follows. */
    public void cancel(String run, String reason) {
        system.tell(new Cancel(run, reason));
    }

    /** Stops the actors, and with them the trial in hand. */
    @Override
    public void close() {
        system.terminate();
    }

    private static Behavior<Command> guardian(List<Host> hosts) {
        return Behaviors.setup(context -> Behaviors.withStash(EARLY_MESSAGES, early -> {
            Cluster cluster = Cluster.get(context.getSystem());
            cluster.subscriptions()
                    .tell(Subscribe.create(context.messageAdapter(SelfUp.class, up -> new Up()), SelfUp.class));
            cluster.manager().tell(Join.create(cluster.selfMember().address()));
            ActorRef<Coordinator.Command> coordinator =
                    context.spawn(Coordinator.create(true, new Door()), "coordinator");
            Deque<ActorRef<Worker.Command>> workers = new ArrayDeque<>();
            for (Host host : hosts) {
                workers.add(context.spawn(
                        Worker.create(new Worker.Setup(
                                host, host.profile(), UUID.randomUUID().toString(), Outbox.inMemory(), reason -> {})),
                        "worker-" + workers.size(),
                        DispatcherSelector.fromConfig("trapline.blocking-dispatcher")));
            }
            return Behaviors.receive(Command.class)
                    .onMessage(Up.class, up -> {
                        context.spawn(introduce(workers, coordinator, context.getSelf()), "door");
                        return Behaviors.same();
                    })
                    .onMessage(AllJoined.class, all -> early.unstashAll(open(context, coordinator)))
                    .onAnyMessage(message -> {
                        early.stash(message);
                        return Behaviors.same();
                    })
                    .build();
        }));
    }

    /**
     * Lets one worker after the other say hello, so that hosts have their order. A plan needs all of them: no campaign
     * reaches the coordinator before.
     */
    private static Behavior<Coordinator.Command> introduce(
            Deque<ActorRef<Worker.Command>> workers,
            ActorRef<Coordinator.Command> coordinator,
            ActorRef<Command> guardian) {
        return Behaviors.setup(context -> {
            workers.remove().tell(new Worker.Join(context.getSelf()));
            return Behaviors.receiveMessage(hello -> {
                coordinator.tell(hello);
                if (workers.isEmpty()) {
                    guardian.tell(new AllJoined());
                    return Behaviors.stopped();
                }
                workers.remove().tell(new Worker.Join(context.getSelf()));
                return Behaviors.same();
            });
        });
    }

    private static Behavior<Command> open(ActorContext<Command> context, ActorRef<Coordinator.Command> coordinator) {
        return Behaviors.receive(Command.class)
                .onMessage(Submit.class, submit -> {
                    coordinator.tell(new Coordinator.Submit(submit.submission(), follower(context, submit)));
                    return Behaviors.same();
                })
                .onMessage(Cancel.class, cancel -> {
                    coordinator.tell(new Coordinator.Cancel(cancel.run(), cancel.reason()));
                    return Behaviors.same();
                })
                .build();
    }

    private static ActorRef<RunEvent> follower(ActorContext<Command> context, Submit submit) {
        Behavior<RunEvent> behavior = Behaviors.receiveMessage(event -> {
            submit.follower().accept(event);
            return Behaviors.same();
        });
        return context.spawn(behavior, "follower-" + submit.submission().run());
    }
}

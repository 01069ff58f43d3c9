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
import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import io.trapline.host.Host;
import java.util.UUID;
import java.util.function.Consumer;

/**
 * A cluster of one member in this JVM: the coordinator and one worker, as on many machines, and nothing listening
 * beyond loopback.
 */
public final class LocalCluster implements AutoCloseable {
    private sealed interface Command {}

    private record Submit(Submission submission, Consumer<RunEvent> follower) implements Command {}

    private record Cancel(String run, String reason) implements Command {}

    private record Up() implements Command {}

    private final ActorSystem<Command> system;

    private LocalCluster(ActorSystem<Command> system) {
        this.system = system;
    }

    /** Starts it with a worker for this host; the host is closed with the cluster. */
    public static LocalCluster start(Host host) {
        Config config = ConfigFactory.parseResources("trapline-local.conf")
                .withFallback(ConfigFactory.parseResources("trapline.conf"))
                .withFallback(ConfigFactory.load())
                .resolve();
        return new LocalCluster(ActorSystem.create(guardian(host), "trapline", config));
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

    /** Stops the actors; the worker closes its host. */
    @Override
    public void close() {
        system.terminate();
    }

    private static Behavior<Command> guardian(Host host) {
        return Behaviors.setup(context -> {
            Cluster cluster = Cluster.get(context.getSystem());
            cluster.subscriptions()
                    .tell(Subscribe.create(context.messageAdapter(SelfUp.class, up -> new Up()), SelfUp.class));
            cluster.manager().tell(Join.create(cluster.selfMember().address()));
            ActorRef<Coordinator.Command> coordinator = context.spawn(Coordinator.create(), "coordinator");
            ActorRef<Worker.Command> worker = context.spawn(
                    Worker.create(host, UUID.randomUUID().toString()),
                    "worker",
                    DispatcherSelector.fromConfig("trapline.blocking-dispatcher"));
            return Behaviors.receive(Command.class)
                    .onMessage(Up.class, up -> {
                        worker.tell(new Worker.Join(coordinator));
                        return Behaviors.same();
                    })
                    .onMessage(Submit.class, submit -> {
                        coordinator.tell(new Coordinator.Submit(submit.submission(), follower(context, submit)));
                        return Behaviors.same();
                    })
                    .onMessage(Cancel.class, cancel -> {
                        coordinator.tell(new Coordinator.Cancel(cancel.run(), cancel.reason()));
                        return Behaviors.same();
                    })
                    .build();
        });
    }

    private static ActorRef<RunEvent> follower(ActorContext<Command> context, Submit submit) {
        Behavior<RunEvent> behavior = Behaviors.receiveMessage(event -> {
            submit.follower().accept(event);
            return Behaviors.same();
        });
        return context.spawn(behavior, "follower-" + submit.submission().run());
    }
}

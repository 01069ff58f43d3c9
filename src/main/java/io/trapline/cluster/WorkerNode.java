package io.trapline.cluster;

import akka.actor.AddressFromURIString;
import akka.actor.typed.ActorRef;
import akka.actor.typed.ActorSystem;
import akka.actor.typed.Behavior;
import akka.actor.typed.DispatcherSelector;
import akka.actor.typed.javadsl.Behaviors;
import akka.actor.typed.receptionist.Receptionist;
import akka.cluster.typed.Cluster;
import akka.cluster.typed.JoinSeedNodes;
import io.trapline.host.Host;
import io.trapline.host.HostProfile;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;

/**
 * A worker on a machine of its own. It asks one coordinator to let it join, again and again; it never forms a cluster
 * of its own. When it was put out of the cluster, or its coordinator is gone for good, it begins anew with another
 * incarnation and all that it has no receipt for.
 */
public final class WorkerNode implements AutoCloseable {
    private static final Duration TICK = Duration.ofSeconds(1);
    private static final Duration BETWEEN_LIVES = Duration.ofSeconds(1);

    /**
     * What a worker is started with.
     *
     * @param coordinator where the coordinator is, by the very name that it goes by
     * @param bind where this worker listens
     * @param name the host's name in campaigns and reports
     * @param labels what selectors may ask for beside the host's profile
     * @param data where results are kept until the coordinator has them
     */
    public record Options(Endpoint coordinator, Bind bind, String name, Map<String, String> labels, Path data) {}

    private sealed interface Command {}

    private record Found(Receptionist.Listing listing) implements Command {}

    private record Tick() implements Command {}

    private final Options options;
    private final Host host;
    private final Outbox outbox;
    private final CompletableFuture<String> dismissed = new CompletableFuture<>();
    private Optional<ActorSystem<Command>> system = Optional.empty();
    private boolean closed;

    private WorkerNode(Options options, Host host, Outbox outbox) {
        this.options = options;
        this.host = host;
        this.outbox = outbox;
    }

    /**
     * A worker that has not joined yet; the caller closes the host after it.
     *
     * @throws IOException naming the file, when what an earlier worker left can't be read
     */
    public static WorkerNode open(Options options, Host host) throws IOException {
        return new WorkerNode(options, host, Outbox.in(options.data().resolve("outbox")));
    }

    /**
     * Joins, works, and joins again when it has to; returns when it was closed, or the coordinator does not want it.
     *
     * @return why it is not wanted; empty when it was closed
     * @throws IOException naming the address, when it can't be listened on
     */
    public Optional<String> work() throws InterruptedException, IOException {
        while (start()) {
            awaitEnd();
            Thread.sleep(BETWEEN_LIVES.toMillis());
        }
        return Optional.ofNullable(dismissed.getNow(null));
    }

    private synchronized boolean start() throws IOException {
        if (closed || dismissed.isDone()) {
            return false;
        }
        system = Optional.of(NodeConfig.start(
                guardian(), "worker", options.bind(), options.bind().at().host(), new Door()));
        return true;
    }

    private void awaitEnd() throws InterruptedException {
        try {
            system.orElseThrow().getWhenTerminated().toCompletableFuture().get();
        } catch (ExecutionException e) {
            throw new IllegalStateException("the worker's actor system has failed", e.getCause());
        }
    }

    /** Stops the trial in hand, leaves the cluster and returns when all is on disk. */
    @Override
    public void close() {
        Optional<ActorSystem<Command>> running;
        synchronized (this) {
            closed = true;
            running = system;
        }
        running.ifPresent(s -> {
            s.terminate();
            s.getWhenTerminated().toCompletableFuture().join();
        });
    }

    private Behavior<Command> guardian() {
        return Behaviors.setup(context -> Behaviors.withTimers(timers -> {
            HostProfile profile = host.profile().named(options.name());
            Worker.Setup setup = new Worker.Setup(
                    host,
                    profile,
                    options.labels(),
                    UUID.randomUUID().toString(),
                    outbox,
                    true,
                    reason -> dismiss(context.getSystem(), reason));
            ActorRef<Worker.Command> worker = context.spawn(
                    Worker.create(setup), "worker", DispatcherSelector.fromConfig("trapline.blocking-dispatcher"));
            Cluster.get(context.getSystem())
                    .manager()
                    .tell(new JoinSeedNodes(List.of(
                            AddressFromURIString.parse("akka://" + NodeConfig.NAME + "@" + options.coordinator()))));
            context.getSystem()
                    .receptionist()
                    .tell(Receptionist.subscribe(
                            CoordinatorNode.KEY, context.messageAdapter(Receptionist.Listing.class, Found::new)));
            timers.startTimerWithFixedDelay(new Tick(), TICK);
            return Behaviors.receive(Command.class)
                    .onMessage(Tick.class, tick -> {
                        worker.tell(new Worker.Tick());
                        return Behaviors.same();
                    })
                    .onMessage(Found.class, found -> {
                        found.listing()
                                .getServiceInstances(CoordinatorNode.KEY)
                                .forEach(c -> worker.tell(new Worker.Join(c)));
                        return Behaviors.same();
                    })
                    .build();
        }));
    }

    private void dismiss(ActorSystem<?> of, String reason) {
        dismissed.complete(reason);
        of.terminate();
    }
}

package io.trapline.cluster;

import akka.actor.AddressFromURIString;
import akka.actor.typed.ActorRef;
import akka.actor.typed.ActorSystem;
import akka.actor.typed.Behavior;
import akka.actor.typed.DispatcherSelector;
import akka.actor.typed.javadsl.ActorContext;
import akka.actor.typed.javadsl.Behaviors;
import akka.actor.typed.receptionist.Receptionist;
import akka.cluster.typed.Cluster;
import akka.cluster.typed.JoinSeedNodes;
import io.trapline.host.Host;
import io.trapline.host.HostProfile;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
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
     * @param data where results are kept until the coordinator has them
     */
    public record Options(Endpoint coordinator, Bind bind, Path data) {}

    /**
     * A host that this worker lends.
     *
     * @param profile as campaigns and reports know it
     */
    public record Lent(Host host, HostProfile profile) {}

    /** A host, and what was measured there and has no receipt. */
    private record Kept(Lent lent, Outbox outbox) {}

    private sealed interface Command {}

    private record Found(Receptionist.Listing listing) implements Command {}

    private record Tick() implements Command {}

    private final Options options;
    private final List<Kept> hosts;
    private final CompletableFuture<String> dismissed = new CompletableFuture<>();
    private Optional<ActorSystem<Command>> system = Optional.empty();
    private boolean closed;

    private WorkerNode(Options options, List<Kept> hosts) {
        this.options = options;
        this.hosts = List.copyOf(hosts);
    }

    /**
     * A worker that has not joined yet; the caller closes the hosts after it.
     *
     * @param hosts one, but for simulated ones: a machine is one host
     * @throws IOException naming the file, when what an earlier worker left can't be read
     */
    public static WorkerNode open(Options options, List<Lent> hosts) throws IOException {
        List<Kept> kept = new ArrayList<>();
        for (Lent lent : hosts) {
            Path outbox = options.data().resolve("outbox");
            kept.add(new Kept(
                    lent,
                    Outbox.in(
                            hosts.size() == 1
                                    ? outbox
                                    : outbox.resolve(lent.profile().name()))));
        }
        return new WorkerNode(options, kept);
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
            List<ActorRef<Worker.Command>> workers = new ArrayList<>();
            for (Kept host : hosts) {
                workers.add(spawn(context, host, workers.size()));
            }
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
                        workers.forEach(worker -> worker.tell(new Worker.Tick()));
                        return Behaviors.same();
                    })
                    .onMessage(Found.class, found -> {
                        found.listing()
                                .getServiceInstances(CoordinatorNode.KEY)
                                .forEach(c -> workers.forEach(worker -> worker.tell(new Worker.Join(c))));
                        return Behaviors.same();
                    })
                    .build();
        }));
    }

    private ActorRef<Worker.Command> spawn(ActorContext<Command> context, Kept host, int number) {
        Worker.Setup setup = new Worker.Setup(
                host.lent().host(),
                host.lent().profile(),
                UUID.randomUUID().toString(),
                host.outbox(),
                reason -> dismiss(context.getSystem(), reason));
        return context.spawn(
                Worker.create(setup),
                "worker-" + number,
                DispatcherSelector.fromConfig("trapline.blocking-dispatcher"));
    }

    private void dismiss(ActorSystem<?> of, String reason) {
        dismissed.complete(reason);
        of.terminate();
    }
}

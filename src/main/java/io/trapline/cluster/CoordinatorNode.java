package io.trapline.cluster;

import akka.actor.typed.ActorRef;
import akka.actor.typed.ActorSystem;
import akka.actor.typed.Behavior;
import akka.actor.typed.javadsl.ActorContext;
import akka.actor.typed.javadsl.AskPattern;
import akka.actor.typed.javadsl.Behaviors;
import akka.actor.typed.receptionist.Receptionist;
import akka.actor.typed.receptionist.ServiceKey;
import akka.cluster.ClusterEvent;
import akka.cluster.typed.Cluster;
import akka.cluster.typed.Join;
import akka.cluster.typed.Subscribe;
import io.trapline.campaign.Campaign;
import io.trapline.campaign.CampaignException;
import io.trapline.campaign.CampaignReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Consumer;

/**
 * A coordinator on a machine of its own, and its data directory. Another one on the same directory goes on where it
 * ended: what was measured is kept, the trial in hand is repeated.
 *
 * <p>The book of runs has a thread of its own, in which followers are called too; disks are never waited for in an actor.
 */
public final class CoordinatorNode implements Campaigns, AutoCloseable {
    static final ServiceKey<Coordinator.Command> KEY = ServiceKey.create(Coordinator.Command.class, "coordinator");

    private static final Duration TO_ANSWER = Duration.ofSeconds(5);

    /**
     * What a coordinator is started with.
     *
     * @param bind where it listens for workers
     * @param name by which workers reach it
     * @param data where its runs are kept
     * @param version of the program, for the journals
     */
    public record Options(Bind bind, String name, Path data, String version) {}

    private sealed interface Command {}

    private record Take(Submission submission) implements Command {}

    private record Pass(Coordinator.Command command) implements Command {}

    private record Members(ActorRef<List<Member>> to) implements Command {}

    private final Claim claim;
    private final RunBook book;
    private final Consumer<Path> onEnded;
    private final Map<String, List<Consumer<RunEvent>>> followers = new HashMap<>();
    private final ExecutorService bookkeeping = thread("runs");
    private final ExecutorService reporting = thread("reports");
    private final Door door = new Door();
    private final ActorSystem<Command> system;

    private CoordinatorNode(Options options, Claim claim, RunBook book, Consumer<Path> onEnded) throws IOException {
        this.claim = claim;
        this.book = book;
        this.onEnded = onEnded;
        this.system = NodeConfig.start(guardian(), "coordinator", options.bind(), options.name(), door);
    }

    private static ExecutorService thread(String name) {
        return Executors.newSingleThreadExecutor(task -> {
            Thread thread = new Thread(task, name);
            thread.setDaemon(true);
            return thread;
        });
    }

    /**
     * Starts it, and goes on with what an earlier one left.
     *
     * @param onEnded makes the reports of a run that has ended, in the run's directory, before anybody is told of the end
     * @throws IOException naming the coordinator that has the directory, the file that can't be used, or the address that
     *     can't be listened on
     */
    public static CoordinatorNode start(Options options, Consumer<Path> onEnded) throws IOException {
        String owner =
                "the coordinator " + options.name() + ":" + options.bind().at().port() + ", process "
                        + ProcessHandle.current().pid();
        Claim claim =
                Claim.take(options.data().resolve("coordinator.lock"), "the data directory " + options.data(), owner);
        try {
            RunBook book = RunBook.in(options.data(), options.version());
            List<Submission> unfinished = book.unfinished();
            CoordinatorNode node = new CoordinatorNode(options, claim, book, onEnded);
            unfinished.forEach(s -> node.system.tell(new Take(s)));
            return node;
        } catch (IOException e) {
            claim.close();
            throw e;
        }
    }

    /** Completes when the coordinator has stopped, whoever stopped it. */
    public CompletionStage<Void> stopped() {
        return system.getWhenTerminated().thenAccept(done -> {});
    }

    @Override
    public CompletionStage<Optional<String>> submit(Optional<String> wanted, String file, String text)
            throws CampaignException {
        Campaign campaign = CampaignReader.parse(file, text);
        return inBook(() -> {
            String id = wanted.orElseGet(() -> UUID.randomUUID().toString());
            if (book.find(id).isPresent()) {
                return book.isOf(id, text) ? Optional.of(id) : Optional.empty();
            }
            system.tell(new Take(book.add(id, campaign, text)));
            return Optional.of(id);
        });
    }

    @Override
    public CompletionStage<List<Run>> runs() {
        return inBook(book::all);
    }

    @Override
    public CompletionStage<Optional<Run>> run(String id) {
        return inBook(() -> book.find(id));
    }

    @Override
    public CompletionStage<Boolean> cancel(String id, String reason) {
        return inBook(() -> {
            boolean there =
                    book.find(id).filter(run -> run.state() != State.ENDED).isPresent();
            if (there) {
                system.tell(new Pass(new Coordinator.Cancel(id, reason)));
            }
            return there;
        });
    }

    @Override
    public CompletionStage<List<Member>> members() {
        return AskPattern.ask(system, Members::new, TO_ANSWER, system.scheduler());
    }

    @Override
    public Callers callers() {
        return door.callers();
    }

    @Override
    public Subscription follow(String id, Consumer<RunEvent> follower) {
        bookkeeping.execute(() -> {
            Optional<RunEvent> last = book.find(id).flatMap(Run::last);
            if (last.isPresent()) {
                follower.accept(last.get());
            } else {
                followers.computeIfAbsent(id, i -> new ArrayList<>()).add(follower);
            }
        });
        return () -> bookkeeping.execute(
                () -> followers.getOrDefault(id, new ArrayList<>()).remove(follower));
    }

    /** Stops it; what runs is kept as it is, for the next one on this directory. */
    @Override
    public void close() throws IOException {
        system.terminate();
        system.getWhenTerminated().toCompletableFuture().join();
        reporting.shutdown();
        CompletableFuture<Void> closed = inBook(() -> {
            book.close();
            return null;
        });
        bookkeeping.shutdown();
        closed.join();
        claim.close();
    }

    private <T> CompletableFuture<T> inBook(Callable<T> work) {
        return CompletableFuture.supplyAsync(
                () -> {
                    try {
                        return work.call();
                    } catch (IOException e) {
                        throw new UncheckedIOException(e);
                    } catch (Exception e) {
                        throw new CompletionException(e);
                    }
                },
                bookkeeping);
    }

    private void happened(String id, RunEvent event) {
        boolean isLast = event instanceof RunEvent.Refused || event instanceof RunEvent.Finished;
        if (isLast) {
            reporting.execute(() -> report(id, event));
        } else {
            bookkeeping.execute(() -> {
                keep(() -> book.note(id, event));
                tell(id, event);
            });
        }
    }

    private void report(String id, RunEvent event) {
        try {
            onEnded.accept(inBook(() -> book.find(id).orElseThrow().directory()).join());
        } catch (RuntimeException e) {
            system.log().error("the report of run {} could not be made", id, e);
        }
        bookkeeping.execute(() -> {
            keep(() -> book.end(id, event));
            tell(id, event);
            followers.remove(id);
        });
    }

    /** A book that can't be written stops no run: the journals have all, and the next coordinator looks at them. */
    private void keep(Write write) {
        try {
            write.run();
        } catch (IOException e) {
            system.log().error("the list of runs is behind: {}", e.getMessage());
        }
    }

    private interface Write {
        void run() throws IOException;
    }

    private void tell(String id, RunEvent event) {
        List.copyOf(followers.getOrDefault(id, List.of())).forEach(f -> f.accept(event));
    }

    private Behavior<Command> guardian() {
        return Behaviors.setup(context -> {
            Cluster cluster = Cluster.get(context.getSystem());
            cluster.manager().tell(Join.create(cluster.selfMember().address()));
            ActorRef<Coordinator.Command> coordinator = context.spawn(Coordinator.create(false, door), "coordinator");
            context.getSystem().receptionist().tell(Receptionist.register(KEY, coordinator));
            cluster.subscriptions()
                    .tell(Subscribe.create(
                            context.messageAdapter(ClusterEvent.ReachabilityEvent.class, CoordinatorNode::reachable),
                            ClusterEvent.ReachabilityEvent.class));
            return Behaviors.receive(Command.class)
                    .onMessage(Pass.class, pass -> {
                        coordinator.tell(pass.command());
                        return Behaviors.same();
                    })
                    .onMessage(Members.class, members -> {
                        coordinator.tell(new Coordinator.Ask(members.to()));
                        return Behaviors.same();
                    })
                    .onMessage(Take.class, take -> {
                        coordinator.tell(new Coordinator.Submit(take.submission(), follower(context, take)));
                        return Behaviors.same();
                    })
                    .build();
        });
    }

    private static Command reachable(ClusterEvent.ReachabilityEvent event) {
        return new Pass(
                new Coordinator.Reachable(event.member().address(), event instanceof ClusterEvent.ReachableMember));
    }

    private ActorRef<RunEvent> follower(ActorContext<Command> context, Take take) {
        String id = take.submission().run();
        Behavior<RunEvent> behavior = Behaviors.receiveMessage(event -> {
            happened(id, event);
            boolean isLast = event instanceof RunEvent.Refused || event instanceof RunEvent.Finished;
            return isLast ? Behaviors.stopped() : Behaviors.same();
        });
        return context.spawn(behavior, "follower-" + id);
    }
}

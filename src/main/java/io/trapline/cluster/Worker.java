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
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;

/** Runs trials on its host, one at a time, and passes on what the trigger says. One a host. */
public final class Worker extends AbstractBehavior<Worker.Command> {

    /** What a worker is asked. */
    public sealed interface Command {}

    /** Say hello to this coordinator. */
    public record Join(ActorRef<Coordinator.Command> coordinator) implements Command {}

    /** Get this trial ready; replies go to the run. */
    public record Prepare(Attempt attempt, TrialSpec spec, ActorRef<CampaignRun.Command> run) implements Command {}

    /** Let the threads of that attempt run. */
    public record Go(Attempt attempt) implements Command {}

    /** End that attempt early. */
    public record Stop(Attempt attempt) implements Command {}

    private record InHand(Attempt attempt, Host.Trial trial) {}

    private final Host host;
    private final String incarnation;
    private Optional<InHand> inHand = Optional.empty();

    private Worker(ActorContext<Command> context, Host host, String incarnation) {
        super(context);
        this.host = host;
        this.incarnation = incarnation;
    }

    /**
     * A worker for this host, which it closes when it stops.
     *
     * @param incarnation tells this start of the worker from every other one
     */
    public static Behavior<Command> create(Host host, String incarnation) {
        return Behaviors.setup(context -> new Worker(context, host, incarnation));
    }

    @Override
    public Receive<Command> createReceive() {
        return newReceiveBuilder()
                .onMessage(Join.class, this::onJoin)
                .onMessage(Prepare.class, this::onPrepare)
                .onMessage(Go.class, this::onGo)
                .onMessage(Stop.class, this::onStop)
                .onSignal(PostStop.class, this::onPostStop)
                .build();
    }

    private Behavior<Command> onJoin(Join join) {
        HostProfile profile = host.profile();
        join.coordinator()
                .tell(new Coordinator.Hello(profile, incarnation, getContext().getSelf()));
        return this;
    }

    private Behavior<Command> onPrepare(Prepare prepare) {
        String name = host.profile().name();
        try {
            Host.Trial trial = host.begin(
                    prepare.spec(), reply -> prepare.run().tell(new CampaignRun.Said(name, prepare.attempt(), reply)));
            inHand = Optional.of(new InHand(prepare.attempt(), trial));
        } catch (IllegalStateException busy) {
            Reply.Failed failed = new Reply.Failed(
                    prepare.spec().id(), "begin", OptionalInt.empty(), busy.getMessage(), Optional.empty());
            prepare.run().tell(new CampaignRun.Said(name, prepare.attempt(), failed));
        }
        return this;
    }

    private Behavior<Command> onGo(Go go) {
        find(go.attempt()).ifPresent(trial -> trial.go(OptionalLong.empty()));
        return this;
    }

    private Behavior<Command> onStop(Stop stop) {
        find(stop.attempt()).ifPresent(Host.Trial::stop);
        return this;
    }

    private Optional<Host.Trial> find(Attempt attempt) {
        return inHand.filter(t -> t.attempt().equals(attempt)).map(InHand::trial);
    }

    private Behavior<Command> onPostStop(PostStop signal) {
        host.close();
        return this;
    }
}

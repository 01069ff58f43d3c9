package io.trapline.cluster;

import akka.actor.typed.ActorRef;
import akka.actor.typed.Behavior;
import akka.actor.typed.Terminated;
import akka.actor.typed.javadsl.AbstractBehavior;
import akka.actor.typed.javadsl.ActorContext;
import akka.actor.typed.javadsl.Behaviors;
import akka.actor.typed.javadsl.Receive;
import akka.actor.typed.javadsl.TimerScheduler;
import io.trapline.campaign.Campaign;
import io.trapline.campaign.CampaignException;
import io.trapline.campaign.NoHostException;
import io.trapline.campaign.Plan;
import io.trapline.campaign.Planner;
import io.trapline.campaign.Problem;
import io.trapline.host.HostProfile;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Knows the workers, keeps the queue of campaigns, and starts a {@link CampaignRun} for one after the other. */
public final class Coordinator extends AbstractBehavior<Coordinator.Command> {
    /** How long a campaign waits for the first worker. */
    static final Duration FORMED_WITHIN = Duration.ofSeconds(20);

    /** What a coordinator is told. */
    public sealed interface Command {}

    /** A worker is there, with its host. */
    public record Hello(HostProfile profile, String incarnation, ActorRef<Worker.Command> worker) implements Command {}

    /** Run this campaign when its turn comes. */
    public record Submit(Submission submission, ActorRef<RunEvent> follower) implements Command {}

    /** End that run, or take it from the queue. */
    public record Cancel(String run, String reason) implements Command {}

    private record NotFormed(String run) implements Command {}

    private record Member(HostProfile profile, String incarnation, ActorRef<Worker.Command> worker) {}

    private record Running(String run, ActorRef<CampaignRun.Command> actor) {}

    private final TimerScheduler<Command> timers;
    private final Map<String, Member> members = new LinkedHashMap<>();
    private final Deque<Submit> queue = new ArrayDeque<>();
    private Optional<Running> running = Optional.empty();

    private Coordinator(ActorContext<Command> context, TimerScheduler<Command> timers) {
        super(context);
        this.timers = timers;
    }

    /** A coordinator without workers and campaigns. */
    public static Behavior<Command> create() {
        return Behaviors.setup(context -> Behaviors.withTimers(timers -> new Coordinator(context, timers)));
    }

    @Override
    public Receive<Command> createReceive() {
        return newReceiveBuilder()
                .onMessage(Hello.class, this::onHello)
                .onMessage(Submit.class, this::onSubmit)
                .onMessage(Cancel.class, this::onCancel)
                .onMessage(NotFormed.class, this::onNotFormed)
                .onSignal(Terminated.class, this::onRunEnded)
                .build();
    }

    private Behavior<Command> onHello(Hello hello) {
        members.put(hello.profile().name(), new Member(hello.profile(), hello.incarnation(), hello.worker()));
        startNext();
        return this;
    }

    private Behavior<Command> onSubmit(Submit submit) {
        queue.add(submit);
        String run = submit.submission().run();
        timers.startSingleTimer(run, new NotFormed(run), FORMED_WITHIN);
        startNext();
        return this;
    }

    private Behavior<Command> onNotFormed(NotFormed late) {
        if (members.isEmpty()) {
            takeFromQueue(late.run())
                    .ifPresent(submit -> submit.follower()
                            .tell(new RunEvent.Refused(
                                    RunEvent.Refused.Cause.NO_HOSTS,
                                    List.of("no worker said hello within " + FORMED_WITHIN.toSeconds() + " s"))));
        }
        return this;
    }

    private Behavior<Command> onCancel(Cancel cancel) {
        running.filter(r -> r.run().equals(cancel.run()))
                .ifPresent(r -> r.actor().tell(new CampaignRun.Cancel(cancel.reason())));
        takeFromQueue(cancel.run())
                .ifPresent(submit -> submit.follower()
                        .tell(new RunEvent.Finished(RunEvent.Finished.Ending.CANCELLED, cancel.reason())));
        return this;
    }

    private Behavior<Command> onRunEnded(Terminated run) {
        running = Optional.empty();
        startNext();
        return this;
    }

    private Optional<Submit> takeFromQueue(String run) {
        Optional<Submit> found =
                queue.stream().filter(s -> s.submission().run().equals(run)).findFirst();
        found.ifPresent(queue::remove);
        return found;
    }

    private void startNext() {
        while (running.isEmpty() && !members.isEmpty() && !queue.isEmpty()) {
            start(queue.remove());
        }
    }

    private void start(Submit submit) {
        Submission submission = submit.submission();
        timers.cancel(submission.run());
        try {
            Campaign campaign = submission.campaign();
            List<HostProfile> hosts =
                    members.values().stream().map(Member::profile).toList();
            Plan plan = Planner.plan(campaign, hosts);
            List<String> differences = submission.earlier().differences(plan, hosts);
            if (differences.isEmpty()) {
                run(submit, plan);
            } else {
                submit.follower().tell(new RunEvent.Refused(RunEvent.Refused.Cause.BAD_INPUT, differences));
            }
        } catch (NoHostException e) {
            submit.follower().tell(new RunEvent.Refused(RunEvent.Refused.Cause.NO_HOSTS, List.of(e.getMessage())));
        } catch (CampaignException e) {
            List<String> problems = e.problems().stream().map(Problem::toString).toList();
            submit.follower().tell(new RunEvent.Refused(RunEvent.Refused.Cause.BAD_INPUT, problems));
        }
    }

    private void run(Submit submit, Plan plan) {
        Map<String, ActorRef<Worker.Command>> workers = new LinkedHashMap<>();
        Map<String, String> incarnations = new LinkedHashMap<>();
        members.forEach((host, member) -> {
            workers.put(host, member.worker());
            incarnations.put(host, member.incarnation());
        });
        List<HostProfile> hosts = members.values().stream().map(Member::profile).toList();
        Submission submission = submit.submission();
        RunLogic logic = new RunLogic(
                new RunLogic.Setup(
                        submission.header(Instant.now()),
                        plan,
                        submission.campaign().onLoss(),
                        hosts,
                        incarnations,
                        submission.earlier()),
                Clock.systemUTC(),
                System::nanoTime);
        ActorRef<CampaignRun.Command> actor = getContext()
                .spawn(
                        CampaignRun.create(logic, submission.writer(), workers, submit.follower()),
                        "run-" + submit.submission().run());
        getContext().watch(actor);
        running = Optional.of(new Running(submit.submission().run(), actor));
    }
}

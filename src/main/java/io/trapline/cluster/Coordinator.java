package io.trapline.cluster;

import akka.actor.Address;
import akka.actor.typed.ActorRef;
import akka.actor.typed.Behavior;
import akka.actor.typed.javadsl.AbstractBehavior;
import akka.actor.typed.javadsl.ActorContext;
import akka.actor.typed.javadsl.Behaviors;
import akka.actor.typed.javadsl.Receive;
import akka.actor.typed.javadsl.TimerScheduler;
import io.trapline.host.HostProfile;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Knows the workers, keeps the queue of campaigns, and starts a {@link CampaignRun} for each as soon as its hosts are
 * free: no host is ever in two of them.
 */
final class Coordinator extends AbstractBehavior<Coordinator.Command> {
    /** The version of the messages between coordinator and workers; two that differ do not work together. */
    static final int PROTOCOL = 2;

    /** How long a campaign waits for hosts that it could run on. */
    static final Duration FORMED_WITHIN = Duration.ofSeconds(20);

    /** How often each worker hears that its coordinator is there. */
    private static final Duration BEAT = Duration.ofSeconds(2);

    /** What a coordinator is told. */
    sealed interface Command {}

    /**
     * A worker is there, with its host.
     *
     * @param protocol {@link #PROTOCOL} of the worker; this and the table stay the first fields for ever
     * @param table the worker's {@link KryoTable#HASH}
     * @param runs those of which it has records without a receipt
     */
    record Hello(
            int protocol,
            String table,
            HostProfile profile,
            String incarnation,
            Set<String> runs,
            ActorRef<Worker.Command> worker)
            implements Command, Wire {}

    /** Run this campaign when its turn comes. */
    record Submit(Submission submission, ActorRef<RunEvent> follower) implements Command {}

    /** End that run, or take it from the queue. */
    record Cancel(String run, String reason) implements Command {}

    /** The hosts, please. */
    record Ask(ActorRef<List<Campaigns.Member>> to) implements Command {}

    /** All workers at that address can be reached again, or no longer. */
    record Reachable(Address address, boolean yes) implements Command {}

    private record Gone(String host, String incarnation) implements Command {}

    private record RunEnded(String run) implements Command {}

    private record NotFormed(String run) implements Command {}

    private record BeatAll() implements Command {}

    private record Member(Hello hello, boolean there) {
        String host() {
            return hello.profile().name();
        }
    }

    private record Running(ActorRef<CampaignRun.Command> actor, Map<String, HostProfile> hosts) {}

    private final TimerScheduler<Command> timers;
    private final boolean alone;
    private final Duration untilBack;
    private final Door door;
    private final Map<String, Member> members = new LinkedHashMap<>();
    private final Map<String, Submit> queue = new LinkedHashMap<>();
    private final Set<String> late = new HashSet<>();
    private final Map<String, Running> running = new LinkedHashMap<>();

    private Coordinator(ActorContext<Command> context, TimerScheduler<Command> timers, boolean alone, Door door) {
        super(context);
        context.setLoggerName(Coordinator.class);
        this.timers = timers;
        this.alone = alone;
        this.untilBack = context.getSystem().settings().config().getDuration("trapline.lost-host-has");
        this.door = door;
        if (!alone) {
            timers.startTimerWithFixedDelay(new BeatAll(), BEAT);
        }
    }

    /**
     * A coordinator without workers and campaigns.
     *
     * @param alone whether its one worker lives and dies with it: no other host will come, and none can be lost
     * @param door counts the workers that are refused
     */
    static Behavior<Command> create(boolean alone, Door door) {
        return Behaviors.setup(
                context -> Behaviors.withTimers(timers -> new Coordinator(context, timers, alone, door)));
    }

    @Override
    public Receive<Command> createReceive() {
        return newReceiveBuilder()
                .onMessage(Hello.class, this::onHello)
                .onMessage(Gone.class, this::onGone)
                .onMessage(Reachable.class, this::onReachable)
                .onMessage(BeatAll.class, this::onBeatAll)
                .onMessage(Submit.class, this::onSubmit)
                .onMessage(NotFormed.class, this::onNotFormed)
                .onMessage(Cancel.class, this::onCancel)
                .onMessage(RunEnded.class, this::onRunEnded)
                .onMessage(Ask.class, this::onAsk)
                .build();
    }

    private Behavior<Command> onHello(Hello hello) {
        if (hello.protocol() != PROTOCOL || !hello.table().equals(KryoTable.HASH)) {
            refuse(
                    hello.worker(),
                    "this coordinator speaks protocol " + PROTOCOL + " with the table " + KryoTable.HASH
                            + ", and the worker speaks " + hello.protocol() + " with " + hello.table()
                            + "; run the same version of trapline on both");
            door.refused();
            return this;
        }
        Member member = new Member(hello, true);
        Optional<Member> known = Optional.ofNullable(members.get(member.host()));
        if (known.filter(m -> !m.there() && m.hello().incarnation().equals(hello.incarnation()))
                .isPresent()) {
            // Long under way: this worker is back when the cluster reaches it again. One that was put out never is; it
            // will find that out and begin anew.
            return this;
        }
        known.filter(before -> !before.hello().incarnation().equals(hello.incarnation()))
                .ifPresent(this::replace);
        members.put(member.host(), member);
        if (!alone) {
            getContext().getLog().info("host {} is there, worker {}", member.host(), hello.incarnation());
        }
        getContext().watchWith(hello.worker(), new Gone(member.host(), hello.incarnation()));
        hello.runs().stream()
                .filter(run -> !running.containsKey(run) && !queue.containsKey(run))
                .forEach(run -> hello.worker().tell(new Worker.Forget(run)));
        welcome(member);
        startAll();
        return this;
    }

    private void refuse(ActorRef<Worker.Command> worker, String reason) {
        getContext().getLog().warn("a worker is refused: {}", reason);
        worker.tell(new Worker.Dismiss(reason));
    }

    private void replace(Member before) {
        lose(before, "another worker took its place");
        if (before.there()) {
            refuse(before.hello().worker(), "another worker for the host " + before.host() + " took its place");
        }
    }

    private void welcome(Member member) {
        forRunOf(member.host(), run -> {
            String changed = Earlier.changed(
                    run.hosts().get(member.host()), member.hello().profile());
            run.actor()
                    .tell(
                            changed.isEmpty()
                                    ? new CampaignRun.WorkerBack(
                                            member.host(),
                                            member.hello().incarnation(),
                                            member.hello().worker())
                                    : new CampaignRun.HostGone(member.host(), changed));
        });
    }

    private Behavior<Command> onGone(Gone gone) {
        Optional.ofNullable(members.get(gone.host()))
                .filter(m -> m.hello().incarnation().equals(gone.incarnation()))
                .ifPresent(m -> lose(m, "its worker is gone"));
        return this;
    }

    private Behavior<Command> onReachable(Reachable change) {
        for (Member member : List.copyOf(members.values())) {
            if (member.hello().worker().path().address().equals(change.address()) && member.there() != change.yes()) {
                if (change.yes()) {
                    members.put(member.host(), new Member(member.hello(), true));
                    welcome(member);
                } else {
                    lose(member, "its worker can't be reached");
                }
            }
        }
        startAll();
        return this;
    }

    private void lose(Member member, String reason) {
        members.put(member.host(), new Member(member.hello(), false));
        String lost = "host " + member.host() + " was lost: " + reason;
        getContext().getLog().warn(lost);
        forRunOf(member.host(), run -> run.actor().tell(new CampaignRun.WorkerLost(member.host(), lost)));
    }

    private void forRunOf(String host, java.util.function.Consumer<Running> action) {
        running.values().stream().filter(r -> r.hosts().containsKey(host)).forEach(action);
    }

    private Behavior<Command> onBeatAll(BeatAll beat) {
        members.values().stream()
                .filter(Member::there)
                .forEach(m -> m.hello().worker().tell(new Worker.Beat()));
        return this;
    }

    private Behavior<Command> onSubmit(Submit submit) {
        String run = submit.submission().run();
        queue.put(run, submit);
        timers.startSingleTimer(run, new NotFormed(run), FORMED_WITHIN);
        startAll();
        return this;
    }

    private Behavior<Command> onNotFormed(NotFormed passed) {
        late.add(passed.run());
        startAll();
        return this;
    }

    private Behavior<Command> onCancel(Cancel cancel) {
        Optional.ofNullable(running.get(cancel.run()))
                .ifPresent(r -> r.actor().tell(new CampaignRun.Cancel(cancel.reason())));
        take(cancel.run())
                .ifPresent(submit -> submit.follower()
                        .tell(new RunEvent.Finished(RunEvent.Finished.Ending.CANCELLED, cancel.reason())));
        return this;
    }

    private Behavior<Command> onRunEnded(RunEnded ended) {
        Set<String> hosts = running.remove(ended.run()).hosts().keySet();
        members.values().stream()
                .filter(m -> hosts.contains(m.host()))
                .forEach(m -> m.hello().worker().tell(new Worker.Forget(ended.run())));
        startAll();
        return this;
    }

    private Behavior<Command> onAsk(Ask ask) {
        List<Campaigns.Member> all = new ArrayList<>();
        for (Member member : members.values()) {
            Optional<String> leasedTo = running.entrySet().stream()
                    .filter(r -> r.getValue().hosts().containsKey(member.host()))
                    .map(Map.Entry::getKey)
                    .findFirst();
            Hello hello = member.hello();
            all.add(new Campaigns.Member(hello.profile(), hello.incarnation(), member.there(), leasedTo));
        }
        ask.to().tell(all);
        return this;
    }

    private Optional<Submit> take(String run) {
        timers.cancel(run);
        late.remove(run);
        return Optional.ofNullable(queue.remove(run));
    }

    /** In the order of the queue; who waits for a host keeps those behind it from taking it. */
    private void startAll() {
        Map<String, HostProfile> there = new LinkedHashMap<>();
        members.values().stream()
                .filter(Member::there)
                .forEach(m -> there.put(m.host(), m.hello().profile()));
        Set<String> taken = new HashSet<>();
        running.values().forEach(r -> taken.addAll(r.hosts().keySet()));
        for (Submit submit : List.copyOf(queue.values())) {
            Submission submission = submit.submission();
            Admission admission = Admission.of(submission, there, taken, alone, late.contains(submission.run()));
            if (admission instanceof Admission.Start start) {
                take(submission.run());
                start(submit, start);
                start.hosts().forEach(h -> taken.add(h.name()));
            } else if (admission instanceof Admission.Wait wait) {
                taken.addAll(wait.wanted());
            } else if (admission instanceof Admission.Refuse refuse) {
                take(submission.run());
                submit.follower().tell(refuse.event());
            }
        }
    }

    private void start(Submit submit, Admission.Start start) {
        Submission submission = submit.submission();
        Map<String, ActorRef<Worker.Command>> workers = new HashMap<>();
        Map<String, String> incarnations = new HashMap<>();
        Map<String, HostProfile> hosts = new LinkedHashMap<>();
        for (HostProfile host : start.hosts()) {
            hosts.put(host.name(), host);
            Optional.ofNullable(members.get(host.name())).filter(Member::there).ifPresent(m -> {
                workers.put(host.name(), m.hello().worker());
                incarnations.put(host.name(), m.hello().incarnation());
            });
        }
        RunSetup setup = new RunSetup(
                submission.header(Instant.now()),
                start.plan(),
                submission.campaign().together(),
                submission.campaign().onLoss(),
                submission.campaign().deadline(),
                untilBack,
                start.hosts(),
                incarnations,
                submission.earlier());
        RunLogic logic = new RunLogic(setup, Clock.systemUTC(), System::nanoTime);
        String run = submission.run();
        ActorRef<CampaignRun.Command> actor = getContext()
                .spawn(CampaignRun.create(run, logic, submission.writer(), workers, submit.follower()), "run-" + run);
        getContext().watchWith(actor, new RunEnded(run));
        running.put(run, new Running(actor, hosts));
    }
}

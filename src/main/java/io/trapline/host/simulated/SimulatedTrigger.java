package io.trapline.host.simulated;

import io.trapline.host.CpuSet;
import io.trapline.host.Workload;
import io.trapline.trigger.Command;
import io.trapline.trigger.ExitStatus;
import io.trapline.trigger.Reply;
import io.trapline.trigger.Trigger;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.stream.LongStream;

/**
 * Stands in for the native program: speaks its protocol and counts at the rate of a curve, without threads or probes.
 * What it can't know, such as a target's first bytes, it does not claim. Lives in the thread of {@code events} alone.
 */
public final class SimulatedTrigger implements Trigger {
    private static final double SECOND = 1e9;

    private final Curve curve;
    private final SimulatedClock clock;
    private final ScheduledExecutorService events;
    private final Supplier<List<Fault>> faultsOfNext;
    private final Listener listener;

    private List<Fault> faults = List.of();
    private Optional<Running> running = Optional.empty();
    private Optional<Future<?>> next = Optional.empty();
    private String words = "";
    private boolean alive = true;
    private boolean hangs;

    /**
     * One that is alive.
     *
     * @param faultsOfNext is asked when a trial begins: what goes wrong in it
     * @param listener is called in the thread of {@code events}
     */
    public SimulatedTrigger(
            Curve curve,
            SimulatedClock clock,
            ScheduledExecutorService events,
            Supplier<List<Fault>> faultsOfNext,
            Listener listener) {
        this.curve = curve;
        this.clock = clock;
        this.events = events;
        this.faultsOfNext = faultsOfNext;
        this.listener = listener;
    }

    /** The trial in hand; {@code realStart} is its threads' start, whatever the host's clock shows. */
    private record Running(Command.Run order, CpuSet cpus, double ratePerCpu, long realStart, int readings) {
        Running started(long real) {
            return new Running(order, cpus, ratePerCpu, real, readings);
        }

        Running read() {
            return new Running(order, cpus, ratePerCpu, realStart, readings + 1);
        }

        boolean hasStarted() {
            return realStart != 0;
        }

        long due() {
            return realStart
                    + order.warmup().toNanos()
                    + order.interval().multipliedBy(readings).toNanos();
        }

        long[] ops(long real) {
            long each = hasStarted() ? Math.round((real - realStart) / SECOND * ratePerCpu) : 0;
            return LongStream.generate(() -> each).limit(cpus.size()).toArray();
        }
    }

    @Override
    public void send(Command command) {
        if (hangs || !alive) {
            return;
        }
        if (command instanceof Command.Run run) {
            prepare(run);
        } else if (command instanceof Command.Go go) {
            running.ifPresent(trial -> go(trial, go.atNs()));
        } else if (command instanceof Command.Stop) {
            running.ifPresent(trial -> done(trial, true));
        }
    }

    private void prepare(Command.Run run) {
        CpuSet cpus = CpuSet.parse(run.cpus());
        running = Optional.of(new Running(run, cpus, curve.rate(cpus.size()) / cpus.size(), 0, 0));
        faults = faultsOfNext.get();
        faults.stream().filter(Fault::isEarly).forEach(this::happen);
        later(0, () -> {
            List<Reply.ThreadPlace> threads = cpus.stream()
                    .mapToObj(cpu -> new Reply.ThreadPlace(
                            cpu, 0, 0, Integer.toString(cpu), OptionalInt.empty(), OptionalInt.empty()))
                    .toList();
            say(new Reply.Ready(
                    run.trial(), Optional.empty(), Optional.empty(), Optional.empty(), OptionalInt.empty(), threads));
        });
    }

    private void go(Running trial, OptionalLong at) {
        if (at.isPresent() && at.getAsLong() <= clock.now()) {
            running = Optional.empty();
            say(new Reply.Failed(trial.order().trial(), "go", OptionalInt.empty(), "late", Optional.empty()));
            return;
        }
        later(at.isPresent() ? clock.until(at.getAsLong()) : 0, () -> {
            long real = clock.real();
            long now = clock.at(real);
            Running started = trial.started(real);
            say(new Reply.Started(trial.order().trial(), now, now));
            misbehave(0);
            go(started);
        });
    }

    /** Reads when the next reading is due, and after the last one ends. */
    private void go(Running trial) {
        running = Optional.of(trial);
        later(trial.due() - clock.real(), () -> {
            long real = clock.real();
            say(new Reply.Interval(trial.order().trial(), trial.readings(), clock.at(real), 0, trial.ops(real)));
            Running after = trial.read();
            misbehave(after.readings());
            if (after.readings() > after.order().intervals()) {
                done(after, false);
            } else {
                go(after);
            }
        });
    }

    private void misbehave(int readings) {
        faults.stream()
                .filter(f -> !f.isEarly() && f.after().getAsInt() == readings)
                .forEach(this::happen);
    }

    private void happen(Fault fault) {
        if (fault.what() instanceof Fault.Crash crash) {
            alive = false;
            words = crash.words();
            events.execute(() -> listener.ended(ExitStatus.describe(crash.status()) + lastWords()));
        } else if (fault.what() instanceof Fault.Hang) {
            hangs = true;
        } else if (fault.what() instanceof Fault.Jump jump) {
            clock.jump(jump.by());
        } else if (fault.what() instanceof Fault.Drift drift) {
            clock.drift(drift.ppm());
        }
    }

    private void done(Running trial, boolean stopped) {
        next.ifPresent(n -> n.cancel(false));
        running = Optional.empty();
        List<Long> ops = LongStream.of(trial.ops(clock.real())).boxed().toList();
        boolean counted = Workload.named(trial.order().workload()).kind() != Workload.Kind.BASELINE;
        List<Long> hits = counted ? ops.stream().map(this::claimed).toList() : List.of();
        say(new Reply.Done(
                trial.order().trial(),
                sum(ops),
                counted ? OptionalLong.of(sum(hits)) : OptionalLong.empty(),
                ops,
                hits,
                0,
                OptionalLong.empty(),
                OptionalLong.empty(),
                OptionalLong.empty(),
                OptionalLong.empty(),
                0,
                stopped));
    }

    private long claimed(long hits) {
        double missing = faults.stream()
                .map(Fault::what)
                .filter(Fault.Lie.class::isInstance)
                .mapToDouble(lie -> ((Fault.Lie) lie).part())
                .sum();
        return Math.round(hits * (1 - missing));
    }

    private static long sum(List<Long> counts) {
        return counts.stream().mapToLong(Long::longValue).sum();
    }

    private void say(Reply reply) {
        if (alive && !hangs) {
            listener.said(reply);
        }
    }

    private void later(long ns, Runnable event) {
        if (alive && !hangs) {
            next = Optional.of(events.schedule(event, ns, TimeUnit.NANOSECONDS));
        }
    }

    @Override
    public boolean isAlive() {
        return alive;
    }

    @Override
    public String lastWords() {
        return words.isEmpty() ? "" : "; its last words: " + words;
    }

    @Override
    public void kill() {
        alive = false;
        next.ifPresent(n -> n.cancel(false));
    }
}

package io.trapline.host;

import io.trapline.host.simulated.Fault;
import io.trapline.host.simulated.SimulatedClock;
import io.trapline.host.simulated.SimulatedTrigger;
import io.trapline.host.simulated.Simulation;
import io.trapline.trigger.Reply;
import io.trapline.trigger.Trigger;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.stream.IntStream;

/**
 * No machine: it counts at the rate of a curve and can be told to go wrong, to try out all that is above hosts. A
 * thousand of them take one thread. Its profile says what it is, and every report repeats it.
 */
public final class SimulatedHost implements Host {
    /** Each has been up for that much longer than the one before it, so that no two clocks agree. */
    private static final Duration BETWEEN_BOOTS = Duration.ofSeconds(1000);

    private final TrialHost trials;

    private SimulatedHost(TrialHost trials) {
        this.trials = trials;
    }

    /**
     * So many alike, named {@code NAME-1} and so on.
     *
     * @param name what their names begin with
     */
    public static List<Host> open(Simulation simulation, String name, int count) {
        ScheduledThreadPoolExecutor events = new ScheduledThreadPoolExecutor(1, task -> {
            Thread thread = new Thread(task, "simulated");
            thread.setDaemon(true);
            return thread;
        });
        events.setRemoveOnCancelPolicy(true);
        AtomicInteger open = new AtomicInteger(count);
        HostProfile profile = simulation.profile(name);
        return IntStream.rangeClosed(1, count)
                .<Host>mapToObj(number -> one(simulation, profile.named(name + "-" + number), number, events, open))
                .toList();
    }

    private static SimulatedHost one(
            Simulation simulation,
            HostProfile profile,
            int number,
            ScheduledExecutorService events,
            AtomicInteger open) {
        SimulatedClock clock = new SimulatedClock(System::nanoTime, BETWEEN_BOOTS.multipliedBy(number));
        return new SimulatedHost(new TrialHost(
                new Triggers(simulation, number, clock, events, open, new AtomicInteger()),
                profile,
                TrialProtocol.Deadlines.forSimulated(),
                events,
                clock::now));
    }

    @Override
    public HostProfile profile() {
        return trials.profile();
    }

    @Override
    public long clock() {
        return trials.clock();
    }

    @Override
    public Trial begin(TrialSpec spec, Consumer<Reply.OfTrial> listener) {
        return trials.begin(spec, listener);
    }

    @Override
    public void close() {
        trials.close();
    }

    /**
     * Triggers of one host, whose trials are counted for its faults.
     *
     * @param open how many hosts still need the thread
     */
    private record Triggers(
            Simulation simulation,
            int host,
            SimulatedClock clock,
            ScheduledExecutorService events,
            AtomicInteger open,
            AtomicInteger trialsBegun)
            implements TrialHost.Source {
        @Override
        public TrialHost.Started start(Trigger.Listener listener) {
            return new Started(new SimulatedTrigger(simulation.curve(), clock, events, this::faultsOfNext, listener));
        }

        private List<Fault> faultsOfNext() {
            int trial = trialsBegun.incrementAndGet();
            return simulation.faults().stream()
                    .filter(fault -> fault.meets(host, trial))
                    .toList();
        }

        @Override
        public void close() {
            if (open.decrementAndGet() == 0) {
                events.shutdown();
            }
        }
    }

    private record Started(SimulatedTrigger process) implements TrialHost.Started {
        @Override
        public void wake() {
            // It is awake.
        }

        @Override
        public void rest() {
            // It takes nothing from anybody.
        }

        @Override
        public void close() {
            process.kill();
        }
    }
}

package io.trapline.host;

import io.trapline.trigger.Command;
import io.trapline.trigger.ProfileQuery;
import io.trapline.trigger.Reply;
import io.trapline.trigger.TriggerException;
import io.trapline.trigger.TriggerProcess;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;

/**
 * This machine. One trigger serves trial after trial; one that failed is replaced.
 *
 * <p>All that happens to a trial (calls, replies, deadlines) goes through one thread, in which {@link TrialProtocol}
 * decides and the listener is called. The listener may begin the next trial, but should not work there.
 */
public final class LocalHost implements Host {
    private static final Duration TO_CLOSE = Duration.ofSeconds(15);

    private final Path program;
    private final HostProfile profile;
    private final TrialProtocol.Deadlines deadlines;
    private final AtomicBoolean busy = new AtomicBoolean();
    private final AtomicBoolean closing = new AtomicBoolean();
    private final ScheduledThreadPoolExecutor events = new ScheduledThreadPoolExecutor(1, LocalHost::eventsThread);

    // Only the events thread touches these two.
    private Optional<RunningTrial> running = Optional.empty();
    private Optional<Trigger> trigger = Optional.empty();

    /** For {@link #open}, and for tests, which have a profile and deadlines of their own. */
    LocalHost(Path program, HostProfile profile, TrialProtocol.Deadlines deadlines) {
        this.program = program;
        this.profile = profile;
        this.deadlines = deadlines;
        events.setRemoveOnCancelPolicy(true);
    }

    private static Thread eventsThread(Runnable task) {
        Thread thread = new Thread(task, "local-host");
        thread.setDaemon(true);
        return thread;
    }

    /**
     * Opens this machine as a host: reads its profile.
     *
     * @param program the native program, such as {@link io.trapline.trigger.TriggerProgram#find} finds
     * @throws TriggerException when it can't be had or its profile makes no sense
     */
    public static LocalHost open(Path program) throws TriggerException {
        HostProfile profile = ProfileReader.read(ProfileQuery.ask(program, Optional.empty()));
        int cpus = profile.topology().usable().size();
        return new LocalHost(program, profile, TrialProtocol.Deadlines.forCpus(cpus));
    }

    @Override
    public HostProfile profile() {
        return profile;
    }

    @Override
    public Trial begin(TrialSpec spec, Consumer<Reply.OfTrial> listener) {
        if (events.isShutdown()) {
            throw new IllegalStateException("trial " + spec.id() + " can't begin: this host is closed");
        }
        if (!busy.compareAndSet(false, true)) {
            throw new IllegalStateException("trial " + spec.id() + " can't begin: another one runs on this host");
        }
        RunningTrial trial = new RunningTrial(spec, listener);
        post(trial::begin);
        return trial;
    }

    /** Has something done in the events thread; once the host is closed, nothing is to be done any more. */
    private void post(Runnable event) {
        try {
            events.execute(event);
        } catch (RejectedExecutionException e) {
            // Closed: the trial, if there was one, has been told.
        }
    }

    /** Closing again does nothing: a worker and the command that opened the host may both do it. */
    @Override
    public void close() {
        if (!closing.compareAndSet(false, true)) {
            return;
        }
        Future<?> closed = events.submit(() -> {
            running.ifPresent(trial -> trial.protocol.abandon());
            trigger.ifPresent(t -> t.process.close());
            trigger = Optional.empty();
        });
        events.shutdown();
        try {
            closed.get(TO_CLOSE.toMillis(), TimeUnit.MILLISECONDS);
        } catch (ExecutionException e) {
            throw new IllegalStateException("the host could not be closed", e.getCause());
        } catch (TimeoutException e) {
            throw new IllegalStateException("the host was not closed within " + TO_CLOSE.toSeconds() + " s", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** One trial and its deadline; all but the public methods runs in the events thread. */
    private final class RunningTrial implements Trial, TrialProtocol.Ports {
        private final TrialSpec spec;
        private final Consumer<Reply.OfTrial> listener;
        private final TrialProtocol protocol;
        private Optional<Future<?>> deadline = Optional.empty();

        RunningTrial(TrialSpec spec, Consumer<Reply.OfTrial> listener) {
            this.spec = spec;
            this.listener = listener;
            this.protocol = new TrialProtocol(spec, deadlines, this);
        }

        @Override
        public void go(OptionalLong atNs) {
            post(() -> {
                // On Linux nanoTime is the trigger's clock, CLOCK_MONOTONIC.
                long lead = atNs.isPresent() ? Math.max(0, atNs.getAsLong() - System.nanoTime()) : 0;
                protocol.go(atNs, Duration.ofNanos(lead));
            });
        }

        @Override
        public void stop() {
            post(protocol::stop);
        }

        void begin() {
            running = Optional.of(this);
            try {
                if (trigger.filter(t -> t.process.isAlive()).isEmpty()) {
                    trigger = Optional.of(new Trigger());
                }
                protocol.begin();
            } catch (TriggerException e) {
                over(
                        new Reply.Failed(spec.id(), "start", OptionalInt.empty(), e.getMessage(), Optional.empty()),
                        false);
            }
        }

        @Override
        public void tell(Reply.OfTrial reply) {
            listener.accept(reply);
        }

        @Override
        public void send(Command command) {
            trigger.ifPresent(t -> t.process.send(command));
        }

        @Override
        public void expectWithin(Duration time) {
            deadline.ifPresent(d -> d.cancel(false));
            deadline = Optional.of(events.schedule(protocol::missed, time.toNanos(), TimeUnit.NANOSECONDS));
        }

        @Override
        public void over(Reply.OfTrial last, boolean trusted) {
            deadline.ifPresent(d -> d.cancel(false));
            if (!trusted) {
                trigger.ifPresent(t -> t.process.kill());
                trigger = Optional.empty();
            }
            running = Optional.empty();
            busy.set(false);
            listener.accept(last);
        }

        @Override
        public String lastWords() {
            return trigger.map(t -> t.process.lastWords()).orElse("");
        }
    }

    /** A trigger whose words are brought over into the events thread; what a replaced one says is passed over. */
    private final class Trigger implements TriggerProcess.Listener {
        private final TriggerProcess process;

        Trigger() throws TriggerException {
            process = TriggerProcess.start(program, List.of(), this);
        }

        @Override
        public void said(Reply reply) {
            postIfInUse(() -> running.ifPresent(trial -> trial.protocol.said(reply)));
        }

        @Override
        public void ended(String how) {
            postIfInUse(() -> {
                trigger = Optional.empty();
                running.ifPresent(trial -> trial.protocol.ended(how));
            });
        }

        private void postIfInUse(Runnable event) {
            post(() -> {
                if (trigger.filter(t -> t == this).isPresent()) {
                    event.run();
                }
            });
        }
    }
}

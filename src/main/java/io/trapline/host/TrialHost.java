package io.trapline.host;

import io.trapline.trigger.Command;
import io.trapline.trigger.Reply;
import io.trapline.trigger.Trigger;
import io.trapline.trigger.TriggerException;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/**
 * Runs trials on what a {@link Source} starts. One trigger serves trial after trial; one that failed is replaced.
 *
 * <p>All that happens to a trial (calls, replies, deadlines) goes through one thread, in which {@link TrialProtocol}
 * decides and the listener is called. The listener may begin the next trial, but should not work there.
 */
final class TrialHost implements Host {
    private static final Duration TO_CLOSE = Duration.ofSeconds(15);

    private final Source source;
    private final HostProfile profile;
    private final TrialProtocol.Deadlines deadlines;
    private final AtomicBoolean busy = new AtomicBoolean();
    private final AtomicBoolean closing = new AtomicBoolean();
    private final ScheduledExecutorService events;
    private final LongSupplier clock;
    private final boolean alone;

    // Only the events thread touches these two.
    private Optional<RunningTrial> running = Optional.empty();
    private Optional<InUse> trigger = Optional.empty();

    /** Where triggers come from. */
    interface Source {
        /**
         * Starts one.
         *
         * @param listener gets what it says
         */
        Started start(Trigger.Listener listener) throws TriggerException;

        /** No more are needed; ends what it holds ready. */
        void close();
    }

    /** A trigger and what it lives in. */
    interface Started {
        /** The trigger, as seen from here. */
        Trigger process();

        /** A trial is to begin. */
        void wake() throws TriggerException;

        /** A trial is over, and the next one may be long in coming. */
        void rest() throws TriggerException;

        /** Ends it, gently if it lets us. */
        void close();
    }

    /** One on this machine, with a thread of its own. On Linux nanoTime is the trigger's clock, CLOCK_MONOTONIC. */
    TrialHost(Source source, HostProfile profile, TrialProtocol.Deadlines deadlines) {
        this(source, profile, deadlines, ownThread(), System::nanoTime, true);
    }

    /**
     * One of many that share a thread, which outlives it.
     *
     * @param clock the triggers' clock
     */
    TrialHost(
            Source source,
            HostProfile profile,
            TrialProtocol.Deadlines deadlines,
            ScheduledExecutorService events,
            LongSupplier clock) {
        this(source, profile, deadlines, events, clock, false);
    }

    private TrialHost(
            Source source,
            HostProfile profile,
            TrialProtocol.Deadlines deadlines,
            ScheduledExecutorService events,
            LongSupplier clock,
            boolean alone) {
        this.source = source;
        this.profile = profile;
        this.deadlines = deadlines;
        this.events = events;
        this.clock = clock;
        this.alone = alone;
    }

    private static ScheduledExecutorService ownThread() {
        ScheduledThreadPoolExecutor events = new ScheduledThreadPoolExecutor(1, task -> {
            Thread thread = new Thread(task, "trials");
            thread.setDaemon(true);
            return thread;
        });
        events.setRemoveOnCancelPolicy(true);
        return events;
    }

    @Override
    public HostProfile profile() {
        return profile;
    }

    @Override
    public long clock() {
        return clock.getAsLong();
    }

    @Override
    public Trial begin(TrialSpec spec, Consumer<Reply.OfTrial> listener) {
        if (closing.get()) {
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
            trigger.ifPresent(t -> t.started.close());
            trigger = Optional.empty();
            source.close();
        });
        if (alone) {
            events.shutdown();
        }
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
                long lead = atNs.isPresent() ? Math.max(0, atNs.getAsLong() - clock.getAsLong()) : 0;
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
                if (trigger.filter(t -> t.process().isAlive()).isEmpty()) {
                    trigger = Optional.of(new InUse());
                }
                trigger.get().started.wake();
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
            trigger.ifPresent(t -> t.process().send(command));
        }

        @Override
        public void expectWithin(Duration time) {
            deadline.ifPresent(d -> d.cancel(false));
            deadline = Optional.of(events.schedule(protocol::missed, time.toNanos(), TimeUnit.NANOSECONDS));
        }

        @Override
        public void over(Reply.OfTrial last, boolean trusted) {
            deadline.ifPresent(d -> d.cancel(false));
            if (!trusted || !rests()) {
                trigger.ifPresent(t -> t.process().kill());
                trigger = Optional.empty();
            }
            running = Optional.empty();
            busy.set(false);
            listener.accept(last);
        }

        private boolean rests() {
            try {
                if (trigger.isPresent()) {
                    trigger.get().started.rest();
                }
                return true;
            } catch (TriggerException e) {
                return false; // the next trial gets a new one
            }
        }

        @Override
        public String lastWords() {
            return trigger.map(t -> t.process().lastWords()).orElse("");
        }
    }

    /** A trigger whose words are brought over into the events thread; what a replaced one says is passed over. */
    private final class InUse implements Trigger.Listener {
        private final Started started;

        InUse() throws TriggerException {
            started = source.start(this);
        }

        Trigger process() {
            return started.process();
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

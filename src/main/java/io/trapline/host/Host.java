package io.trapline.host;

import io.trapline.trigger.Reply;
import java.util.OptionalLong;
import java.util.function.Consumer;

/**
 * Where trials run, one at a time: this machine, later a guest or a simulated one. An implementation keeps no trial's
 * result; all goes to the listener.
 */
public interface Host extends AutoCloseable {

    /** What this host is and can do, as read when it was opened. */
    HostProfile profile();

    /** What its CLOCK_MONOTONIC shows, in nanoseconds; {@link Trial#go} and all stamps are by that clock. */
    default long clock() {
        return System.nanoTime(); // which is that clock on Linux
    }

    /**
     * Begins a trial. The listener gets, from one thread and in order, {@code Ready}, and after {@link Trial#go}
     * {@code Started}, the {@code Interval}s and as the last one {@code Done} or {@code Failed}. A trigger that dies, is
     * silent past its deadline or says something out of turn yields {@code Failed} with its last words; the next trial
     * gets a new trigger.
     *
     * @throws IllegalStateException when a trial runs already, or the host is closed
     */
    Trial begin(TrialSpec spec, Consumer<Reply.OfTrial> listener);

    /** Ends the trial in hand, if any, and the trigger; no process and no probe stays. */
    @Override
    void close();

    /** The trial in hand. */
    interface Trial {
        /**
         * Lets the threads run.
         *
         * @param atNs at this instant of the host's CLOCK_MONOTONIC, or at once
         */
        void go(OptionalLong atNs);

        /** Ends it early: {@code Done} with {@code stopped}, or {@code Failed}, follows. */
        void stop();
    }
}

package io.trapline.host.simulated;

import java.time.Duration;
import java.util.OptionalInt;

/**
 * What goes wrong on a simulated host.
 *
 * @param host on which of them, from 1; empty for all
 * @param trial at which trial that is begun there, from 1; empty for each
 * @param after so many readings of it; empty for before its threads are ready
 */
public record Fault(OptionalInt host, OptionalInt trial, OptionalInt after, What what) {
    /** The fault itself. */
    public sealed interface What {}

    /**
     * The trigger ends.
     *
     * @param status its exit status; 128 and the number of a signal for one that was killed
     * @param words what it says on standard error before; may be empty
     */
    public record Crash(int status, String words) implements What {}

    /** The trigger says nothing any more. */
    public record Hang() implements What {}

    /**
     * It claims fewer hits than operations.
     *
     * @param part of the hits that are missing; 0.5 is half of them
     */
    public record Lie(double part) implements What {}

    /**
     * The host's clock jumps.
     *
     * @param by how far forwards; negative for backwards
     */
    public record Jump(Duration by) implements What {}

    /**
     * The host's clock runs fast from then on.
     *
     * @param ppm by so many millionths; negative for slow
     */
    public record Drift(int ppm) implements What {}

    /** Whether it is for that trial of that host, both counted from 1. */
    public boolean meets(int hostNumber, int trialNumber) {
        return (host.isEmpty() || host.getAsInt() == hostNumber)
                && (trial.isEmpty() || trial.getAsInt() == trialNumber);
    }

    /** Whether it happens before threads are ready. */
    boolean isEarly() {
        return after.isEmpty();
    }
}

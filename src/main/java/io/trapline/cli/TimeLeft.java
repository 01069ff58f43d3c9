package io.trapline.cli;

import java.time.Duration;
import java.util.function.LongSupplier;

/**
 * How long a run will still take: the warm-up and measuring that are left, and for each trial what lies between two of
 * them, as long as it took so far.
 */
final class TimeLeft {
    private final LongSupplier nanos;
    private long firstAt;
    private Duration firstLeft = Duration.ZERO;
    private long begun;
    private long at;
    private Duration left = Duration.ZERO;

    /** @param nanos a monotonic clock */
    TimeLeft(LongSupplier nanos) {
        this.nanos = nanos;
    }

    /**
     * A trial begins.
     *
     * @param measuring warm-up and measuring of it and of all after it
     * @param trials how many these are
     */
    void begin(Duration measuring, int trials) {
        at = nanos.getAsLong();
        if (begun == 0) {
            firstAt = at;
            firstLeft = measuring;
        }
        left = measuring.plus(between(measuring).multipliedBy(Math.max(0, trials - 1)));
        begun++;
    }

    /** What a trial took beside its measuring, on average; nothing is known of it before the second one. */
    private Duration between(Duration measuring) {
        if (begun == 0) {
            return Duration.ZERO;
        }
        Duration measured = firstLeft.minus(measuring);
        Duration beside = Duration.ofNanos(at - firstAt).minus(measured).dividedBy(begun);
        return beside.isNegative() ? Duration.ZERO : beside;
    }

    /** From now on. */
    Duration now() {
        Duration rest = left.minusNanos(nanos.getAsLong() - at);
        return rest.isNegative() ? Duration.ZERO : rest;
    }
}

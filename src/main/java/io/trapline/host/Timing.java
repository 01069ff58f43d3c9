package io.trapline.host;

import java.time.Duration;

/**
 * How long a trial runs.
 *
 * @param warmup runs before the first reading
 * @param interval between two readings, nominally; rates use the real time between them
 * @param intervals how many intervals, at least 1
 */
public record Timing(Duration warmup, Duration interval, int intervals) {
    /** Warm-up and measuring, nominally. */
    public Duration total() {
        return warmup.plus(interval.multipliedBy(intervals));
    }
}

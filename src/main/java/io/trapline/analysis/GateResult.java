package io.trapline.analysis;

import java.util.Optional;

/** Whether what was measured is as fast as the campaign's gate asks, or its path as short. */
public enum GateResult {
    /** All of the interval is allowed. */
    PASSED("passed"),
    /**
     * The interval reaches to both sides of what is allowed, or there is none. Of times it takes more rounds to know;
     * counts never get closer, and emulated times never decide.
     */
    UNDECIDED("undecided"),
    /** Nothing of the interval is allowed. */
    FAILED("failed");

    private final String words;

    GateResult(String words) {
        this.words = words;
    }

    /** As reports print it. */
    public String words() {
        return words;
    }

    /**
     * Of one comparison of times.
     *
     * @param slower how much slower than the baseline a path may be; 0.03 is 3 %
     */
    static GateResult of(Optional<Estimate> estimate, double slower) {
        return estimate.flatMap(Estimate::interval)
                .map(interval -> of(interval, 1 - slower))
                .orElse(UNDECIDED);
    }

    private static GateResult of(Estimate.Interval interval, double least) {
        if (interval.high() < least) {
            return FAILED;
        }
        return interval.low() >= least ? PASSED : UNDECIDED;
    }
}

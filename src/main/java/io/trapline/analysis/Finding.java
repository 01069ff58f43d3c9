package io.trapline.analysis;

import java.util.Optional;

/** What a comparison says, in words. */
public enum Finding {
    FASTER("faster"),
    SLOWER("slower"),
    /** Fewer instructions, where they are counted. */
    SHORTER("shorter"),
    /** More instructions, where they are counted. */
    LONGER("longer"),
    /** The whole interval lies within 1 % of equality. */
    SAME("same within 1%"),
    /** The interval allows more than one answer, or there is none. */
    UNDECIDED("undecided"),
    /** Times of an emulated guest: there is a ratio, and it says nothing of hardware. */
    NOT_JUDGED("not judged"),
    /** The two differ in more than the path does: in the number of consumers that each hit has to pay for. */
    NOT_COMPARABLE("not comparable"),
    /** One of the two was not measured, or there is no other one. */
    NOT_COMPARED("not compared");

    private static final double TOLERANCE = 0.01;

    private final String words;

    Finding(String words) {
        this.words = words;
    }

    /** As reports print it. */
    public String words() {
        return words;
    }

    /** Of times. */
    public static Finding of(Optional<Estimate> estimate) {
        return estimate.map(e -> e.interval().map(Finding::of).orElse(UNDECIDED))
                .orElse(NOT_COMPARED);
    }

    private static Finding of(Estimate.Interval interval) {
        if (interval.low() >= 1 - TOLERANCE && interval.high() <= 1 + TOLERANCE) {
            return SAME;
        }
        if (interval.low() > 1) {
            return FASTER;
        }
        return interval.high() < 1 ? SLOWER : UNDECIDED;
    }
}

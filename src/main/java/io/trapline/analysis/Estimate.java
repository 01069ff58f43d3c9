package io.trapline.analysis;

import java.util.Optional;

/**
 * How many times as fast a path is as its baseline; where instructions are counted, how many times as long.
 *
 * @param ratio above 1 when it is faster, or longer
 * @param interval a 95 % confidence interval of the ratio; empty when there are too few trials for one
 * @param basis what it rests on, such as {@code 5 pairs}
 */
public record Estimate(double ratio, Optional<Interval> interval, String basis) {

    /** From low to high, both included. */
    public record Interval(double low, double high) {}
}

package io.trapline.report;

import io.trapline.analysis.Estimate;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Numbers as text, the same on every machine and in every locale. Rounding is that of C's printf: of the exact binary
 * value, halves to even.
 */
final class Figures {
    private static final double MEGA = 1e6;

    /** How many times its low bound an interval's high one may be; two rounds that disagree give millions. */
    private static final double WIDEST = 100;

    private Figures() {}

    /** With so many decimals. */
    static String fixed(double value, int decimals) {
        return new BigDecimal(value).setScale(decimals, RoundingMode.HALF_EVEN).toPlainString();
    }

    /** A rate in millions a second, three decimals, without the unit. */
    static String millions(double opsPerSecond) {
        return fixed(opsPerSecond / MEGA, 3);
    }

    /** A ratio, which is never 0: with so many decimals, or as many more as its first digit needs. */
    static String ratio(double ratio, int decimals) {
        String text = fixed(ratio, decimals);
        return ratio > 0 && new BigDecimal(text).signum() == 0 ? ratio(ratio, decimals + 1) : text;
    }

    /**
     * An interval of ratios, {@code 0.989 .. 1.012}; of one so wide that its bounds mean nothing, which side of 1 it
     * is on, if that is known.
     */
    static String interval(Estimate.Interval interval, int decimals) {
        String low = ratio(interval.low(), decimals);
        String high = ratio(interval.high(), decimals);
        if (interval.high() <= WIDEST * interval.low()) {
            return low + " .. " + high;
        }
        if (interval.low() > 1) {
            return "above " + low;
        }
        return interval.high() < 1 ? "below " + high : "too few rounds to tell";
    }

    /** A ratio as a signed change, {@code +8.6%}. */
    static String change(double ratio) {
        String percent = fixed(100 * (ratio - 1), 1);
        boolean none = percent.equals("0.0") || percent.equals("-0.0");
        return (none ? "0.0" : (percent.startsWith("-") ? "" : "+") + percent) + "%";
    }

    /** A share as a percentage without trailing zeros: 0.03 is {@code 3%}. */
    static String percent(double share) {
        return BigDecimal.valueOf(share).movePointRight(2).stripTrailingZeros().toPlainString() + "%";
    }

    /** Padded on the left. */
    static String right(String text, int width) {
        return " ".repeat(Math.max(0, width - text.length())) + text;
    }

    /** Padded on the right. */
    static String left(String text, int width) {
        return text + " ".repeat(Math.max(0, width - text.length()));
    }

    /** {@code 1 CPU}, {@code 2 CPUs}. */
    static String cpus(int count) {
        return count(count, "CPU");
    }

    /** A count of things whose plural ends in s. */
    static String count(long count, String thing) {
        return count + " " + thing + (count == 1 ? "" : "s");
    }

    /** {@code at 1, 2 and 4 CPUs}; a list that leaves none out is {@code at all counts from 1 to 64 CPUs}. */
    static String at(List<Integer> counts, int ofAll) {
        int last = counts.get(counts.size() - 1);
        if (counts.size() == 1) {
            return "at " + cpus(last);
        }
        if (counts.size() == ofAll && ofAll > 2) {
            return "at all counts from " + counts.get(0) + " to " + cpus(last);
        }
        return "at "
                + counts.subList(0, counts.size() - 1).stream()
                        .map(String::valueOf)
                        .collect(Collectors.joining(", "))
                + " and " + cpus(last);
    }

    /** In the largest unit that needs no decimals: {@code 500 ms}, {@code 2 s}. */
    static String duration(Duration duration) {
        long ns = duration.toNanos();
        String[] units = {"ns", "us", "ms", "s"};
        int unit = 0;
        while (unit < units.length - 1 && ns != 0 && ns % 1000 == 0) {
            ns /= 1000;
            unit++;
        }
        return ns + " " + units[unit];
    }

    /** Nanoseconds with three digits: {@code 905 ns}, {@code 1.23 ms}. */
    static String nanoseconds(long ns) {
        String[] units = {"ns", "us", "ms", "s"};
        double value = ns;
        int unit = 0;
        while (unit < units.length - 1 && value >= 999.5) {
            value /= 1000;
            unit++;
        }
        return fixed(value, unit == 0 || value >= 99.95 ? 0 : value >= 9.995 ? 1 : 2) + " " + units[unit];
    }
}

package io.trapline.campaign;

import java.math.BigDecimal;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The one spelling of a duration: a whole number and its unit, without a blank: {@code 500ms}. */
public final class Durations {
    /** A unit; the list goes from the largest to the smallest. */
    private record Unit(String name, long ns) {}

    private static final List<Unit> UNITS = List.of(
            new Unit("m", 60_000_000_000L),
            new Unit("s", 1_000_000_000L),
            new Unit("ms", 1_000_000L),
            new Unit("us", 1_000L),
            new Unit("ns", 1L));

    private static final Pattern SPELLING = Pattern.compile("(0|[1-9]\\d{0,11})(ns|us|ms|s|m)");

    /** Eight digits of the largest unit are the most that fit into 64 bits of nanoseconds. */
    private static final Pattern LOOSE = Pattern.compile("0*(\\d{1,8}(?:\\.\\d{1,9})?)\\s*([a-zµ]*)");

    private Durations() {}

    /** The duration that is spelled so; empty when it is not the one spelling. */
    static Optional<Duration> parse(String text) {
        Matcher m = SPELLING.matcher(text);
        return m.matches()
                ? unit(m.group(2)).map(u -> Duration.ofNanos(u.ns()).multipliedBy(Long.parseLong(m.group(1))))
                : Optional.empty();
    }

    /**
     * The right spelling of what was probably meant.
     *
     * @param alone the unit that a number without one is taken for, such as {@code ms}
     */
    static Optional<String> meant(String text, String alone) {
        Matcher m = LOOSE.matcher(text.strip().toLowerCase(Locale.ROOT));
        if (!m.matches()) {
            return Optional.empty();
        }
        return unit(m.group(2).isEmpty() ? alone : longName(m.group(2))).flatMap(u -> {
            BigDecimal ns = new BigDecimal(m.group(1)).multiply(BigDecimal.valueOf(u.ns()));
            boolean whole = ns.stripTrailingZeros().scale() <= 0;
            return whole ? Optional.of(spell(Duration.ofNanos(ns.longValueExact()))) : Optional.empty();
        });
    }

    /** In the largest unit that leaves a whole number. */
    public static String spell(Duration duration) {
        long ns = duration.toNanos();
        return UNITS.stream()
                .filter(u -> ns % u.ns() == 0)
                .filter(u -> ns > 0 || u.name().equals("ms"))
                .findFirst()
                .map(u -> ns / u.ns() + u.name())
                .orElseThrow();
    }

    private static Optional<Unit> unit(String name) {
        return UNITS.stream().filter(u -> u.name().equals(name)).findFirst();
    }

    private static String longName(String unit) {
        return switch (unit) {
            case "msec", "msecs", "milliseconds" -> "ms";
            case "sec", "secs", "second", "seconds" -> "s";
            case "min", "mins", "minute", "minutes" -> "m";
            case "µs", "usec", "usecs", "microseconds" -> "us";
            case "nsec", "nsecs", "nanoseconds" -> "ns";
            default -> unit;
        };
    }
}

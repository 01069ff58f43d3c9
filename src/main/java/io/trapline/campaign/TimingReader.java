package io.trapline.campaign;

import io.trapline.host.Timing;
import java.time.Duration;
import java.util.Optional;

/** Reads {@code timing: {warmup, interval, measure, rounds, exact}}. */
final class TimingReader {
    private static final int MAX_INTERVALS = 100_000;
    private static final int MAX_ROUNDS = 1000;
    private static final Duration SHORTEST = Duration.ofMillis(1);
    private static final Duration LONGEST_INTERVAL = Duration.ofMinutes(1);
    private static final Duration LONGEST = Duration.ofMinutes(60);

    private final Section timing;
    private final Optional<Duration> warmup;
    private final Optional<Duration> interval;
    private final Optional<Duration> measure;
    private final Optional<Integer> rounds;
    private final boolean exact;

    /** Reads the section of that spec and notes what is wrong. */
    TimingReader(Section spec) {
        timing = spec.section("timing", Keys.TIMING);
        // Not 0: a probe must have fired on each CPU before the first reading.
        warmup = timing.orDefault("warmup", Duration.ofMillis(500), v -> v.duration(SHORTEST, LONGEST));
        interval = timing.orDefault("interval", Duration.ofMillis(100), v -> v.duration(SHORTEST, LONGEST_INTERVAL));
        measure = timing.orDefault("measure", Duration.ofSeconds(2), v -> v.duration(SHORTEST, LONGEST));
        rounds = timing.orDefault("rounds", 5, v -> v.whole(1, MAX_ROUNDS));
        exact = timing.orDefault("exact", false, Value::flag).orElse(false);
        if (interval.isPresent() && measure.isPresent()) {
            checkIntervals(interval.get(), measure.get());
        }
    }

    private void checkIntervals(Duration interval, Duration measure) {
        long intervals = measure.dividedBy(interval);
        boolean whole = interval.multipliedBy(intervals).equals(measure);
        String read = "measure is " + Durations.spell(measure) + " and interval " + Durations.spell(interval);
        if (!whole) {
            timing.refuse(
                    timing.has("measure") ? "measure" : "interval",
                    read + "; measure must be a whole multiple of interval",
                    "write measure: " + Durations.spell(interval.multipliedBy(intervals + 1)));
        } else if (intervals > MAX_INTERVALS) {
            timing.refuse(
                    timing.has("interval") ? "interval" : "measure",
                    read + ", which makes " + intervals + " intervals; at most " + MAX_INTERVALS + " are allowed",
                    "make interval longer");
        }
    }

    /** Notes when there are too few rounds for a gate to decide anything. */
    void checkGate() {
        if (rounds.equals(Optional.of(1)) && !exact) { // counts need no second trial
            timing.refuse(
                    "rounds",
                    "rounds is 1; a gate looks at confidence intervals, and one trial gives none",
                    "write rounds: 5, or leave out gate");
        }
    }

    /** The times of a trial; only when nothing was wrong. */
    Timing timing() {
        Duration step = interval.orElseThrow();
        return new Timing(
                warmup.orElseThrow(),
                step,
                Math.toIntExact(measure.orElseThrow().dividedBy(step)));
    }

    /** Whether instructions are to be counted. */
    boolean exact() {
        return exact;
    }

    /** How often each cell is run; only when nothing was wrong. */
    int rounds() {
        return rounds.orElseThrow();
    }
}

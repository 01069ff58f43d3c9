package io.trapline.trigger;

import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.OptionalLong;
import java.util.stream.Collectors;

/** One line that the trigger reads, as {@code src/main/c/PROTOCOL.md} defines it. */
public sealed interface Command {
    /** The line, without its end. */
    String line();

    /** Asks for a {@link ProfileReply}. */
    record Profile() implements Command {
        @Override
        public String line() {
            return "profile";
        }
    }

    /**
     * Sets up a trial.
     *
     * @param cpus CPU list, one thread each
     * @param choices the keys that the workload leaves a choice in (attach, scope, altstack, call) with their values; without
     *     an attach, none is sent
     */
    record Run(
            String trial,
            String workload,
            String model,
            String cpus,
            Map<String, String> choices,
            Duration warmup,
            Duration interval,
            int intervals)
            implements Command {
        /** The longest trial id. */
        public static final int MAX_TRIAL = 128;

        /**
         * Checks what would make two lines or two words of one.
         *
         * @throws IllegalArgumentException for a trial id that is empty, too long, or has blanks
         */
        public Run {
            if (trial.isEmpty() || trial.length() > MAX_TRIAL || trial.chars().anyMatch(c -> c <= ' ')) {
                throw new IllegalArgumentException(
                        "trial id \"%s\": 1 to %d characters without blanks are allowed".formatted(trial, MAX_TRIAL));
            }
            choices = Collections.unmodifiableMap(new LinkedHashMap<>(choices));
        }

        @Override
        public String line() {
            Map<String, String> keys = new LinkedHashMap<>();
            keys.put("trial", trial);
            keys.put("workload", workload);
            keys.put("model", model);
            keys.put("cpus", cpus);
            keys.put("attach", "none");
            keys.putAll(choices);
            keys.put("warmup", nanoseconds(warmup));
            keys.put("interval", nanoseconds(interval));
            keys.put("intervals", Integer.toString(intervals));
            return keys.entrySet().stream()
                    .map(key -> key.getKey() + "=" + key.getValue())
                    .collect(Collectors.joining(" ", "run ", ""));
        }

        private static String nanoseconds(Duration duration) {
            return duration.toNanos() + "ns";
        }
    }

    /**
     * Lets the threads of the trial in hand run.
     *
     * @param atNs at this instant of CLOCK_MONOTONIC, in nanoseconds; at once when empty
     */
    record Go(OptionalLong atNs) implements Command {
        @Override
        public String line() {
            return atNs.isPresent() ? "go at=" + atNs.getAsLong() : "go";
        }
    }

    /** Ends the trial in hand early. */
    record Stop() implements Command {
        @Override
        public String line() {
            return "stop";
        }
    }
}

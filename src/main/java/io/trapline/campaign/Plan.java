package io.trapline.campaign;

import io.trapline.host.TrialSpec;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * What will be run, in order, and what can't be.
 *
 * @param trials rounds outermost, paths innermost and alternating (A B, then B A), so that drift hits all paths alike
 * @param unmeasured cells that no trial is planned for, with the reason
 * @param clipped what {@code clip: true} left out, by host
 */
public record Plan(List<Trial> trials, List<Unmeasured> unmeasured, List<Clipped> clipped) {
    public Plan {
        trials = List.copyOf(trials);
        unmeasured = List.copyOf(unmeasured);
        clipped = List.copyOf(clipped);
    }

    /**
     * One trial of a cell in one round.
     *
     * @param id the same on each planning of the same campaign on the same hosts, so that a run can be resumed
     * @param round from 1
     * @param joint the same for all trials that run at one moment, each on a host of its own; empty for one by itself
     */
    public record Trial(String id, Cell cell, int round, TrialSpec spec, Optional<String> joint) {
        /** One by itself. */
        public Trial(String id, Cell cell, int round, TrialSpec spec) {
            this(id, cell, round, spec, Optional.empty());
        }
    }

    /** A cell that can't be measured on its host. */
    public record Unmeasured(Cell cell, String reason) {}

    /**
     * CPU counts that a host is too small for, and that the campaign allows to leave out.
     *
     * @param usable how many CPUs the host has for it
     */
    public record Clipped(String host, List<Integer> counts, int usable) {
        public Clipped {
            counts = List.copyOf(counts);
        }

        /** For people. */
        public String inWords() {
            return "clip leaves out the " + cpuCounts(counts) + " on " + host + ", where " + usable
                    + (usable == 1 ? " CPU is" : " CPUs are") + " usable";
        }
    }

    /** {@code CPU count 8}, {@code CPU counts 8, 16}. */
    static String cpuCounts(List<Integer> counts) {
        return (counts.size() == 1 ? "CPU count " : "CPU counts ")
                + counts.stream().map(String::valueOf).collect(Collectors.joining(", "));
    }

    /** Warm-up and measuring of all trials, without what lies between them. */
    public Duration measuring() {
        return trials.stream().map(t -> t.spec().timing().total()).reduce(Duration.ZERO, Duration::plus);
    }
}

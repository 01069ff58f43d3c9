package io.trapline.analysis;

import java.util.Optional;

/** Path lengths: counts need no statistics, since what they may be off by is known. */
final class Counts {
    /** What two counts of the same code may differ by: timer ticks, and what the kernel does beside. */
    private static final double ERROR = 0.005;

    static final String STATEMENT =
            "Instructions are counted by the emulator: the clock of the guest advances by a fixed"
                    + " time for each of them, so the time of an operation by that clock is its path length, and no time of any"
                    + " hardware. It is that of the middle interval of the middle trial. Two counts of one kernel agree to"
                    + " 0.5 %: \"longer\" and \"shorter\" are further apart than that, \"same within 1%\" is not.";

    private Counts() {}

    /** The path's instructions by the baseline's; empty when one of the two has no valid trial. */
    static Optional<Estimate> compare(CellResult baseline, CellResult path) {
        if (baseline.instructions().isEmpty() || path.instructions().isEmpty()) {
            return Optional.empty();
        }
        double ratio =
                path.instructions().getAsDouble() / baseline.instructions().getAsDouble();
        Estimate.Interval interval = new Estimate.Interval(ratio * (1 - ERROR), ratio * (1 + ERROR));
        return Optional.of(new Estimate(ratio, Optional.of(interval), "counted"));
    }

    /** Of such an estimate. */
    static Finding finding(Optional<Estimate> estimate) {
        return estimate.flatMap(Estimate::interval).map(Counts::finding).orElse(Finding.NOT_COMPARED);
    }

    private static Finding finding(Estimate.Interval interval) {
        if (interval.low() > 1) {
            return Finding.LONGER;
        }
        return interval.high() < 1 ? Finding.SHORTER : Finding.SAME;
    }

    /**
     * Of such an estimate, judged by the instructions themselves.
     *
     * @param slower by what share the path may be longer than the baseline; 0.03 is 3 %
     */
    static GateResult gate(Optional<Estimate> estimate, double slower) {
        return estimate.flatMap(Estimate::interval)
                .map(interval -> gate(interval, 1 + slower))
                .orElse(GateResult.UNDECIDED);
    }

    private static GateResult gate(Estimate.Interval interval, double most) {
        if (interval.low() > most) {
            return GateResult.FAILED;
        }
        return interval.high() <= most ? GateResult.PASSED : GateResult.UNDECIDED;
    }
}

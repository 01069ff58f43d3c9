package io.trapline.analysis;

import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.Collectors;

/**
 * How many uprobe consumers the kernel walks at each hit. Each takes its time (about 25 ns on the x86_64 machine that
 * PROTOCOL.md speaks of), whoever hits: rates of different numbers of consumers differ by that before any lock comes
 * into it.
 */
final class Consumers {
    private Consumers() {}

    /** Why these two can't be compared, in words; empty when they have as many consumers, or one has no valid trial. */
    static Optional<String> differ(CellResult baseline, CellResult path) {
        List<OptionalInt> before = of(baseline);
        List<OptionalInt> after = of(path);
        return before.isEmpty() || after.isEmpty() || before.equals(after)
                ? Optional.empty()
                : Optional.of(baseline.cell().path() + " has " + words(before) + " at each hit, "
                        + path.cell().path() + " " + words(after) + ": each costs every hit time, so the rates differ"
                        + " by more than the path");
    }

    private static List<OptionalInt> of(CellResult cell) {
        return cell.measured().map(m -> m.ready().consumers()).distinct().toList();
    }

    private static String words(List<OptionalInt> counts) {
        return counts.stream()
                .map(n -> n.isPresent() ? String.valueOf(n.getAsInt()) : "an unknown number")
                .collect(Collectors.joining(
                        " or ", "", counts.equals(List.of(OptionalInt.of(1))) ? " consumer" : " consumers"));
    }
}

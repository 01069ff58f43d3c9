package io.trapline.analysis;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Sums a run up. */
final class Outcomes {
    private Outcomes() {}

    static Results.Outcome of(List<CellResult> cells, List<Comparison> comparisons) {
        List<String> reasons = new ArrayList<>();
        Verdict verdict = cells.stream().map(CellResult::verdict).reduce(Verdict.VALID, Verdict::and);
        long planned = cells.stream().mapToLong(c -> c.trials().size()).sum();
        if (planned == 0) {
            verdict = verdict.and(Verdict.INCOMPLETE);
            reasons.add("no trial was planned");
        }
        count(reasons, cells, Verdict.INVALID, planned);
        count(reasons, cells, Verdict.INCOMPLETE, planned);
        long unmeasured =
                cells.stream().filter(c -> c.notMeasured().isPresent()).count();
        if (unmeasured > 0) {
            reasons.add(unmeasured + " of " + cells.size() + " rows were not measured");
        }
        long slower = comparisons.stream().filter(Comparison::gateFailed).count();
        if (slower > 0) {
            reasons.add(slower + " of "
                    + comparisons.stream().filter(Comparison::toFirst).count()
                    + " comparisons are slower than the gate allows");
        }
        return new Results.Outcome(verdict, slower > 0, reasons);
    }

    private static void count(List<String> reasons, List<CellResult> cells, Verdict verdict, long planned) {
        long count = cells.stream()
                .flatMap(c -> c.trials().stream())
                .filter(t -> t.verdict() == verdict)
                .count();
        if (count > 0) {
            reasons.add(count + " of " + planned + " trials " + verdict.name().toLowerCase(Locale.ROOT));
        }
    }
}

package io.trapline.analysis;

import io.trapline.journal.Journal;
import io.trapline.journal.JournalRecord;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** Sums a run up. */
final class Outcomes {
    private Outcomes() {}

    static Results.Outcome of(
            Journal journal, List<CellResult> cells, List<Comparison> comparisons, List<JointResult> joints) {
        List<String> reasons = new ArrayList<>();
        Verdict verdict = cells.stream().map(CellResult::verdict).reduce(Verdict.VALID, Verdict::and);
        verdict = joints.stream().map(JointResult::verdict).reduce(verdict, Verdict::and);
        long planned = cells.stream().mapToLong(c -> c.trials().size()).sum();
        if (planned == 0) {
            verdict = verdict.and(Verdict.INCOMPLETE);
            reasons.add("no trial was planned");
        }
        count(reasons, cells, Verdict.INVALID, planned);
        count(reasons, cells, Verdict.INCOMPLETE, planned);
        long apart = joints.stream().filter(j -> j.verdict() != Verdict.VALID).count();
        if (apart > 0) {
            reasons.add(apart + " of " + joints.size() + " rows of hosts together not valid");
        }
        long unmeasured =
                cells.stream().filter(c -> c.notMeasured().isPresent()).count();
        if (unmeasured > 0) {
            reasons.add(unmeasured + " of " + cells.size() + " rows were not measured");
        }
        JournalRecord.Run run = journal.run();
        Optional<GateResult> gate = run.gate().map(g -> gate(reasons, run.paths(), comparisons));
        if (gate.equals(Optional.of(GateResult.UNDECIDED))) {
            verdict = verdict.and(Verdict.INCOMPLETE);
        }
        Optional<JournalRecord.Ended> timeUp = journal.ended().filter(JournalRecord.Ended::isTimeUp);
        timeUp.ifPresent(ended -> reasons.add(ended.reason()));
        return new Results.Outcome(verdict, gate, timeUp.isPresent(), reasons);
    }

    /** The worst of all comparisons with the baseline; a path that has none leaves the question open. */
    private static GateResult gate(
            List<String> reasons, List<JournalRecord.PathUsed> paths, List<Comparison> comparisons) {
        List<Comparison> judged =
                comparisons.stream().filter(c -> c.gate().isPresent()).toList();
        long failed = judged.stream()
                .filter(c -> c.gate().equals(Optional.of(GateResult.FAILED)))
                .count();
        if (failed > 0) {
            reasons.add("the gate failed in " + failed + " of " + judged.size() + " comparisons");
            return GateResult.FAILED;
        }
        long open = judged.stream()
                .filter(c -> c.gate().equals(Optional.of(GateResult.UNDECIDED)))
                .count();
        if (open > 0) {
            reasons.add("the gate is undecided in " + open + " of " + judged.size() + " comparisons");
        }
        List<String> missing = paths.stream()
                .skip(1)
                .map(JournalRecord.PathUsed::name)
                .filter(path -> judged.stream().noneMatch(c -> c.cell().path().equals(path)))
                .toList();
        missing.forEach(path -> reasons.add("the gate has no row of " + path + " to compare"));
        return open > 0 || !missing.isEmpty() ? GateResult.UNDECIDED : GateResult.PASSED;
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

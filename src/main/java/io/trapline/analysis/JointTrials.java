package io.trapline.analysis;

import io.trapline.campaign.Cell;
import io.trapline.host.HostProfile;
import io.trapline.host.Model;
import io.trapline.host.Workload;
import io.trapline.journal.Journal;
import io.trapline.journal.JournalRecord;
import io.trapline.trigger.Reply;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Judges joint trials and sums them up. */
final class JointTrials {
    private final Journal journal;
    private final TrialJudge judge;
    private final Map<String, Journal.Trial> trials = new HashMap<>();
    private final List<String> hosts;
    private final List<String> paths;

    JointTrials(Journal journal, TrialJudge judge) {
        this.journal = journal;
        this.judge = judge;
        hosts = journal.hosts().stream().map(HostProfile::name).toList();
        paths = journal.run().paths().stream().map(JournalRecord.PathUsed::name).toList();
        journal.trials().forEach(trial -> trials.put(trial.planned().trial(), trial));
    }

    /** What rounds have in common that are one row. */
    private record Row(String path, Workload workload, Model model, List<Cell> cells) {}

    /** A joint trial, its parts and what it is worth. */
    private record Judged(Journal.Joint joint, List<TrialResult> parts, JointResult.Round round) {}

    /** All rows by workload, model, CPUs and path, each against the first path. */
    List<JointResult> all(ComparisonMethod method) {
        Map<Row, List<Judged>> rows = new LinkedHashMap<>();
        for (Journal.Joint joint : journal.joints()) {
            Judged judged = judge(joint);
            List<Cell> cells =
                    judged.parts().stream().map(part -> part.planned().cell()).toList();
            Cell one = cells.get(0);
            rows.computeIfAbsent(new Row(one.path(), one.workload(), one.model(), cells), r -> new ArrayList<>())
                    .add(judged);
        }
        List<JointResult> results = rows.entrySet().stream()
                .map(e -> result(e.getKey(), e.getValue()))
                .sorted(order())
                .toList();
        String first = paths.isEmpty() ? "" : paths.get(0);
        return results.stream()
                .map(result -> result.against(
                        result.path().equals(first)
                                ? Optional.empty()
                                : results.stream()
                                        .filter(other -> other.path().equals(first) && alike(other, result))
                                        .findFirst()
                                        .flatMap(other -> method.compare(other.roundRates(), result.roundRates()))))
                .toList();
    }

    private Comparator<JointResult> order() {
        return Comparator.comparingInt((JointResult r) -> Workload.all().indexOf(r.workload()))
                .thenComparing(JointResult::model)
                .thenComparingInt(JointResult::cpus)
                .thenComparingInt(r -> paths.indexOf(r.path()));
    }

    /** The trials of joint ones that are worth nothing because of others of them. */
    Set<String> spoilt() {
        return journal.joints().stream()
                .filter(joint -> judge(joint).round().verdict() != Verdict.VALID)
                .flatMap(joint -> joint.planned().trials().stream())
                .collect(Collectors.toUnmodifiableSet());
    }

    private static boolean alike(JointResult one, JointResult other) {
        return one.workload().equals(other.workload())
                && one.model() == other.model()
                && places(one).equals(places(other));
    }

    private static Map<String, Integer> places(JointResult result) {
        return result.shares().stream().collect(Collectors.toMap(JointResult.Share::host, JointResult.Share::cpus));
    }

    private static JointResult result(Row row, List<Judged> rounds) {
        List<Judged> valid =
                rounds.stream().filter(r -> r.round().rate().isPresent()).toList();
        List<JointResult.Share> shares = IntStream.range(0, row.cells().size())
                .mapToObj(i -> {
                    Cell cell = row.cells().get(i);
                    OptionalDouble rate = valid.stream()
                            .mapToDouble(r ->
                                    r.parts().get(i).measured().orElseThrow().rate())
                            .average();
                    return new JointResult.Share(cell.host(), cell.cpus().size(), rate);
                })
                .toList();
        double[] sums =
                valid.stream().mapToDouble(r -> r.round().rate().orElseThrow()).toArray();
        JournalRecord.Joint planned = rounds.get(0).joint().planned();
        return new JointResult(
                row.path(),
                row.workload(),
                row.model(),
                shares,
                rounds.stream().map(Judged::round).toList(),
                sums.length == 0 ? Optional.empty() : Optional.of(Summary.of(sums)),
                planned.skewLimitNs(),
                planned.onLoss(),
                Optional.empty());
    }

    private Judged judge(Journal.Joint joint) {
        List<Journal.Trial> members = joint.planned().trials().stream()
                .map(trials::get)
                .sorted(Comparator.comparingInt(
                        t -> hosts.indexOf(t.planned().cell().host())))
                .toList();
        List<TrialResult> parts = members.stream().map(judge::judge).toList();
        Verdict verdict = parts.stream().map(TrialResult::verdict).reduce(Verdict.VALID, Verdict::and);
        List<String> reasons = new ArrayList<>();
        parts.forEach(part -> part.reasons()
                .forEach(reason -> reasons.add(part.planned().cell().host() + ": " + reason)));
        OptionalLong skew = OptionalLong.empty();
        OptionalLong uncertainty = OptionalLong.empty();
        Optional<JournalRecord.Barrier> barrier = Optional.empty();
        if (verdict == Verdict.VALID) {
            barrier = barrier(joint, parts);
            if (barrier.isEmpty()) {
                verdict = Verdict.INCOMPLETE;
                reasons.add("its hosts have no result of one and the same attempt");
            }
        }
        if (barrier.isPresent()) {
            Starts starts = Starts.of(members, barrier.get());
            skew = OptionalLong.of(starts.apart());
            uncertainty = OptionalLong.of(starts.uncertainty());
            if (starts.apart() + starts.uncertainty() > joint.planned().skewLimitNs()) {
                verdict = Verdict.INVALID;
                reasons.add("its threads started " + starts.apart() + " ns apart, give or take " + starts.uncertainty()
                        + " ns, and " + joint.planned().skewLimitNs() + " ns are allowed");
            }
        }
        OptionalDouble rate = verdict == Verdict.VALID
                ? OptionalDouble.of(parts.stream()
                        .mapToDouble(part -> part.measured().orElseThrow().rate())
                        .sum())
                : OptionalDouble.empty();
        int round = parts.get(0).planned().round();
        return new Judged(
                joint,
                parts,
                new JointResult.Round(joint.planned().joint(), round, verdict, reasons, rate, skew, uncertainty));
    }

    /** The start of the attempt that counts on every host; empty when there is no such. */
    private static Optional<JournalRecord.Barrier> barrier(Journal.Joint joint, List<TrialResult> parts) {
        List<Integer> attempts = parts.stream()
                .map(part -> part.measured().orElseThrow().attempt())
                .distinct()
                .toList();
        return joint.barriers().stream()
                .filter(b -> attempts.equals(List.of(b.attempt())))
                .findFirst();
    }

    /** When threads of several hosts started, by the coordinator's clock. */
    private record Starts(long apart, long uncertainty) {
        static Starts of(List<Journal.Trial> members, JournalRecord.Barrier barrier) {
            Map<String, JournalRecord.HostClock> clocks =
                    barrier.clocks().stream().collect(Collectors.toMap(JournalRecord.HostClock::trial, clock -> clock));
            long first = Long.MAX_VALUE;
            long last = Long.MIN_VALUE;
            long uncertainty = 0;
            for (Journal.Trial member : members) {
                JournalRecord.HostClock clock = clocks.get(member.planned().trial());
                Reply.Started started = member.counted().orElseThrow().started().orElseThrow();
                first = Math.min(first, started.firstNs() - clock.offsetNs());
                last = Math.max(last, started.lastNs() - clock.offsetNs());
                uncertainty = Math.max(uncertainty, clock.uncertaintyNs());
            }
            return new Starts(last - first, members.size() > 1 ? 2 * uncertainty : 0);
        }
    }
}

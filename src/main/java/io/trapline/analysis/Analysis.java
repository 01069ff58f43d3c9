package io.trapline.analysis;

import io.trapline.campaign.Cell;
import io.trapline.host.CpuSet;
import io.trapline.host.HostProfile;
import io.trapline.host.Workload;
import io.trapline.journal.Journal;
import io.trapline.journal.JournalRecord;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;

/** Computes everything that reports say, from the journal alone. */
public final class Analysis {
    private final Journal journal;
    private final ComparisonMethod method;
    private final TrialJudge judge;

    private Analysis(Journal journal, ComparisonMethod method) {
        this.journal = journal;
        this.method = method;
        this.judge = new TrialJudge(journal);
    }

    /** With the method of {@link PairedRounds}. */
    public static Results of(Journal journal) {
        return new Analysis(journal, new PairedRounds()).results();
    }

    /** Ids of the trials that need not be repeated: each ran to its end, and nothing speaks against what it measured. */
    public static Set<String> validTrials(Journal journal) {
        TrialJudge judge = new TrialJudge(journal);
        Set<String> spoilt = new JointTrials(journal, judge).spoilt();
        return journal.trials().stream()
                .filter(trial -> !spoilt.contains(trial.planned().trial()))
                .filter(trial -> judge.judge(trial).verdict() == Verdict.VALID)
                .map(trial -> trial.planned().trial())
                .collect(Collectors.toUnmodifiableSet());
    }

    private Results results() {
        List<CellResult> cells = cells();
        List<JointResult> joints = new JointTrials(journal, judge).all(method);
        List<Comparison> comparisons = new Comparisons(journal.run(), journal.hosts(), cells, method).all();
        return new Results(
                journal.run(),
                journal.hosts(),
                cells,
                comparisons,
                joints,
                new Scalings(method).of(onHardware(cells)),
                statement(cells),
                remarks(),
                Outcomes.of(journal, cells, comparisons, joints),
                economy());
    }

    /** Those whose times a machine took: neither an emulator nor a simulation says anything of how a kernel scales. */
    private List<CellResult> onHardware(List<CellResult> cells) {
        Set<String> others = journal.hosts().stream()
                .filter(host -> host.mark().isPresent())
                .map(HostProfile::name)
                .collect(Collectors.toSet());
        return cells.stream().filter(c -> !others.contains(c.cell().host())).toList();
    }

    private String statement(List<CellResult> cells) {
        Set<String> counting = journal.hosts().stream()
                .filter(HostProfile::countsInstructions)
                .map(HostProfile::name)
                .collect(Collectors.toSet());
        long counted =
                cells.stream().filter(c -> counting.contains(c.cell().host())).count();
        if (counted == 0) {
            return method.statement();
        }
        return counted == cells.size() ? Counts.STATEMENT : method.statement() + " " + Counts.STATEMENT;
    }

    private List<CellResult> cells() {
        Map<Cell, List<Journal.Trial>> trials = new LinkedHashMap<>();
        Map<Cell, String> unmeasured = new HashMap<>();
        journal.trials()
                .forEach(t -> trials.computeIfAbsent(t.planned().cell(), c -> new ArrayList<>())
                        .add(t));
        journal.unmeasured().forEach(u -> {
            trials.computeIfAbsent(u.cell(), c -> new ArrayList<>());
            unmeasured.put(u.cell(), u.reason());
        });
        // Each cell by itself, and nothing is changed: all CPUs can do it.
        return trials.keySet().stream().sorted(order()).toList().parallelStream()
                .map(cell -> cell(cell, trials.get(cell), Optional.ofNullable(unmeasured.get(cell))))
                .toList();
    }

    /** Hosts and paths as the journal has them, workloads as their table has them. */
    private Comparator<Cell> order() {
        List<String> hosts = journal.hosts().stream().map(HostProfile::name).toList();
        List<String> paths =
                journal.run().paths().stream().map(JournalRecord.PathUsed::name).toList();
        return Comparator.comparingInt((Cell c) -> hosts.indexOf(c.host()))
                .thenComparing(Cell::host)
                .thenComparing(Cell::model)
                .thenComparingInt(c -> paths.indexOf(c.path()))
                .thenComparing(Cell::path)
                .thenComparingInt(c -> Workload.all().indexOf(c.workload()))
                .thenComparing(Cell::cpus, Comparator.<CpuSet>naturalOrder());
    }

    private CellResult cell(Cell cell, List<Journal.Trial> trials, Optional<String> notMeasured) {
        List<Journal.Trial> byRound = trials.stream()
                .sorted(Comparator.comparingInt(t -> t.planned().round()))
                .toList();
        List<TrialResult> results = byRound.stream().map(judge::judge).toList();
        double[] rates = IntStream.range(0, results.size())
                .filter(i -> results.get(i).verdict() == Verdict.VALID)
                .mapToObj(i -> byRound.get(i).counted().orElseThrow().readings())
                .flatMapToDouble(readings -> DoubleStream.of(IntervalRates.of(readings)))
                .toArray();
        return new CellResult(
                cell,
                results,
                rates.length == 0 ? Optional.empty() : Optional.of(Summary.of(rates)),
                instructions(cell, results),
                notMeasured);
    }

    private OptionalDouble instructions(Cell cell, List<TrialResult> results) {
        Optional<HostProfile> host = journal.hosts().stream()
                .filter(h -> h.name().equals(cell.host()))
                .findFirst();
        double[] rates = results.stream()
                .flatMap(trial -> trial.measured().stream())
                .mapToDouble(TrialResult.Measured::rate)
                .toArray();
        return host.isEmpty() || rates.length == 0
                ? OptionalDouble.empty()
                : host.get().instructionsPerOperation(IntervalRates.middle(rates));
    }

    private List<String> remarks() {
        List<String> remarks = new ArrayList<>();
        journal.clipped().forEach(clipped -> remarks.add(clipped.inWords()));
        journal.tornTail().ifPresent(remarks::add);
        if (journal.duplicates() > 0) {
            remarks.add(journal.duplicates() + " records were delivered more than once, and count once");
        }
        if (journal.sessions().size() > 1) {
            int resumed = journal.sessions().size() - 1;
            remarks.add("the run was resumed " + (resumed == 1 ? "once" : resumed + " times"));
        }
        journal.ended()
                .ifPresentOrElse(
                        end -> {
                            if (!end.isComplete()) {
                                remarks.add("the run ended early: " + end.reason());
                            }
                        },
                        () -> remarks.add("the run has no end in the journal: it was killed, or goes on"));
        return remarks;
    }

    private Optional<Results.Economy> economy() {
        List<JournalRecord.Ended> ends =
                journal.sessions().stream().flatMap(s -> s.ended().stream()).toList();
        return ends.isEmpty()
                ? Optional.empty()
                : Optional.of(new Results.Economy(
                        ends.stream().mapToLong(JournalRecord.Ended::wallMs).sum(),
                        ends.stream()
                                .mapToLong(JournalRecord.Ended::measuringMs)
                                .sum()));
    }
}

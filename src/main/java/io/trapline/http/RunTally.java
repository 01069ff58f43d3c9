package io.trapline.http;

import java.util.DoubleSummaryStatistics;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.Collectors;

/** Keeps what a run's events amount to: trials in hand, and results by cell. Not safe for use by several threads. */
final class RunTally {
    /** More trials in hand than this are not listed. */
    private static final int LISTED = 16;

    private final Map<String, RunView.InHand> inHand = new LinkedHashMap<>();
    private final Map<String, Result> results = new LinkedHashMap<>();

    /** What a trial measured, in operations a second. */
    record Result(CellName cell, double opsPerSecond) {}

    /** Counts trials that were measured before their events could be heard; what was heard itself stays. */
    void earlier(Map<String, Result> measured) {
        measured.forEach(results::putIfAbsent);
    }

    /** Counts an event. */
    void on(ApiEvent event) {
        if (event instanceof ApiEvent.TrialBegun begun) {
            inHand.put(
                    begun.trial(),
                    new RunView.InHand(begun.trial(), begun.attempt(), begun.cell(), OptionalDouble.empty()));
        } else if (event instanceof ApiEvent.Rate rate) {
            inHand.computeIfPresent(
                    rate.trial(),
                    (id, trial) -> new RunView.InHand(
                            id, trial.attempt(), trial.cell(), OptionalDouble.of(rate.opsPerSecond())));
        } else if (event instanceof ApiEvent.TrialEnded ended) {
            Optional<RunView.InHand> trial = Optional.ofNullable(inHand.remove(ended.trial()));
            if (trial.isPresent()
                    && ended.failure().isEmpty()
                    && ended.opsPerSecond().isPresent()) {
                results.put(
                        ended.trial(),
                        new Result(trial.get().cell(), ended.opsPerSecond().getAsDouble()));
            }
        }
    }

    /** The trials in hand, the first few. */
    List<RunView.InHand> inHand() {
        return inHand.values().stream().limit(LISTED).toList();
    }

    /** The rate of each cell that has a result, in the order in which they were measured first. */
    List<CellRate> cells() {
        return cells(results.values().stream().toList());
    }

    /** The cells of these results. */
    static List<CellRate> cells(List<Result> results) {
        Map<CellName, DoubleSummaryStatistics> byCell = results.stream()
                .collect(Collectors.groupingBy(
                        Result::cell, LinkedHashMap::new, Collectors.summarizingDouble(Result::opsPerSecond)));
        return byCell.entrySet().stream()
                .map(e -> new CellRate(
                        e.getKey(), (int) e.getValue().getCount(), e.getValue().getAverage()))
                .toList();
    }
}

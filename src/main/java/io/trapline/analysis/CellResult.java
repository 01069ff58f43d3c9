package io.trapline.analysis;

import io.trapline.campaign.Cell;
import java.util.List;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * One cell: its trials and what they say together.
 *
 * @param trials by round
 * @param rates of the intervals of all valid trials, in operations a second; empty without a valid trial
 * @param instructions that an operation takes, the middle one of the valid trials; empty where they are not counted
 * @param notMeasured why no trial was planned; empty when some were
 */
public record CellResult(
        Cell cell,
        List<TrialResult> trials,
        Optional<Summary> rates,
        OptionalDouble instructions,
        Optional<String> notMeasured) {
    public CellResult {
        trials = List.copyOf(trials);
    }

    /** What its valid trials measured. */
    public Stream<TrialResult.Measured> measured() {
        return trials.stream().flatMap(t -> t.measured().stream());
    }

    /** The rate of each valid trial by round, in operations a second. */
    public NavigableMap<Integer, Double> trialRates() {
        NavigableMap<Integer, Double> rates = new TreeMap<>();
        trials.forEach(t -> t.measured().ifPresent(m -> rates.put(t.planned().round(), m.rate())));
        return rates;
    }

    /** How many trials are valid. */
    public int valid() {
        return (int) measured().count();
    }

    /** The worst of its trials. */
    public Verdict verdict() {
        return trials.stream()
                .map(TrialResult::verdict)
                .reduce(notMeasured.isPresent() ? Verdict.INCOMPLETE : Verdict.VALID, Verdict::and);
    }
}

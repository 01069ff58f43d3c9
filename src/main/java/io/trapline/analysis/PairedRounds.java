package io.trapline.analysis;

import java.util.Collection;
import java.util.List;
import java.util.NavigableMap;
import java.util.Optional;
import org.hipparchus.distribution.continuous.TDistribution;

/**
 * The trial is the unit: intervals of one trial resemble each other and say little about the next one. Rounds alternate
 * the order of the paths, so the ratio within a round is free of slow drift; its logarithm is what is averaged, since a
 * ratio and its inverse must weigh the same. Without two rounds in common, Welch's interval on the logarithms takes its
 * place.
 */
public final class PairedRounds implements ComparisonMethod {
    private static final double UPPER = 0.975;

    @Override
    public String statement() {
        return "Ratios are of geometric means of trial rates (operations from the first reading to the last over the"
                + " real time between them). The unit is the trial, not the interval. Trials of one round are paired;"
                + " the 95 % interval is Student's t on the logarithms of the pairs' ratios, n - 1 degrees of freedom."
                + " Where fewer than two rounds have both, and between machines (guests of one machine take turns there, and"
                + " are paired), it is Welch's on the logarithms of all trials. One trial gives no interval, and decides nothing.";
    }

    @Override
    public Optional<Estimate> compare(NavigableMap<Integer, Double> baseline, NavigableMap<Integer, Double> path) {
        List<Integer> common =
                path.keySet().stream().filter(baseline::containsKey).toList();
        return common.size() >= 2 ? Optional.of(paired(baseline, path, common)) : compareUnpaired(baseline, path);
    }

    @Override
    public Optional<Estimate> compareUnpaired(
            NavigableMap<Integer, Double> baseline, NavigableMap<Integer, Double> path) {
        return baseline.isEmpty() || path.isEmpty() ? Optional.empty() : Optional.of(unpaired(baseline, path));
    }

    private static Estimate paired(
            NavigableMap<Integer, Double> baseline, NavigableMap<Integer, Double> path, List<Integer> rounds) {
        Summary logs = Summary.of(rounds.stream()
                .mapToDouble(r -> StrictMath.log(path.get(r) / baseline.get(r)))
                .toArray());
        double error = logs.sd() / Math.sqrt(logs.n());
        int without = baseline.size() + path.size() - 2 * rounds.size();
        String basis = rounds.size() + " pairs" + (without > 0 ? ", " + without + " left out" : "");
        return new Estimate(
                StrictMath.exp(logs.mean()), Optional.of(interval(logs.mean(), error, logs.n() - 1)), basis);
    }

    private static Estimate unpaired(NavigableMap<Integer, Double> baseline, NavigableMap<Integer, Double> path) {
        Summary below = logs(baseline.values());
        Summary above = logs(path.values());
        double mean = above.mean() - below.mean();
        String basis = below.n() + "+" + above.n() + " trials";
        if (below.n() < 2 || above.n() < 2) {
            return new Estimate(StrictMath.exp(mean), Optional.empty(), basis);
        }
        double a = above.sd() * above.sd() / above.n();
        double b = below.sd() * below.sd() / below.n();
        // Welch and Satterthwaite; without any spread their formula is 0/0, and any number does
        double freedom = a + b == 0 ? 1 : (a + b) * (a + b) / (a * a / (above.n() - 1) + b * b / (below.n() - 1));
        return new Estimate(StrictMath.exp(mean), Optional.of(interval(mean, Math.sqrt(a + b), freedom)), basis);
    }

    private static Summary logs(Collection<Double> rates) {
        return Summary.of(rates.stream().mapToDouble(StrictMath::log).toArray());
    }

    private static Estimate.Interval interval(double mean, double error, double freedom) {
        double half = error == 0 ? 0 : error * new TDistribution(freedom).inverseCumulativeProbability(UPPER);
        return new Estimate.Interval(StrictMath.exp(mean - half), StrictMath.exp(mean + half));
    }
}

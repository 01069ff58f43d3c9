package io.trapline.analysis;

import io.trapline.host.Model;
import io.trapline.host.Workload;
import java.util.List;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.TreeMap;

/**
 * What hosts did together: one cell on each of them at the same moment, summed. Nothing stands in for a host that is
 * missing: without it there is no sum.
 *
 * @param shares one a host
 * @param rounds ascending
 * @param rates of the sums of all valid rounds, in operations a second; empty without a valid one
 * @param skewLimitNs how far apart starts may be, in nanoseconds
 * @param onLoss what was to be done when a host is lost: repeat, fail or partial
 * @param toFirst the ratio to the first path on the same hosts and CPUs; empty when there is none
 */
public record JointResult(
        String path,
        Workload workload,
        Model model,
        List<Share> shares,
        List<Round> rounds,
        Optional<Summary> rates,
        long skewLimitNs,
        String onLoss,
        Optional<Estimate> toFirst) {
    public JointResult {
        shares = List.copyOf(shares);
        rounds = List.copyOf(rounds);
    }

    /**
     * A host's part.
     *
     * @param cpus how many it ran on
     * @param rate the mean of its rates in the valid rounds, in operations a second; empty without one
     */
    public record Share(String host, int cpus, OptionalDouble rate) {}

    /**
     * One round.
     *
     * @param joint the joint trial's id
     * @param reasons why it is not valid
     * @param rate the sum, in operations a second; only of a valid one
     * @param skewNs between the first thread's start on any host and the last one's, by clocks that were compared
     * @param uncertaintyNs by how much that may be wrong
     */
    public record Round(
            String joint,
            int round,
            Verdict verdict,
            List<String> reasons,
            OptionalDouble rate,
            OptionalLong skewNs,
            OptionalLong uncertaintyNs) {
        public Round {
            reasons = List.copyOf(reasons);
        }
    }

    /** How many CPUs ran at one moment. */
    public int cpus() {
        return shares.stream().mapToInt(Share::cpus).sum();
    }

    /** The sum of each valid round, in operations a second. */
    public NavigableMap<Integer, Double> roundRates() {
        NavigableMap<Integer, Double> rates = new TreeMap<>();
        rounds.forEach(r -> r.rate().ifPresent(rate -> rates.put(r.round(), rate)));
        return rates;
    }

    /** How many rounds are valid. */
    public int valid() {
        return roundRates().size();
    }

    /** The worst of its rounds. */
    public Verdict verdict() {
        return rounds.stream().map(Round::verdict).reduce(Verdict.VALID, Verdict::and);
    }

    JointResult against(Optional<Estimate> first) {
        return new JointResult(path, workload, model, shares, rounds, rates, skewLimitNs, onLoss, first);
    }
}

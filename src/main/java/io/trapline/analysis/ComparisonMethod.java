package io.trapline.analysis;

import java.util.NavigableMap;
import java.util.Optional;

/** Compares the trials of two cells. The one place to change when a deeper treatment comes. */
public interface ComparisonMethod {
    /**
     * How the path's rates compare with the baseline's.
     *
     * @param baseline rates of its valid trials by round, in operations a second
     * @param path the same of the path
     * @return empty when one of them has no valid trial
     */
    Optional<Estimate> compare(NavigableMap<Integer, Double> baseline, NavigableMap<Integer, Double> path);

    /** The same where a round of the one has nothing to do with that round of the other: on different machines. */
    Optional<Estimate> compareUnpaired(NavigableMap<Integer, Double> baseline, NavigableMap<Integer, Double> path);

    /** What this method does, for the report's readers. */
    String statement();
}

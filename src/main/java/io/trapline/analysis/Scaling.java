package io.trapline.analysis;

import io.trapline.campaign.Cell;
import java.util.Optional;

/**
 * How a path's rate changes with the number of CPUs, on one host, in one workload and model.
 *
 * @param from the cell with the fewest CPUs that has a valid trial
 * @param to the one with the most
 * @param change the rate of {@code to} as a multiple of that of {@code from}
 * @param finding what that change says: more CPUs are faster, slower, the same, or it is undecided
 * @param sameConsumers whether a hit pays for as many consumers in both; if not, more than the CPUs has changed
 * @param peak the cell between them with the highest rate; empty unless {@code to} is slower than that with all of the
 *     interval, since the highest of several noisy numbers is always somewhere
 */
public record Scaling(
        Cell from, Cell to, Estimate change, Finding finding, boolean sameConsumers, Optional<Peak> peak) {

    /**
     * Where more CPUs begin to harm.
     *
     * @param rate operations a second, the mean as the tables have it
     * @param last the rate of {@link Scaling#to} as a multiple of this one
     */
    public record Peak(Cell cell, double rate, Estimate last) {}
}

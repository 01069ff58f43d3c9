package io.trapline.analysis;

import io.trapline.campaign.Cell;
import java.util.Optional;

/**
 * A cell against the cell of another path that is alike in all else: workload, model, CPUs and host.
 *
 * @param baseline the other path's name
 * @param toFirst whether that is the campaign's first path, and not only the one before
 * @param estimate empty when one of the two has no valid trial, and when they are not comparable
 * @param note what a reader must know before using the row, such as why there is no estimate
 * @param gate what the campaign's gate says to it; empty without a gate, which looks at the first path alone
 */
public record Comparison(
        Cell cell,
        String baseline,
        boolean toFirst,
        Optional<Estimate> estimate,
        Finding finding,
        Optional<String> note,
        Optional<GateResult> gate) {}

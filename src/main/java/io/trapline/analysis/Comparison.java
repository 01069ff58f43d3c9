package io.trapline.analysis;

import io.trapline.campaign.Cell;
import java.util.List;
import java.util.Optional;

/**
 * A cell against the cell of another path that is alike in all else: workload, model, CPUs and host. Where each of the
 * two paths lives on one host of its own, alike in workload, model and number of CPUs.
 *
 * @param baseline the other path's name
 * @param baselineHost the host that it ran on, where that is not the cell's own
 * @param toFirst whether that is the campaign's first path, and not only the one before
 * @param estimate empty when one of the two has no valid trial, when they are not comparable, and when there is no
 *     other cell
 * @param notes what a reader must know before using the row, such as why there is no estimate
 * @param gate what the campaign's gate says to it; empty without a gate, which looks at the first path alone
 */
public record Comparison(
        Cell cell,
        String baseline,
        Optional<String> baselineHost,
        boolean toFirst,
        Optional<Estimate> estimate,
        Finding finding,
        List<String> notes,
        Optional<GateResult> gate) {
    /** The note of a comparison of emulated times, and why it is not judged. */
    public static final String NO_HARDWARE =
            "emulated times say nothing of hardware; use timing: {exact: true}, which counts instructions";

    public Comparison {
        notes = List.copyOf(notes);
    }
}

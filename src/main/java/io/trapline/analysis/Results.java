package io.trapline.analysis;

import io.trapline.host.HostProfile;
import io.trapline.journal.JournalRecord;
import java.util.List;
import java.util.Optional;

/**
 * All that a journal amounts to.
 *
 * @param hosts in order of appearance
 * @param cells by host, model, path, workload and CPUs, in this order
 * @param comparisons by path, baseline and then as the cells
 * @param method how comparisons were made, in words
 * @param remarks on the journal itself, such as a torn last line
 * @param economy empty when no session of the run ended by itself
 */
public record Results(
        JournalRecord.Run run,
        List<HostProfile> hosts,
        List<CellResult> cells,
        List<Comparison> comparisons,
        String method,
        List<String> remarks,
        Outcome outcome,
        Optional<Economy> economy) {
    public Results {
        hosts = List.copyOf(hosts);
        cells = List.copyOf(cells);
        comparisons = List.copyOf(comparisons);
        remarks = List.copyOf(remarks);
    }

    /**
     * What the run is worth.
     *
     * @param gateFailed whether a path is slower than the campaign allows
     * @param reasons why it is not all well; empty when it is
     */
    public record Outcome(Verdict verdict, boolean gateFailed, List<String> reasons) {
        public Outcome {
            reasons = List.copyOf(reasons);
        }

        /**
         * 0 when all is well, 3 when the gate failed (which no missing trial can undo), 4 when data are missing or
         * invalid.
         */
        public int exitCode() {
            if (gateFailed) {
                return 3;
            }
            return verdict == Verdict.VALID ? 0 : 4;
        }
    }

    /**
     * What the run's time was spent on.
     *
     * @param wallMs from start to end in milliseconds, all sessions that ended by themselves
     * @param measuringMs warm-up and measuring in that time, nominally
     */
    public record Economy(long wallMs, long measuringMs) {}
}

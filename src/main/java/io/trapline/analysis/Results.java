package io.trapline.analysis;

import io.trapline.campaign.Cell;
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
 * @param joints what hosts did together, by workload, model, CPUs and path
 * @param scalings by the cells' order
 * @param method how comparisons were made, in words
 * @param remarks on the journal itself, such as a torn last line
 * @param economy empty when no session of the run ended by itself
 */
public record Results(
        JournalRecord.Run run,
        List<HostProfile> hosts,
        List<CellResult> cells,
        List<Comparison> comparisons,
        List<JointResult> joints,
        List<Scaling> scalings,
        String method,
        List<String> remarks,
        Outcome outcome,
        Optional<Economy> economy) {
    public Results {
        hosts = List.copyOf(hosts);
        cells = List.copyOf(cells);
        comparisons = List.copyOf(comparisons);
        joints = List.copyOf(joints);
        scalings = List.copyOf(scalings);
        remarks = List.copyOf(remarks);
    }

    /** The host of that name; empty when the journal does not know it. */
    public Optional<HostProfile> host(String name) {
        return hosts.stream().filter(h -> h.name().equals(name)).findFirst();
    }

    /** Why figures of that cell are those of no hardware; empty when they are. */
    public Optional<HostProfile.Mark> mark(Cell cell) {
        return host(cell.host()).flatMap(HostProfile::mark);
    }

    /** Whether figures of that cell are path lengths, and its rates mean nothing. */
    public boolean counted(Cell cell) {
        return host(cell.host()).filter(HostProfile::countsInstructions).isPresent();
    }

    /** Whether no row of it is a machine's. */
    public boolean simulated() {
        return !cells.isEmpty()
                && cells.stream().allMatch(c -> mark(c.cell()).equals(Optional.of(HostProfile.Mark.SIMULATED)));
    }

    /**
     * What the run is worth.
     *
     * @param verdict INCOMPLETE also where the data do not suffice for the gate to decide
     * @param gate whether all paths are as fast as the campaign asks; empty without a gate
     * @param timeUp whether the campaign's deadline ended the run
     * @param reasons why it is not all well; empty when it is
     */
    public record Outcome(Verdict verdict, Optional<GateResult> gate, boolean timeUp, List<String> reasons) {
        public Outcome {
            reasons = List.copyOf(reasons);
        }

        /**
         * 0 when all is well, 3 when the gate failed (which no missing trial can undo), 2 when the campaign's deadline
         * ended the run, 4 when data are missing or invalid for another reason. A gate that is undecided is a matter of missing data, and so a 4: a 0 would let a path pass of which
         * nobody knows, a 3 would accuse it, and what mends it is what mends any 4, to measure more.
         */
        public int exitCode() {
            if (gate.equals(Optional.of(GateResult.FAILED))) {
                return 3;
            }
            if (timeUp) {
                return 2;
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

package io.trapline.analysis;

import io.trapline.campaign.Cell;
import io.trapline.host.CpuSet;
import io.trapline.host.HostProfile;
import io.trapline.host.Workload;
import io.trapline.journal.Journal;
import io.trapline.journal.Readings;
import io.trapline.trigger.Reply;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/** Looks for whatever shows that an attempt, though it ran to its end, did not measure what it should have. */
final class TrialCheck {
    private final Cell cell;
    private final Journal.Attempt attempt;
    private final int intervals;
    private final Optional<HostProfile> host;
    private final List<String> reasons;

    private TrialCheck(Cell cell, Journal.Attempt attempt, int intervals, Optional<HostProfile> host) {
        this.cell = cell;
        this.attempt = attempt;
        this.intervals = intervals;
        this.host = host;
        this.reasons = new ArrayList<>(attempt.contradictions());
    }

    /**
     * Why it proves nothing; empty when all holds.
     *
     * @param intervals how many were asked for
     * @param host where it ran
     */
    static List<String> reasons(Cell cell, Journal.Attempt attempt, int intervals, Optional<HostProfile> host) {
        TrialCheck check = new TrialCheck(cell, attempt, intervals, host);
        attempt.ready()
                .ifPresentOrElse(
                        ready -> {
                            check.pinning(ready);
                            check.target(ready);
                        },
                        () -> check.reasons.add("it never said where its threads were"));
        check.sequence();
        check.counters();
        attempt.done().ifPresent(done -> {
            check.hits(done);
            check.sums(done);
            check.migrations(done);
        });
        return check.reasons;
    }

    private void pinning(Reply.Ready ready) {
        CpuSet placed = CpuSet.EMPTY;
        for (Reply.ThreadPlace thread : ready.threads()) {
            placed = placed.or(CpuSet.of(thread.cpu()));
            if (!thread.mask().equals(Integer.toString(thread.cpu()))) {
                reasons.add("the thread of CPU " + thread.cpu() + " may run on CPUs " + thread.mask());
            }
        }
        if (!placed.equals(cell.cpus()) || ready.threads().size() != cell.cpus().size()) {
            reasons.add(
                    ready.threads().size() + " threads were on CPUs " + placed + ", not one on each of " + cell.cpus());
        }
    }

    private void target(Reply.Ready ready) {
        if (!cell.workload().kind().isProbe()
                || host.filter(HostProfile::simulated).isPresent()) {
            return;
        }
        String arch = host.map(HostProfile::arch).orElse("");
        String before = ready.bytes().orElse("");
        String after = ready.attached().orElse("");
        Optional<String> expected = Targets.firstInstruction(cell.workload(), arch);
        if (expected.isPresent() && !before.startsWith(expected.get())) {
            reasons.add("the target begins with " + head(before) + ", and " + cell.workload() + " on " + arch
                    + " is about " + expected.get());
        }
        String breakpoint = Targets.breakpoint(arch).orElse("");
        if (after.equals(before) || !after.startsWith(breakpoint)) {
            reasons.add("with the probe attached the target begins with " + head(after) + ", no breakpoint");
        }
    }

    private static String head(String bytes) {
        return bytes.isEmpty() ? "nothing known" : bytes.substring(0, Math.min(8, bytes.length()));
    }

    private void sequence() {
        Readings readings = attempt.readings();
        BitSet missing = new BitSet();
        missing.set(0, intervals + 1);
        for (int i = 0; i < readings.size(); i++) {
            missing.clear(readings.seq(i));
        }
        if (!missing.isEmpty()) {
            reasons.add("readings are missing: " + ranges(missing));
        }
        if (readings.size() > 0 && readings.seq(readings.size() - 1) > intervals) {
            reasons.add("reading " + readings.seq(readings.size() - 1) + " is beyond the " + intervals
                    + " intervals that were asked for");
        }
    }

    private static String ranges(BitSet numbers) {
        StringBuilder text = new StringBuilder();
        for (int from = numbers.nextSetBit(0); from >= 0; ) {
            int to = numbers.nextClearBit(from) - 1;
            text.append(text.isEmpty() ? "" : ", ").append(from).append(to > from ? "-" + to : "");
            from = numbers.nextSetBit(to + 1);
        }
        return text.toString();
    }

    private void counters() {
        Readings readings = attempt.readings();
        for (int i = 1; i < readings.size(); i++) {
            if (readings.ns(i) <= readings.ns(i - 1)) {
                reasons.add("the clock did not advance from reading " + readings.seq(i - 1) + " to " + readings.seq(i));
            }
        }
        int[] ids = cell.cpus().stream().toArray();
        for (int cpu = 0; cpu < readings.cpus() && readings.size() > 1; cpu++) {
            counter(readings, cpu, ids[cpu]);
        }
    }

    private void counter(Readings readings, int cpu, int id) {
        for (int i = 1; i < readings.size(); i++) {
            if (readings.ops(i, cpu) < readings.ops(i - 1, cpu)) {
                reasons.add("the counter of CPU " + id + " ran backwards, from " + readings.ops(i - 1, cpu) + " to "
                        + readings.ops(i, cpu) + ", at reading " + readings.seq(i));
                return;
            }
        }
        if (readings.ops(readings.size() - 1, cpu) == readings.ops(0, cpu)) {
            reasons.add("CPU " + id + " did no operation in all intervals");
        }
    }

    private void hits(Reply.Done done) {
        OptionalLong hits = done.hits();
        if (hits.isEmpty()) {
            if (cell.workload().kind() != Workload.Kind.BASELINE) {
                reasons.add("hits were not counted, so nothing proves that the " + done.operations()
                        + " operations took the path");
            }
            return;
        }
        apart("", hits.getAsLong(), done.operations(), done.inFlight());
        int[] ids = cell.cpus().stream().toArray();
        if (done.hitsByCpu().size() != ids.length) {
            reasons.add("hits were counted on " + done.hitsByCpu().size() + " CPUs, not on each of " + cell.cpus());
            return;
        }
        for (int i = 0; i < Math.min(ids.length, done.opsByCpu().size()); i++) {
            apart(
                    "CPU " + ids[i] + ": ",
                    done.hitsByCpu().get(i),
                    done.opsByCpu().get(i),
                    done.inFlight());
        }
    }

    /** One CPU's missing hits must not make up for another one's foreign hits. */
    private void apart(String where, long hits, long operations, int inFlight) {
        long apart = Math.abs(hits - operations);
        if (apart > inFlight) {
            reasons.add(where + hits + " hits for " + operations + " operations: " + apart + " apart, where " + inFlight
                    + " can be in flight");
        }
    }

    /** A thread that is bound to its CPU leaves it only when somebody else moves it, to share another one's. */
    private void migrations(Reply.Done done) {
        long moved = done.migrations().orElse(0);
        if (moved > 0) {
            reasons.add("its threads, each bound to one CPU, were moved to another one "
                    + (moved == 1 ? "once" : moved + " times"));
        }
    }

    /** What is summed up in one place must be there in the other. */
    private void sums(Reply.Done done) {
        long sum = done.opsByCpu().stream().mapToLong(Long::longValue).sum();
        if (done.opsByCpu().size() != cell.cpus().size() || sum != done.operations()) {
            reasons.add("the counters of " + done.opsByCpu().size() + " CPUs sum to " + sum + " operations, not to "
                    + done.operations());
            return;
        }
        Readings readings = attempt.readings();
        int last = readings.size() - 1;
        for (int cpu = 0; cpu < readings.cpus() && last >= 0; cpu++) {
            if (readings.ops(last, cpu) > done.opsByCpu().get(cpu)) {
                reasons.add("a counter ended at " + done.opsByCpu().get(cpu) + ", below its last reading "
                        + readings.ops(last, cpu));
            }
        }
    }
}

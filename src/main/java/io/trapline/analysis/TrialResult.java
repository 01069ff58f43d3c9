package io.trapline.analysis;

import io.trapline.journal.JournalRecord;
import io.trapline.trigger.Reply;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * One trial, judged.
 *
 * @param reasons why it is not valid; empty when it is
 * @param discarded attempts that do not count, and why: they did not run to their end, or a later one did
 * @param measured what it measured; only of a valid trial
 */
public record TrialResult(
        JournalRecord.Planned planned,
        Verdict verdict,
        List<String> reasons,
        List<String> discarded,
        Optional<Measured> measured) {
    public TrialResult {
        reasons = List.copyOf(reasons);
        discarded = List.copyOf(discarded);
    }

    /**
     * What a valid trial measured, warm-up excluded, and the evidence for it.
     *
     * @param attempt which attempt it was
     * @param rate operations a second from the first reading to the last; where instructions are counted, in the middle
     *     one of its intervals, which no timer tick or late work of the kernel's has lengthened
     * @param intervals of the rates of all its intervals, in operations a second
     * @param slowestReadNs how long the slowest reading took
     * @param startNs between the starts of the first and the last thread
     */
    public record Measured(
            int attempt,
            double rate,
            Summary intervals,
            long slowestReadNs,
            OptionalLong startNs,
            Reply.Ready ready,
            Reply.Done done) {}
}

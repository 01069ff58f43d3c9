package io.trapline.cluster;

import io.trapline.journal.JournalRecord;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * Lets hosts start at one moment: all stand ready, then all clocks are read, then each is given the instant in its own
 * time. Which message comes first or last has no part in that instant; who hears of it after it has passed says so.
 */
final class Barrier {
    /** From the decision to the start: for the word to get round. */
    static final Duration LEAD = Duration.ofMillis(500);

    private final Map<String, ClockOffset> clocks = new LinkedHashMap<>();
    private final Set<String> awaited;

    /** What clocks may be wrong by is at most such a part of what starts may be apart, if the network allows. */
    private static final int PART = 10;

    /**
     * For these hosts, none of which is ready.
     *
     * @param skew how far apart their starts may be
     */
    Barrier(Set<String> hosts, Duration skew) {
        hosts.forEach(host -> clocks.put(host, new ClockOffset(skew.toNanos() / PART)));
        awaited = new TreeSet<>(hosts);
    }

    /** A host stands ready; true when it was the last one, and clocks are to be read. */
    boolean ready(String host) {
        return awaited.remove(host) && awaited.isEmpty();
    }

    /** A host's clock was read; true when all of them are known. */
    boolean read(String host, long sent, long stamped, long received) {
        clocks.get(host).add(sent, stamped, received);
        return clocks.values().stream().allMatch(ClockOffset::isKnown);
    }

    /** What is known of a host's clock. */
    ClockOffset clock(String host) {
        return clocks.get(host);
    }

    /** What is known of the clocks of those that are about to start. */
    JournalRecord.Barrier record(TurnInHand turn) {
        List<JournalRecord.HostClock> known = new ArrayList<>();
        turn.members.forEach((host, member) -> {
            ClockOffset clock = clocks.get(host);
            known.add(new JournalRecord.HostClock(
                    member.attempt.trial(), clock.offset(), clock.uncertainty(), clock.probes()));
        });
        return new JournalRecord.Barrier(turn.joint().orElseThrow(), turn.number, known);
    }

    /**
     * When they start, each by its own clock.
     *
     * @param now by our clock
     */
    Map<String, Long> starts(long now) {
        long at = now + LEAD.toNanos();
        Map<String, Long> starts = new LinkedHashMap<>();
        clocks.forEach((host, clock) -> starts.put(host, at + clock.offset()));
        return starts;
    }
}

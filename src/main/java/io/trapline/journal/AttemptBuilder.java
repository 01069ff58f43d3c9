package io.trapline.journal;

import io.trapline.trigger.Reply;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Collects what was said of one attempt. The same thing said twice counts once; two different things contradict. */
final class AttemptBuilder {
    private final int number;
    private final int session;
    private final ReadingsBuilder readings;
    private final List<String> contradictions = new ArrayList<>();
    private long duplicates;

    private Optional<JournalRecord.Begun> begun = Optional.empty();
    private Optional<JournalRecord.Lost> lost = Optional.empty();
    private Optional<Reply.Ready> ready = Optional.empty();
    private Optional<Reply.Started> started = Optional.empty();
    private Optional<Reply.Done> done = Optional.empty();
    private Optional<Reply.Failed> failed = Optional.empty();

    AttemptBuilder(int number, int session, int cpus) {
        this.number = number;
        this.session = session;
        this.readings = new ReadingsBuilder(cpus);
    }

    int number() {
        return number;
    }

    void add(JournalRecord.Begun entry) {
        begun = once("begun", begun, entry);
    }

    void add(JournalRecord.Lost entry) {
        lost = once("lost", lost, entry);
    }

    void add(Reply.OfTrial reply) {
        if (reply instanceof Reply.Interval interval) {
            add(interval);
        } else if (reply instanceof Reply.Ready entry) {
            ready = once("ready", ready, entry);
        } else if (reply instanceof Reply.Started entry) {
            started = once("started", started, entry);
        } else if (reply instanceof Reply.Done entry) {
            done = once("done", done, entry);
        } else if (reply instanceof Reply.Failed entry) {
            failed = once("failed", failed, entry);
        }
    }

    private void add(Reply.Interval reading) {
        long seq = reading.seq();
        int count = reading.ops().length;
        if (seq < 0 || seq >= Integer.MAX_VALUE) {
            contradictions.add("a reading has sequence number " + seq);
        } else if (count != readings.cpus()) {
            contradictions.add("reading " + seq + " has " + count + " counters for " + readings.cpus() + " CPUs");
        } else {
            readings.add((int) seq, reading.ns(), reading.readNs(), reading.ops());
        }
    }

    private <T> Optional<T> once(String what, Optional<T> known, T entry) {
        if (known.isEmpty()) {
            return Optional.of(entry);
        }
        if (known.get().equals(entry)) {
            duplicates++;
        } else {
            contradictions.add("\"" + what + "\" was said twice, in two ways");
        }
        return known;
    }

    /** Records that were there already; complete after {@link #build}. */
    long duplicates() {
        return duplicates;
    }

    Journal.Attempt build() {
        Readings sorted = readings.build(
                seq -> duplicates++, seq -> contradictions.add("reading " + seq + " was said twice, in two ways"));
        return new Journal.Attempt(number, session, begun, ready, started, sorted, done, failed, lost, contradictions);
    }
}

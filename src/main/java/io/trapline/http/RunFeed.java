package io.trapline.http;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * The events of one run, numbered, for followers who may come late or come back. Rates of trials that have ended are
 * forgotten, since their mean is told at the end: so it holds about two events a trial.
 */
final class RunFeed {
    /** An event and its number, which is higher than that of each event before it. */
    record Entry(long number, ApiEvent event) {}

    private final RunTally tally = new RunTally();
    private final List<Entry> log = new ArrayList<>();
    private final Map<String, Entry> lastRates = new HashMap<>();
    private final Set<Consumer<Entry>> followers = new LinkedHashSet<>();
    private long number;

    /** Keeps an event and tells all followers. */
    synchronized void tell(ApiEvent event) {
        tally.on(event);
        Entry entry = new Entry(++number, event);
        if (event instanceof ApiEvent.Rate rate) {
            lastRates.put(rate.trial(), entry);
        } else {
            log.add(entry);
        }
        if (event instanceof ApiEvent.TrialEnded ended) {
            lastRates.remove(ended.trial());
        }
        List.copyOf(followers).forEach(follower -> follower.accept(entry));
    }

    /** Counts trials that were measured before this feed began. */
    synchronized void earlier(Map<String, RunTally.Result> measured) {
        tally.earlier(measured);
    }

    /**
     * Has the follower told of all that comes, by the thread that it happens on; it must not block.
     *
     * @param after the number of the last event that the follower knows; 0 for none
     * @return what happened since then, in order
     */
    synchronized List<Entry> follow(long after, Consumer<Entry> follower) {
        followers.add(follower);
        return Stream.concat(log.stream(), lastRates.values().stream())
                .filter(entry -> entry.number() > after)
                .sorted(Comparator.comparingLong(Entry::number))
                .toList();
    }

    /** The follower is told no more. */
    synchronized void leave(Consumer<Entry> follower) {
        followers.remove(follower);
    }

    /** The trials in hand, the first few. */
    synchronized List<RunView.InHand> inHand() {
        return tally.inHand();
    }

    /** The rate of each cell that has a result. */
    synchronized List<CellRate> cells() {
        return tally.cells();
    }
}

package io.trapline.cluster;

import io.trapline.trigger.Reply;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Which records of a run are in its journal, so that each comes in once and in order, however often and in whatever
 * order it is delivered. What lies beyond a gap is not taken: the worker has no receipt for it and delivers it again.
 *
 * <p>A journal names no sequence numbers. It need not: since an attempt's records are taken in order and without gaps,
 * their number in the journal is the next one.
 */
final class Ledger {
    private final String run;
    private final Map<Attempt, Account> accounts = new HashMap<>();
    private final Map<Origin, Long> owed = new LinkedHashMap<>();
    private final Map<Long, List<Receipt>> sealed = new HashMap<>();
    private long duplicates;
    private long strangers;

    /** @param run whose records these are */
    Ledger(String run) {
        this.run = run;
    }

    /** An attempt is to be taken in, of which the journal has so many records already. */
    void open(Attempt attempt, String incarnation, long recorded) {
        accounts.put(attempt, new Account(incarnation, recorded));
    }

    /** Those records of a delivery that are new and next, in order. */
    List<? extends Reply.OfTrial> take(Delivery delivery) {
        Origin origin = delivery.origin();
        Account account = accounts.get(origin.attempt());
        if (account == null
                || !origin.run().equals(run)
                || !origin.incarnation().equals(account.incarnation)) {
            strangers += delivery.replies().size();
            owed.put(origin, delivery.end());
            return List.of();
        }
        long known = Math.min(delivery.end(), account.next) - delivery.first();
        account.seen = Math.max(account.seen, delivery.end());
        duplicates += Math.max(0, known);
        boolean connects = known >= 0;
        if (connects) {
            account.next = Math.max(account.next, delivery.end());
        }
        owed.put(origin, account.next);
        return connects
                ? delivery.replies().subList((int) known, delivery.replies().size())
                : List.of();
    }

    /** All that was taken so far will be on disk with that mark. */
    void seal(long mark) {
        sealed.put(
                mark,
                owed.entrySet().stream()
                        .map(e -> new Receipt(e.getKey(), e.getValue()))
                        .toList());
        owed.clear();
    }

    /** The receipts for what is on disk with that mark. */
    List<Receipt> onDisk(long mark) {
        return Optional.ofNullable(sealed.remove(mark)).orElse(List.of());
    }

    /** Which records of an attempt never came although later ones did, in words. */
    Optional<String> gap(Attempt attempt) {
        return Optional.ofNullable(accounts.get(attempt))
                .filter(account -> account.seen > account.next)
                .map(account -> "its records from number " + account.next + " on never came, although number "
                        + (account.seen - 1) + " did");
    }

    /** How many records were delivered that were there already. */
    long duplicates() {
        return duplicates;
    }

    /** How many records were delivered that belong to no attempt of this run. */
    long strangers() {
        return strangers;
    }

    private static final class Account {
        private final String incarnation;
        private long next;
        private long seen;

        Account(String incarnation, long next) {
            this.incarnation = incarnation;
            this.next = next;
            this.seen = next;
        }
    }
}

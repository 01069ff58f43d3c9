package io.trapline.cluster;

import java.util.OptionalLong;

/** Marks of the journal: what is to be on disk before something else happens. */
final class Marks {
    private final Ledger ledger;
    private final Effects effects;
    private long mark;
    /** The mark that records were put on disk for because their worker wants a receipt; empty when none is awaited. */
    private OptionalLong receipt = OptionalLong.empty();

    private boolean receiptWanted;
    private OptionalLong last = OptionalLong.empty();

    Marks(Ledger ledger, Effects effects) {
        this.ledger = ledger;
        this.effects = effects;
    }

    /** All so far is to go to disk, under the mark that this returns. */
    long next() {
        ledger.seal(++mark);
        effects.add(new Effect.Sync(mark));
        return mark;
    }

    /** All so far is to go to disk, and nothing comes after it. */
    void last() {
        last = OptionalLong.of(next());
    }

    /** Whether nothing more comes. */
    boolean isLastSet() {
        return last.isPresent();
    }

    /** A worker delivered something, and perhaps waits to be told that it is on disk. */
    void receiptWanted(boolean urgently) {
        receiptWanted |= urgently;
        syncForReceipt();
    }

    /** All up to that mark is on disk; true when it is the last one. */
    boolean onDisk(long synced) {
        if (receipt.isPresent() && receipt.getAsLong() == synced) {
            receipt = OptionalLong.empty();
            syncForReceipt();
        }
        return last.isPresent() && last.getAsLong() == synced;
    }

    /** One at a time: a disk that is slow gives receipts for many deliveries at once. */
    private void syncForReceipt() {
        if (receiptWanted && receipt.isEmpty() && last.isEmpty()) {
            receiptWanted = false;
            receipt = OptionalLong.of(next());
        }
    }
}

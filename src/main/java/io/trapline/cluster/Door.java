package io.trapline.cluster;

import java.util.concurrent.atomic.AtomicLong;

/** Counts who comes to a member's port. For all threads. */
final class Door {
    private final AtomicLong connections = new AtomicLong();
    private final AtomicLong proven = new AtomicLong();
    private final AtomicLong refused = new AtomicLong();

    /** Somebody connected. */
    void opened() {
        connections.incrementAndGet();
    }

    /** Who connected proved to be a member. */
    void proved() {
        proven.incrementAndGet();
    }

    /** A worker was turned away. */
    void refused() {
        refused.incrementAndGet();
    }

    /** All figures. */
    Campaigns.Callers callers() {
        long members = proven.get();
        return new Campaigns.Callers(members, connections.get() - members, refused.get());
    }
}

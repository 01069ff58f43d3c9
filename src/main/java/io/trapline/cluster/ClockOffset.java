package io.trapline.cluster;

/**
 * How far another machine's clock is ahead of ours, from round trips: the other one stamped each somewhere between its
 * start and its end. The shortest one says most and the others nothing: what made them long (a pause, a queue, a
 * network) may have been all before the stamp, or all after it.
 */
final class ClockOffset {
    /** So many round trips make a short one likely. */
    static final int ENOUGH = 8;

    /** After so many, the way there is no better than it was. */
    static final int MOST = 64;

    private final long wanted;
    private int probes;
    private long shortest = Long.MAX_VALUE;
    private long offset;

    /** @param wanted the uncertainty that is good enough, in nanoseconds */
    ClockOffset(long wanted) {
        this.wanted = wanted;
    }

    /**
     * A round trip.
     *
     * @param sent by our clock, in nanoseconds
     * @param stamped by the other one's
     * @param received by our clock
     */
    void add(long sent, long stamped, long received) {
        probes++;
        if (received - sent < shortest) {
            shortest = received - sent;
            offset = stamped - sent - shortest / 2;
        }
    }

    /** Whether there were enough round trips: some, and as many more as it takes to be as sure as is wanted. */
    boolean isKnown() {
        return probes >= MOST || (probes >= ENOUGH && uncertainty() <= wanted);
    }

    /** How many round trips there were. */
    int probes() {
        return probes;
    }

    /** What to add to our time to have the other's, in nanoseconds. */
    long offset() {
        return offset;
    }

    /** By how much {@link #offset} may be wrong either way, in nanoseconds. */
    long uncertainty() {
        return shortest - shortest / 2;
    }
}

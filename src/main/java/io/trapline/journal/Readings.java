package io.trapline.journal;

/**
 * The readings of one attempt, by sequence number, each number once. Kept in columns, since a journal may hold a
 * million of them. Immutable.
 */
public final class Readings {
    private final int cpus;
    private final int[] seq;
    private final long[] ns;
    private final long[] readNs;
    private final long[] ops;

    /** Takes the arrays over: {@code cpus} numbers of {@code ops} for each reading. */
    Readings(int cpus, int[] seq, long[] ns, long[] readNs, long[] ops) {
        this.cpus = cpus;
        this.seq = seq;
        this.ns = ns;
        this.readNs = readNs;
        this.ops = ops;
    }

    /** How many readings. */
    public int size() {
        return seq.length;
    }

    /** How many counters a reading has: one a CPU, CPUs ascending. */
    public int cpus() {
        return cpus;
    }

    /** The sequence number of the i-th reading; 0 ends the warm-up. */
    public int seq(int i) {
        return seq[i];
    }

    /** When the i-th reading began, in CLOCK_MONOTONIC nanoseconds of its host. */
    public long ns(int i) {
        return ns[i];
    }

    /** How long the i-th reading took, in nanoseconds. */
    public long readNs(int i) {
        return readNs[i];
    }

    /** Operations that the cpu-th counter had at the i-th reading. */
    public long ops(int i, int cpu) {
        return ops[i * cpus + cpu];
    }

    /** Operations of all counters between two readings. The sum of differences: counters themselves may be near 2^63. */
    public long opsBetween(int i, int j) {
        long sum = 0;
        for (int cpu = 0; cpu < cpus; cpu++) {
            sum += ops(j, cpu) - ops(i, cpu);
        }
        return sum;
    }
}

package io.trapline.journal;

import java.util.Arrays;
import java.util.function.IntConsumer;

/** Collects readings in any order, some of them perhaps twice. */
final class ReadingsBuilder {
    private final int cpus;
    private int size;
    private boolean ascending = true;
    private int[] seq = new int[32];
    private long[] ns = new long[32];
    private long[] readNs = new long[32];
    private long[] ops;

    ReadingsBuilder(int cpus) {
        this.cpus = cpus;
        this.ops = new long[32 * cpus];
    }

    int cpus() {
        return cpus;
    }

    void add(int number, long at, long took, long[] counters) {
        if (size == seq.length) {
            grow();
        }
        ascending &= size == 0 || number > seq[size - 1];
        seq[size] = number;
        ns[size] = at;
        readNs[size] = took;
        System.arraycopy(counters, 0, ops, size * cpus, cpus);
        size++;
    }

    private void grow() {
        int capacity = Math.multiplyExact(size, 2);
        seq = Arrays.copyOf(seq, capacity);
        ns = Arrays.copyOf(ns, capacity);
        readNs = Arrays.copyOf(readNs, capacity);
        ops = Arrays.copyOf(ops, Math.multiplyExact(capacity, cpus));
    }

    /**
     * The readings in order.
     *
     * @param repeated is told the sequence number of each reading that was there before, word for word
     * @param contradicted is told the sequence number of each reading that differs from the one before
     */
    Readings build(IntConsumer repeated, IntConsumer contradicted) {
        if (ascending) {
            return new Readings(
                    cpus,
                    Arrays.copyOf(seq, size),
                    Arrays.copyOf(ns, size),
                    Arrays.copyOf(readNs, size),
                    Arrays.copyOf(ops, size * cpus));
        }
        ReadingsBuilder sorted = new ReadingsBuilder(cpus);
        for (int i : order()) {
            if (sorted.size == 0 || sorted.seq[sorted.size - 1] != seq[i]) {
                sorted.add(seq[i], ns[i], readNs[i], Arrays.copyOfRange(ops, i * cpus, (i + 1) * cpus));
            } else if (same(i, sorted, sorted.size - 1)) {
                repeated.accept(seq[i]);
            } else {
                contradicted.accept(seq[i]);
            }
        }
        return sorted.build(repeated, contradicted);
    }

    /** Indices by sequence number, and by arrival among equals. */
    private int[] order() {
        long[] keys = new long[size];
        for (int i = 0; i < size; i++) {
            keys[i] = (long) seq[i] << Integer.SIZE | i;
        }
        Arrays.sort(keys);
        return Arrays.stream(keys).mapToInt(key -> (int) key).toArray();
    }

    private boolean same(int i, ReadingsBuilder other, int j) {
        return ns[i] == other.ns[j]
                && readNs[i] == other.readNs[j]
                && Arrays.equals(ops, i * cpus, (i + 1) * cpus, other.ops, j * cpus, (j + 1) * cpus);
    }
}

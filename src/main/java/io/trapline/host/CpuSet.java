package io.trapline.host;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import java.util.BitSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

/**
 * A set of CPU ids, in the kernel's list notation ({@code 0-3,8}). Immutable. Ids go up to {@link #MAX_ID}, the
 * largest that the kernel can be built for (NR_CPUS 8192).
 */
public final class CpuSet implements Comparable<CpuSet> {
    /** The largest id that is accepted. */
    public static final int MAX_ID = 8191;

    /** No CPU. */
    public static final CpuSet EMPTY = new CpuSet(new BitSet());

    private static final Pattern PART = Pattern.compile("(\\d{1,9})(?:-(\\d{1,9})(?::(\\d{1,9})/(\\d{1,9}))?)?");

    private final BitSet ids;

    private CpuSet(BitSet ids) {
        this.ids = ids;
    }

    /** The set of these ids. */
    public static CpuSet of(int... ids) {
        return of(IntStream.of(ids));
    }

    /** The set of these ids. */
    public static CpuSet of(IntStream ids) {
        BitSet set = new BitSet();
        ids.forEach(id -> {
            if (id < 0 || id > MAX_ID) {
                throw new IllegalArgumentException("CPU " + id + " is not in 0.." + MAX_ID);
            }
            set.set(id);
        });
        return new CpuSet(set);
    }

    /**
     * Reads the kernel's list notation, strides and white space included ({@code 0-15,128-143}, {@code 0-62:2/4} is
     * the kernel's grouped form). An empty text is the empty set.
     *
     * @throws IllegalArgumentException with the part that is wrong
     */
    @JsonCreator(mode = JsonCreator.Mode.DELEGATING)
    public static CpuSet parse(String list) {
        BitSet set = new BitSet();
        for (String raw : list.strip().split(",", -1)) {
            String part = raw.strip();
            if (part.isEmpty()) {
                if (list.isBlank()) {
                    break;
                }
                throw new IllegalArgumentException("\"" + list.strip() + "\" has an empty part between commas");
            }
            addPart(set, part);
        }
        return new CpuSet(set);
    }

    private static void addPart(BitSet set, String part) {
        Matcher m = PART.matcher(part);
        if (!m.matches()) {
            throw new IllegalArgumentException("\"" + part + "\" is no CPU id and no range such as 0-3");
        }
        int first = Integer.parseInt(m.group(1));
        int last = m.group(2) == null ? first : Integer.parseInt(m.group(2));
        int used = m.group(3) == null ? 1 : Integer.parseInt(m.group(3));
        int group = m.group(4) == null ? 1 : Integer.parseInt(m.group(4));
        if (last > MAX_ID) {
            throw new IllegalArgumentException("CPU " + last + " in \"" + part + "\" is above " + MAX_ID);
        }
        if (first > last || used < 1 || used > group) {
            throw new IllegalArgumentException("\"" + part + "\" runs backwards or has an empty group");
        }
        for (int base = first; base <= last; base += group) {
            set.set(base, Math.min(base + used, last + 1));
        }
    }

    /** How many CPUs. */
    public int size() {
        return ids.cardinality();
    }

    public boolean isEmpty() {
        return ids.isEmpty();
    }

    public boolean contains(int id) {
        return id >= 0 && ids.get(id);
    }

    /** The ids, ascending. */
    public IntStream stream() {
        return ids.stream();
    }

    /** The smallest id; the set must not be empty. */
    public int first() {
        return ids.stream().findFirst().orElseThrow();
    }

    /** Those that are in both. */
    public CpuSet and(CpuSet other) {
        BitSet set = (BitSet) ids.clone();
        set.and(other.ids);
        return new CpuSet(set);
    }

    /** Those that are in either. */
    public CpuSet or(CpuSet other) {
        BitSet set = (BitSet) ids.clone();
        set.or(other.ids);
        return new CpuSet(set);
    }

    /** Those of this set that are not in the other. */
    public CpuSet minus(CpuSet other) {
        BitSet set = (BitSet) ids.clone();
        set.andNot(other.ids);
        return new CpuSet(set);
    }

    /** By size, then by list. */
    @Override
    public int compareTo(CpuSet other) {
        return size() != other.size()
                ? Integer.compare(size(), other.size())
                : toString().compareTo(other.toString());
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof CpuSet that && ids.equals(that.ids);
    }

    @Override
    public int hashCode() {
        return ids.hashCode();
    }

    /** The kernel's notation: {@code 0-3,8}; empty for no CPU. */
    @JsonValue
    @Override
    public String toString() {
        StringBuilder list = new StringBuilder();
        for (int from = ids.nextSetBit(0); from >= 0; ) {
            int to = ids.nextClearBit(from) - 1;
            list.append(list.isEmpty() ? "" : ",").append(from).append(to > from ? "-" + to : "");
            from = ids.nextSetBit(to + 1);
        }
        return list.toString();
    }
}

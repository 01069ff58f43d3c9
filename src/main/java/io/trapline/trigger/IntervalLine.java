package io.trapline.trigger;

import static io.trapline.trigger.PlainScanner.ascii;

import java.util.Arrays;

/**
 * Reads and writes a {@link Reply.Interval} in the very form in which the trigger writes it. Readings are nearly all that
 * a trigger says and that a journal holds, and are worth a reader of their own: beside a measurement it takes the CPU for
 * a moment only, and of a million it is done in a second.
 */
public final class IntervalLine {
    private static final String TRIAL = "{\"type\":\"interval\",\"trial\":\"";
    private static final String SEQ = ",\"seq\":";
    private static final String NS = ",\"ns\":";
    private static final String READ_NS = ",\"readNs\":";
    private static final String OPS = ",\"ops\":[";
    private static final String END = "]}";

    private static final byte[] TRIAL_BYTES = ascii(TRIAL);
    private static final byte[] SEQ_BYTES = ascii(SEQ);
    private static final byte[] NS_BYTES = ascii(NS);
    private static final byte[] READ_NS_BYTES = ascii(READ_NS);
    private static final byte[] OPS_BYTES = ascii(OPS);
    private static final byte[] END_BYTES = ascii(END);
    private static final byte[] NEXT = ascii(",");

    private final PlainScanner scanner;
    private String trial = "";
    private long seq;
    private long ns;
    private long readNs;
    private long[] counters = new long[8];
    private int count;

    /** One that reads where the scanner is. */
    public IntervalLine(PlainScanner scanner) {
        this.scanner = scanner;
    }

    /** Passes over a reading; false when what is there is in any other form. */
    public boolean read() {
        if (!(scanner.literal(TRIAL_BYTES) && scanner.text() && scanner.literal(SEQ_BYTES) && scanner.number())) {
            return false;
        }
        trial = scanner.lastText();
        seq = scanner.lastNumber();
        if (!(scanner.literal(NS_BYTES) && scanner.number())) {
            return false;
        }
        ns = scanner.lastNumber();
        if (!(scanner.literal(READ_NS_BYTES) && scanner.number())) {
            return false;
        }
        readNs = scanner.lastNumber();
        return scanner.literal(OPS_BYTES) && readCounters() && scanner.literal(END_BYTES);
    }

    private boolean readCounters() {
        count = 0;
        do {
            if (!scanner.number()) {
                return false;
            }
            if (count == counters.length) {
                counters = Arrays.copyOf(counters, 2 * count);
            }
            counters[count++] = scanner.lastNumber();
        } while (scanner.literal(NEXT));
        return true;
    }

    /** The trial of the reading that was read last. */
    public String trial() {
        return trial;
    }

    /** All of it. */
    public Reply.Interval reading() {
        return new Reply.Interval(trial, seq, ns, readNs, Arrays.copyOf(counters, count));
    }

    /** Whether this text needs no escapes in JSON, and is ASCII. */
    public static boolean isPlain(String text) {
        return text.chars().allMatch(c -> c >= ' ' && c < 0x7f && c != '"' && c != '\\');
    }

    /** Appends a reading, of a trial with a plain name. */
    public static void write(Reply.Interval reading, StringBuilder out) {
        out.append(TRIAL).append(reading.trial()).append('"');
        out.append(SEQ).append(reading.seq());
        out.append(NS).append(reading.ns());
        out.append(READ_NS).append(reading.readNs());
        out.append(OPS);
        String before = "";
        for (long counter : reading.ops()) {
            out.append(before).append(counter);
            before = ",";
        }
        out.append(END);
    }
}

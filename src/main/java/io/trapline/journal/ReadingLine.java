package io.trapline.journal;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Recognises the line of a reading in the very form in which {@link JournalWriter} writes it, as nearly all lines are:
 * a general parser would spend several seconds on a million of them. A line in any other form is not recognised, which
 * is no error: it is then read as all other records are.
 */
final class ReadingLine {
    private static final byte[] BEGIN = ascii("{\"type\":\"said\",\"trial\":\"");
    private static final byte[] ATTEMPT = ascii(",\"attempt\":");
    private static final byte[] REPLY = ascii(",\"reply\":{\"type\":\"interval\",\"trial\":\"");
    private static final byte[] SEQ = ascii(",\"seq\":");
    private static final byte[] NS = ascii(",\"ns\":");
    private static final byte[] READ_NS = ascii(",\"readNs\":");
    private static final byte[] OPS = ascii(",\"ops\":[");
    private static final byte[] NEXT = ascii(",");
    private static final byte[] END = ascii("]}}");

    /** All numbers of as many digits fit a long. */
    private static final int DIGITS = 18;

    private byte[] line = new byte[0];
    private int at;
    private int end;

    /** The number that was recognised last. */
    private long number;

    /** The trial that was recognised last: readings come in rows, so it is mostly the next line's, too. */
    private byte[] trial = new byte[0];

    private String trialText = "";

    private long[] counters = new long[8];

    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    /** Adds the line's reading to the journal and returns true, or leaves the journal as it is. */
    boolean addTo(JournalBuilder journal, byte[] bytes, int from, int length) {
        line = bytes;
        at = from;
        end = from + length;
        if (!(literal(BEGIN) && trial())) {
            return false;
        }
        if (!(literal(ATTEMPT) && number())) {
            return false;
        }
        long attempt = number;
        if (!(literal(REPLY) && literal(trial) && literal(SEQ) && number())) {
            return false;
        }
        long seq = number;
        if (!(literal(NS) && number())) {
            return false;
        }
        long ns = number;
        if (!(literal(READ_NS) && number())) {
            return false;
        }
        long readNs = number;
        int count = literal(OPS) ? counters() : 0;
        if (count == 0 || !literal(END) || at != end || attempt > Integer.MAX_VALUE) {
            return false;
        }
        journal.attempt(trialText, (int) attempt).add(seq, ns, readNs, counters, count);
        return true;
    }

    /** How many numbers the list has; 0 when it is none. */
    private int counters() {
        int count = 0;
        do {
            if (!number()) {
                return 0;
            }
            if (count == counters.length) {
                counters = Arrays.copyOf(counters, 2 * count);
            }
            counters[count++] = number;
        } while (literal(NEXT));
        return count;
    }

    private boolean literal(byte[] expected) {
        if (end - at < expected.length
                || !Arrays.equals(line, at, at + expected.length, expected, 0, expected.length)) {
            return false;
        }
        at += expected.length;
        return true;
    }

    /** A text without escapes and its closing quote. */
    private boolean trial() {
        if (trial.length > 0 && literal(trial)) {
            return true;
        }
        int from = at;
        while (at < end && line[at] != '"') {
            if (line[at] == '\\' || (line[at] >= 0 && line[at] < ' ')) {
                return false;
            }
            at++;
        }
        if (at == end) {
            return false;
        }
        trialText = new String(line, from, at - from, StandardCharsets.UTF_8);
        at++;
        trial = Arrays.copyOfRange(line, from, at);
        return true;
    }

    private boolean number() {
        int from = at;
        long value = 0;
        while (at < end && line[at] >= '0' && line[at] <= '9') {
            value = 10 * value + (line[at] - '0');
            at++;
        }
        number = value;
        int digits = at - from;
        return digits >= 1 && digits <= DIGITS && (digits == 1 || line[from] != '0');
    }
}

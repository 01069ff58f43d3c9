package io.trapline.trigger;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Goes through a line of JSON that is expected to have a known form, byte by byte. Each method either passes over what it
 * names and returns true, or returns false; the line is then read by a general parser, which takes many times as long.
 */
public final class PlainScanner {
    /** All numbers of as many digits fit a long. */
    private static final int DIGITS = 18;

    private byte[] line = new byte[0];
    private int at;
    private int end;
    private long number;

    /** The text that was passed over last with its closing quote: lines come in rows, so it is mostly the next one, too. */
    private byte[] quoted = new byte[0];

    private String text = "";

    /** What {@link #literal} takes. */
    public static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    /** Begins with a line. */
    public void begin(byte[] bytes, int from, int length) {
        line = bytes;
        at = from;
        end = from + length;
    }

    /** Just these bytes. */
    public boolean literal(byte[] expected) {
        if (end - at < expected.length
                || !Arrays.equals(line, at, at + expected.length, expected, 0, expected.length)) {
            return false;
        }
        at += expected.length;
        return true;
    }

    /** A number without sign, fraction or exponent, of at most 18 digits. */
    public boolean number() {
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

    /** A text without escapes, whose opening quote was passed over, and its closing quote. */
    public boolean text() {
        if (quoted.length > 0 && literal(quoted)) {
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
        text = new String(line, from, at - from, StandardCharsets.UTF_8);
        at++;
        quoted = Arrays.copyOfRange(line, from, at);
        return true;
    }

    /** The number that was passed over last. */
    public long lastNumber() {
        return number;
    }

    /** The text that was passed over last. */
    public String lastText() {
        return text;
    }

    /** Whether the line ends here. */
    public boolean atEnd() {
        return at == end;
    }
}

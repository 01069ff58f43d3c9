package io.trapline.journal;

import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;

/** The lines of a file, one after the other in one buffer. A line is one once its newline is there. */
final class Lines implements Closeable {
    /** A record of 8192 CPUs takes less than 1 MiB. */
    private static final int LONGEST = 1 << 26;

    private final Path file;
    private final InputStream in;
    private byte[] buffer = new byte[1 << 18];
    private int from;
    private int length;

    /** Where the bytes that are no line yet begin and end. */
    private int next;

    private int end;
    private long number;

    private Lines(Path file, InputStream in) {
        this.file = file;
        this.in = in;
    }

    static Lines of(Path file) throws IOException {
        return new Lines(file, Files.newInputStream(file));
    }

    /** Goes on to the next line; false when there is none. */
    boolean next() throws IOException {
        int scanned = next;
        while (true) {
            for (int i = scanned; i < end; i++) {
                if (buffer[i] == '\n') {
                    from = next;
                    length = i - next;
                    next = i + 1;
                    number++;
                    return true;
                }
            }
            scanned = end - next;
            if (!fill()) {
                return false;
            }
        }
    }

    /** Moves the unfinished line to the front, and reads on. */
    private boolean fill() throws IOException {
        int unfinished = end - next;
        byte[] target = buffer;
        if (unfinished > buffer.length / 2) {
            if (buffer.length >= LONGEST) {
                throw new JournalException(file + ":" + (number + 1) + ": this line is longer than any record");
            }
            target = new byte[2 * buffer.length];
        }
        System.arraycopy(buffer, next, target, 0, unfinished);
        buffer = target;
        next = 0;
        end = unfinished;
        int count = in.read(buffer, end, buffer.length - end);
        end += Math.max(count, 0);
        return count > 0;
    }

    /** Holds the line in hand, until the next one. */
    byte[] bytes() {
        return buffer;
    }

    /** Where the line begins in {@link #bytes}. */
    int from() {
        return from;
    }

    /** Its length in bytes, without the newline. */
    int length() {
        return length;
    }

    /** Its number, from 1; 0 before the first. */
    long number() {
        return number;
    }

    /** After the last line: how many bytes follow it. */
    int rest() {
        return end - next;
    }

    @Override
    public void close() throws IOException {
        in.close();
    }
}

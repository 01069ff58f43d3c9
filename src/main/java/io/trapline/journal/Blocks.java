package io.trapline.journal;

import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Optional;

/** A file in blocks of whole lines. A line is one once its newline is there. */
final class Blocks implements Closeable {
    /** Some thousand records; large enough that handing a block over costs nothing beside reading it. */
    static final int SIZE = 1 << 20;

    /** A record of 8192 CPUs takes less than 1 MiB. */
    private static final int LONGEST_LINE = 1 << 26;

    private final InputStream in;

    /** What was read behind the last newline. */
    private byte[] rest = new byte[0];

    private Blocks(InputStream in) {
        this.in = in;
    }

    static Blocks of(Path file) throws IOException {
        return new Blocks(Files.newInputStream(file));
    }

    /**
     * The next lines; empty when there is no whole one any more.
     *
     * @throws TooLongException when the line that comes now is longer than any record
     */
    Optional<byte[]> next() throws IOException {
        while (rest.length <= LONGEST_LINE) {
            byte[] read = in.readNBytes(SIZE);
            byte[] all = Arrays.copyOf(rest, rest.length + read.length);
            System.arraycopy(read, 0, all, rest.length, read.length);
            int length = lastNewline(all, rest.length) + 1;
            rest = Arrays.copyOfRange(all, length, all.length);
            if (length > 0) {
                return Optional.of(Arrays.copyOf(all, length));
            }
            if (read.length == 0) {
                return Optional.empty();
            }
        }
        throw new TooLongException();
    }

    private static int lastNewline(byte[] bytes, int from) {
        int i = bytes.length - 1;
        while (i >= from && bytes[i] != '\n') {
            i--;
        }
        return i >= from ? i : -1;
    }

    /** After the last block: how many bytes follow it. */
    int rest() {
        return rest.length;
    }

    @Override
    public void close() throws IOException {
        in.close();
    }

    /** A line is longer than any record. */
    static final class TooLongException extends IOException {
        private static final long serialVersionUID = 1;
    }
}

package io.trapline.journal;

import com.fasterxml.jackson.databind.ObjectWriter;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.Optional;

/**
 * Appends records to a journal, one JSON object a line. A record is in the file when {@link #append} returns, and so
 * outlives this process, even when that is killed; it outlives the machine after {@link #sync}. At most one writer a
 * file, in all processes of a machine. Not for use by several threads at once.
 */
public final class JournalWriter implements Closeable {
    private static final ObjectWriter JSON = JournalJson.MAPPER.writerFor(JournalRecord.class);
    private static final int NEWLINE = '\n';

    private final Path file;
    private final FileChannel channel;
    private final Optional<String> mended;

    /** Where the last whole line ends. */
    private long end;

    /** Set once a write has failed: a journal with a hole in it would lie. */
    private boolean broken;

    private JournalWriter(Path file, FileChannel channel) throws IOException {
        this.file = file;
        this.channel = channel;
        this.end = wholeLines();
        long torn = channel.size() - end;
        if (torn > 0) {
            channel.truncate(end);
        }
        this.mended = torn > 0
                ? Optional.of(file + ": cut off " + torn + " bytes of a last line that was never finished")
                : Optional.empty();
        channel.position(end);
    }

    /**
     * Opens a journal, which is created if there is none. A last line that was never finished is cut off, see {@link
     * #mended}.
     *
     * @throws JournalException when another writer has it
     * @throws IOException naming the file
     */
    public static JournalWriter open(Path file) throws IOException {
        FileChannel channel;
        try {
            channel = FileChannel.open(
                    file, StandardOpenOption.READ, StandardOpenOption.WRITE, StandardOpenOption.CREATE);
        } catch (IOException e) {
            throw new IOException("the journal can't be opened for writing: " + Failure.of(file, e), e);
        }
        try {
            lock(file, channel);
            return new JournalWriter(file, channel);
        } catch (JournalException e) {
            channel.close();
            throw e;
        } catch (IOException e) {
            channel.close();
            throw new IOException("the journal can't be opened for writing: " + Failure.of(file, e), e);
        }
    }

    /** The lock belongs to the channel and ends with it, or with the process. */
    private static void lock(Path file, FileChannel channel) throws IOException {
        boolean locked;
        try {
            locked = channel.tryLock() != null;
        } catch (OverlappingFileLockException e) {
            locked = false;
        }
        if (!locked) {
            throw new JournalException(
                    file + " is being written by another run; wait for it or choose another output" + " directory");
        }
    }

    /** What was cut off when the file was opened, in words; empty when its last line was whole. */
    public Optional<String> mended() {
        return mended;
    }

    /** Whether the file holds no record yet. */
    public boolean isEmpty() {
        return end == 0;
    }

    /**
     * Adds a record.
     *
     * @throws IOException naming the file, when the disk is full or the like; then the file ends with the record
     *     before, and each later call fails too
     */
    public void append(JournalRecord entry) throws IOException {
        if (broken) {
            throw new IOException("the journal " + file + " is closed to records after a write that failed");
        }
        byte[] text = text(entry);
        byte[] line = Arrays.copyOf(text, text.length + 1);
        line[text.length] = NEWLINE;
        try {
            ByteBuffer rest = ByteBuffer.wrap(line);
            while (rest.hasRemaining()) {
                channel.write(rest);
            }
            end += line.length;
        } catch (IOException e) {
            broken = true;
            cutBack(e);
            throw new IOException("the journal can't be written: " + Failure.of(file, e), e);
        }
    }

    private static byte[] text(JournalRecord entry) throws IOException {
        Optional<byte[]> reading = ReadingLine.of(entry);
        return reading.isPresent() ? reading.get() : JSON.writeValueAsBytes(entry);
    }

    /** Best effort: a reader tolerates the torn line, too. */
    private void cutBack(IOException cause) {
        try {
            channel.truncate(end);
        } catch (IOException e) {
            cause.addSuppressed(e);
        }
    }

    /**
     * Returns when all records so far are on the disk.
     *
     * @throws IOException naming the file
     */
    public void sync() throws IOException {
        try {
            channel.force(false);
        } catch (IOException e) {
            broken = true;
            throw new IOException("the journal can't be written: " + Failure.of(file, e), e);
        }
    }

    /** Gives the file free for other writers. */
    @Override
    public void close() throws IOException {
        channel.close();
    }

    /** The position after the last newline. */
    private long wholeLines() throws IOException {
        ByteBuffer block = ByteBuffer.allocate(1 << 16);
        for (long to = channel.size(); to > 0; ) {
            long from = Math.max(0, to - block.capacity());
            block.clear().limit((int) (to - from));
            while (block.hasRemaining() && channel.read(block, from + block.position()) > 0) {}
            for (int i = block.position() - 1; i >= 0; i--) {
                if (block.get(i) == NEWLINE) {
                    return from + i + 1;
                }
            }
            to = from;
        }
        return 0;
    }
}

package io.trapline.cluster;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** A directory, or a file, that one process has to itself and that says whose it is. */
public final class Claim implements Closeable {
    private final FileChannel channel;

    private Claim(FileChannel channel) {
        this.channel = channel;
    }

    /**
     * Takes a file for as long as this process lives.
     *
     * @param what is claimed, for the message
     * @param owner what others are told who want it too
     * @throws IOException naming the owner when another process has it, or the file that can't be used
     */
    public static Claim take(Path file, String what, String owner) throws IOException {
        Files.createDirectories(file.toAbsolutePath().getParent());
        FileChannel channel =
                FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE);
        try {
            if (!lock(channel)) {
                throw new IOException(what + " is taken by " + read(channel) + " (" + file + ")");
            }
            channel.truncate(0);
            channel.write(ByteBuffer.wrap(owner.getBytes(StandardCharsets.UTF_8)), 0);
            return new Claim(channel);
        } catch (IOException e) {
            channel.close();
            throw e;
        }
    }

    private static boolean lock(FileChannel channel) throws IOException {
        try {
            return channel.tryLock() != null;
        } catch (OverlappingFileLockException e) {
            return false;
        }
    }

    private static String read(FileChannel channel) throws IOException {
        ByteBuffer text = ByteBuffer.allocate(1 << 10);
        channel.read(text, 0);
        return new String(text.array(), 0, text.position(), StandardCharsets.UTF_8).strip();
    }

    /** Gives it free. */
    @Override
    public void close() throws IOException {
        channel.close();
    }
}

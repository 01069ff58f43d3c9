package io.trapline.cluster;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;

/** A directory, or a file, that one process has to itself and that says whose it is. */
public final class Claim implements Closeable {
    /** Another process has it. */
    public static final class TakenException extends IOException {
        private static final long serialVersionUID = 1;

        TakenException(String message) {
            super(message);
        }
    }

    private final FileChannel channel;

    private Claim(FileChannel channel) {
        this.channel = channel;
    }

    /**
     * Takes a file for as long as this process lives.
     *
     * @param what is claimed, for the message
     * @param owner what others are told who want it too
     * @throws TakenException naming the owner, when another process has it
     * @throws IOException naming the file that can't be used
     */
    public static Claim take(Path file, String what, String owner) throws IOException {
        Files.createDirectories(file.toAbsolutePath().getParent());
        FileChannel channel;
        try {
            channel = open(file);
        } catch (FileSystemException e) {
            throw new IOException(
                    what + " can't be claimed: " + file + ": "
                            + Optional.ofNullable(e.getReason())
                                    .orElse(e.getClass().getSimpleName()),
                    e);
        }
        try {
            if (!lock(channel)) {
                throw new TakenException(what + " is taken by " + read(channel) + " (" + file + ")");
            }
            channel.truncate(0);
            channel.write(ByteBuffer.wrap(owner.getBytes(StandardCharsets.UTF_8)), 0);
            return new Claim(channel);
        } catch (IOException e) {
            channel.close();
            throw e;
        }
    }

    /**
     * Never a link's target, which somebody else may have chosen; and a file that is there is not opened as one to
     * create, which Linux refuses for another user's file in /tmp (fs.protected_regular).
     */
    private static FileChannel open(Path file) throws IOException {
        Set<OpenOption> options =
                new HashSet<>(Set.of(StandardOpenOption.READ, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS));
        if (Files.notExists(file, LinkOption.NOFOLLOW_LINKS)) {
            options.add(StandardOpenOption.CREATE);
        }
        return FileChannel.open(file, options);
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

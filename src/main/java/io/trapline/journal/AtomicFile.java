package io.trapline.journal;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;

/** Writes a file so that readers see the old content or the new one, never a part, whatever dies in between. */
public final class AtomicFile {
    private AtomicFile() {}

    /**
     * Writes beside the target, syncs, and renames.
     *
     * @throws IOException naming the file; the target is as it was
     */
    public static void write(Path target, byte[] content) throws IOException {
        Path aside = target.resolveSibling(target.getFileName() + "." + writer() + ".tmp");
        try {
            try (FileChannel channel = FileChannel.open(
                    aside, StandardOpenOption.WRITE, StandardOpenOption.CREATE, StandardOpenOption.TRUNCATE_EXISTING)) {
                ByteBuffer rest = ByteBuffer.wrap(content);
                while (rest.hasRemaining()) {
                    channel.write(rest);
                }
                channel.force(true);
            }
            Files.move(aside, target, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        } catch (IOException e) {
            IOException named = new IOException("the file can't be written: " + Failure.of(target, e), e);
            try {
                Files.deleteIfExists(aside);
            } catch (IOException left) {
                named.addSuppressed(left);
            }
            throw named;
        }
    }

    /** Two that write the same file at once, such as a server that ends and the one after it, write aside apart. */
    private static String writer() {
        return ProcessHandle.current().pid() + "-" + Thread.currentThread().getId();
    }
}

package io.trapline.tls;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/** Reads a file that holds a key, a certificate or a password. */
final class KeyFile {
    private KeyFile() {}

    /**
     * All of it.
     *
     * @throws IOException naming the file, and why it can't be read
     */
    static byte[] read(Path file) throws IOException {
        try {
            return Files.readAllBytes(file);
        } catch (NoSuchFileException e) {
            throw new IOException(file + " can't be read: there is no such file", e);
        } catch (AccessDeniedException e) {
            throw new IOException(file + " can't be read: it belongs to somebody else, see ls -l", e);
        } catch (IOException e) {
            throw new IOException(file + " can't be read: " + e.getMessage(), e);
        }
    }
}

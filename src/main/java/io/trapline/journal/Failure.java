package io.trapline.journal;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Optional;

/** Puts a failure of the file system into words, always with the file's name, which Java's own messages may lack. */
final class Failure {
    private Failure() {}

    static String of(Path file, IOException e) {
        if (e instanceof NoSuchFileException) {
            return file + ": no such file";
        }
        if (e instanceof AccessDeniedException) {
            return file + ": permission denied";
        }
        String reason = e instanceof FileSystemException f ? f.getReason() : e.getMessage();
        return file + ": " + Optional.ofNullable(reason).orElse(e.toString());
    }
}

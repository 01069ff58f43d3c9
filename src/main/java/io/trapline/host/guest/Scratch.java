package io.trapline.host.guest;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** Directories for files that are needed for a moment. */
final class Scratch {
    private Scratch() {}

    /**
     * Removes a directory and all in it. What can't be removed stays: what was done there is worth more than the order
     * that it leaves.
     */
    static void remove(Path directory) {
        try (Stream<Path> all = Files.walk(directory)) {
            List<Path> deepestFirst = all.sorted(Comparator.reverseOrder()).toList();
            for (Path path : deepestFirst) {
                Files.deleteIfExists(path);
            }
        } catch (IOException | UncheckedIOException e) {
            // The rest stays.
        }
    }
}

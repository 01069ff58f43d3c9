package io.trapline.cli;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * Which directory a run's files go to.
 *
 * @param given what the user said
 * @param resume whether an earlier run is meant
 */
record OutputChoice(Optional<Path> given, boolean resume) {
    private static final Path PARENT = Path.of("out");
    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("yyyyMMdd-HHmmss").withZone(ZoneOffset.UTC);

    /**
     * For a campaign of that name: the given one; for a new run {@code out/NAME-TIME} with the time in UTC, and to resume
     * the newest such.
     */
    Path directory(String campaign) throws IOException, CommandFailure {
        if (resume && given.isPresent() && !Files.isDirectory(given.get())) {
            throw new CommandFailure(
                    ExitCode.BAD_INPUT,
                    given.get() + ": there is no such directory to resume; start a run without --resume");
        }
        if (given.isPresent()) {
            return given.get();
        }
        return resume ? newest(campaign) : PARENT.resolve(campaign + "-" + TIME.format(Instant.now()));
    }

    private static Path newest(String campaign) throws IOException, CommandFailure {
        List<Path> runs = new ArrayList<>();
        if (Files.isDirectory(PARENT)) {
            try (DirectoryStream<Path> found = Files.newDirectoryStream(PARENT, campaign + "-[0-9]*-[0-9]*")) {
                found.forEach(runs::add);
            }
        }
        return runs.stream()
                .max(Comparator.comparing(Path::toString))
                .orElseThrow(() -> new CommandFailure(
                        ExitCode.BAD_INPUT,
                        "there is no run of " + campaign + " below " + PARENT
                                + "/ to resume; name its directory with --out, or start one without --resume"));
    }
}

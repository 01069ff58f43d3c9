package io.trapline.host.guest;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/** Runs other programs to their end, a deadline for each. */
final class Tool {
    private static final int SHOWN_LINES = 8;

    private Tool() {}

    /**
     * Runs a program.
     *
     * @return what it wrote, errors included
     * @throws GuestException when it can't be started, fails, or does not end in time, with its last lines
     */
    static String run(List<String> line, Path directory, Map<String, String> environment, Duration within)
            throws GuestException {
        return pipeline(List.of(line), directory, environment, within);
    }

    /** The same for programs that read each other's output; the last one's goes into the result. */
    static String pipeline(List<List<String>> lines, Path directory, Map<String, String> environment, Duration within)
            throws GuestException {
        String name = lines.get(0).get(0);
        try {
            Path log = Files.createTempFile(directory, "tool", ".log");
            try {
                List<ProcessBuilder> builders = lines.stream()
                        .map(line -> new ProcessBuilder(line).directory(directory.toFile()))
                        .collect(Collectors.toList());
                builders.forEach(b -> b.environment().putAll(environment));
                builders.forEach(b -> b.redirectError(ProcessBuilder.Redirect.appendTo(log.toFile())));
                builders.get(0)
                        .redirectInput(ProcessBuilder.Redirect.from(
                                Path.of("/dev/null").toFile()));
                builders.get(builders.size() - 1).redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()));
                await(ProcessBuilder.startPipeline(builders), lines, log, within);
                return Files.readString(log, StandardCharsets.UTF_8);
            } finally {
                Files.deleteIfExists(log);
            }
        } catch (IOException e) {
            throw new GuestException(name + ": " + e.getMessage());
        }
    }

    private static void await(List<Process> processes, List<List<String>> lines, Path log, Duration within)
            throws GuestException, IOException {
        long deadline = System.nanoTime() + within.toNanos();
        try {
            for (int i = 0; i < processes.size(); i++) {
                Process process = processes.get(i);
                boolean ended = process.waitFor(deadline - System.nanoTime(), TimeUnit.NANOSECONDS);
                if (!ended || process.exitValue() != 0) {
                    throw new GuestException("%s %s: %s"
                            .formatted(
                                    String.join(" ", lines.get(i)),
                                    ended
                                            ? "ended with status " + process.exitValue()
                                            : "did not end within " + within.toSeconds() + " s",
                                    LastLines.of(log, SHOWN_LINES)));
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new GuestException(lines.get(0).get(0) + ": interrupted");
        } finally {
            processes.forEach(Process::destroyForcibly);
        }
    }
}

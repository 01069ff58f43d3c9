package io.trapline.cli;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** The program in a JVM of its own, as a user's shell starts it: for tests that kill it. */
final class TraplineProcess implements AutoCloseable {
    /** Far above what anything here takes; a test that waits so long has failed. */
    private static final long DEADLINE_S = 60;

    private final Process process;
    private final BufferedReader err;
    private final List<String> errLines = new ArrayList<>();

    private TraplineProcess(Process process) {
        this.process = process;
        this.err = process.errorReader(StandardCharsets.UTF_8);
    }

    /** What a command ended with. */
    record Ended(int exitCode, List<String> err, String out) {
        String errText() {
            return String.join("\n", err);
        }
    }

    /** Starts {@code trapline ARGS} in that directory, behind a prefix such as {@code setpriv ...}. */
    static TraplineProcess start(Path directory, List<String> prefix, String... args) throws IOException {
        List<String> command = Stream.of(
                        prefix.stream(),
                        Stream.of(
                                Path.of(System.getProperty("java.home"), "bin", "java")
                                        .toString(),
                                "-XX:TieredStopAtLevel=1",
                                "-XX:+UseSerialGC",
                                // What is claimed there is free of runs that belong to no test.
                                "-Djava.io.tmpdir=" + directory,
                                "-Dtrapline.trigger=" + System.getProperty("trapline.trigger"),
                                "-cp",
                                System.getProperty("java.class.path"),
                                Main.class.getName()),
                        Arrays.stream(args))
                .flatMap(s -> s)
                .toList();
        ProcessBuilder builder = new ProcessBuilder(command).directory(directory.toFile());
        builder.redirectOutput(directory.resolve("stdout.txt").toFile());
        return new TraplineProcess(builder.start());
    }

    static TraplineProcess start(Path directory, String... args) throws IOException {
        return start(directory, List.of(), args);
    }

    /** Runs a command to its end. */
    static Ended run(Path directory, String... args) throws IOException, InterruptedException {
        try (TraplineProcess trapline = start(directory, args)) {
            return trapline.await(directory);
        }
    }

    /** Reads standard error until a line contains that text. */
    TraplineProcess awaitErr(String text) throws IOException {
        for (String line = err.readLine(); line != null; line = err.readLine()) {
            errLines.add(line);
            if (line.contains(text)) {
                return this;
            }
        }
        throw new AssertionError("ended without saying \"" + text + "\":\n" + String.join("\n", errLines));
    }

    /** The rest of standard error, the end, and what was printed. */
    Ended await(Path directory) throws IOException, InterruptedException {
        err.lines().forEach(errLines::add);
        if (!process.waitFor(DEADLINE_S, TimeUnit.SECONDS)) {
            throw new AssertionError("still running after " + DEADLINE_S + " s:\n" + String.join("\n", errLines));
        }
        String out = java.nio.file.Files.readString(directory.resolve("stdout.txt"));
        return new Ended(process.exitValue(), List.copyOf(errLines), out);
    }

    /** The trigger processes below it, children of triggers included. */
    List<ProcessHandle> triggers() {
        return process.descendants()
                .filter(p -> p.info().command().orElse("").endsWith("trapline-trigger"))
                .toList();
    }

    boolean isAlive() {
        return process.isAlive();
    }

    void signal(String name) throws IOException, InterruptedException {
        kill(name, process.pid());
    }

    /** By the shell's own command: a minimal Debian has no program of this name. */
    static void kill(String signal, long pid) throws IOException, InterruptedException {
        new ProcessBuilder("sh", "-c", "kill -" + signal + " " + pid)
                .inheritIO()
                .start()
                .waitFor();
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }
}

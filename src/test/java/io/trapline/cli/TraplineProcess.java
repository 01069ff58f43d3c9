package io.trapline.cli;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** The program in a JVM of its own, as a user's shell starts it: for tests that kill it. */
final class TraplineProcess implements AutoCloseable {
    /** Far above what anything here takes; a test that waits so long has failed. */
    private static final long DEADLINE_S = 120;

    private static final String END = "the end of standard error";

    private final Process process;
    private final BlockingQueue<String> unread = new LinkedBlockingQueue<>();
    private final List<String> errLines = new ArrayList<>();

    private TraplineProcess(Process process) {
        this.process = process;
        Thread reader = new Thread(this::readErr, "stderr-" + process.pid());
        reader.setDaemon(true);
        reader.start();
    }

    private void readErr() {
        try (BufferedReader err = process.errorReader(StandardCharsets.UTF_8)) {
            err.lines().forEach(unread::add);
        } catch (IOException | UncheckedIOException e) {
            unread.add(e.toString());
        }
        unread.add(END);
    }

    /** What a command ended with. */
    record Ended(int exitCode, List<String> err, String out) {
        String errText() {
            return String.join("\n", err);
        }
    }

    /**
     * Starts {@code trapline ARGS} in that directory.
     *
     * @param prefix what runs the JVM, such as {@code setpriv ...}
     * @param jvm options of the JVM, such as {@code -Dakka.cluster...}
     */
    static TraplineProcess start(Path directory, List<String> prefix, List<String> jvm, String... args)
            throws IOException {
        List<String> command = Stream.of(
                        prefix.stream(),
                        Stream.of(
                                Path.of(System.getProperty("java.home"), "bin", "java")
                                        .toString(),
                                "-XX:TieredStopAtLevel=1",
                                "-XX:+UseSerialGC",
                                // What is claimed there is free of runs that belong to no test.
                                "-Djava.io.tmpdir=" + directory,
                                "-Dtrapline.trigger=" + System.getProperty("trapline.trigger")),
                        jvm.stream(),
                        Stream.of("-cp", System.getProperty("java.class.path"), Main.class.getName()),
                        Arrays.stream(args))
                .flatMap(s -> s)
                .toList();
        ProcessBuilder builder = new ProcessBuilder(command).directory(directory.toFile());
        builder.redirectOutput(directory.resolve("stdout.txt").toFile());
        return new TraplineProcess(builder.start());
    }

    static TraplineProcess start(Path directory, List<String> prefix, String... args) throws IOException {
        return start(directory, prefix, List.of(), args);
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
    TraplineProcess awaitErr(String text) throws InterruptedException {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(DEADLINE_S);
        while (true) {
            String line = unread.poll(deadline - System.nanoTime(), TimeUnit.NANOSECONDS);
            if (line == null || line.equals(END)) {
                String how = line == null ? "not said within " + DEADLINE_S + " s: \"" : "ended without saying \"";
                throw new AssertionError(how + text + "\":\n" + String.join("\n", errLines));
            }
            errLines.add(line);
            if (line.contains(text)) {
                return this;
            }
        }
    }

    /** The rest of standard error, the end, and what was printed. */
    Ended await(Path directory) throws IOException, InterruptedException {
        if (!process.waitFor(DEADLINE_S, TimeUnit.SECONDS)) {
            throw new AssertionError("still running after " + DEADLINE_S + " s:\n" + said());
        }
        awaitRestOfErr();
        String out = Files.readString(directory.resolve("stdout.txt"));
        return new Ended(process.exitValue(), List.copyOf(errLines), out);
    }

    private void awaitRestOfErr() throws InterruptedException {
        for (String line = unread.poll(DEADLINE_S, TimeUnit.SECONDS);
                !END.equals(line);
                line = unread.poll(DEADLINE_S, TimeUnit.SECONDS)) {
            if (line == null) {
                throw new AssertionError(
                        "it has ended, but something still holds its standard error after " + DEADLINE_S + " s");
            }
            errLines.add(line);
        }
    }

    /** All of standard error so far. */
    String said() {
        unread.drainTo(errLines);
        return String.join("\n", errLines);
    }

    /** The trigger processes below it, children of triggers included. */
    List<ProcessHandle> triggers() {
        return process.descendants()
                .filter(p -> p.info().command().orElse("").endsWith("trapline-trigger"))
                .toList();
    }

    /** The guests below it. */
    List<ProcessHandle> guests() {
        return process.descendants()
                .filter(p -> p.info().command().orElse("").contains("qemu-system"))
                .toList();
    }

    /** Of those, the processes that do a trial's work. */
    List<ProcessHandle> load() {
        return triggers().stream()
                .filter(p -> p.parent().map(ProcessHandle::pid).orElse(0L) != process.pid())
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

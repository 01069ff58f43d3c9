package io.trapline.trigger;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * A running trigger: takes commands from any thread, and gives its replies in order to one listener from one thread.
 *
 * <p>That thread also starts the program, because the trigger asks the kernel to be killed when its parent dies
 * (PR_SET_PDEATHSIG), and to the kernel the parent is the thread that started it, not the process. So the thread lives
 * exactly as long as the program's output.
 */
public final class TriggerProcess implements Trigger, AutoCloseable {
    private static final int LONGEST_LINE = 16 << 20;
    private static final int LONGEST_WORDS = 4096;
    private static final Duration TO_START = Duration.ofSeconds(10);
    private static final Duration TO_END = Duration.ofSeconds(2);
    private static final Duration TO_DIE = Duration.ofSeconds(10);

    private final Process process;
    private final LastWords lastWords = new LastWords();
    private final Thread reader = Thread.currentThread();

    private TriggerProcess(Process process) {
        this.process = process;
    }

    /**
     * Starts the program.
     *
     * @param options such as {@code --root DIR}
     * @throws TriggerException when it is missing, may not be executed, is of another architecture, or does not start
     */
    public static TriggerProcess start(Path program, List<String> options, Listener listener) throws TriggerException {
        TriggerProgram.check(program);
        List<String> line = new ArrayList<>(List.of(program.toString()));
        line.addAll(options);
        CompletableFuture<TriggerProcess> started = new CompletableFuture<>();
        Thread thread = new Thread(() -> startAndRead(line, listener, started), "trigger");
        thread.setDaemon(true);
        thread.start();
        try {
            return started.get(TO_START.toMillis(), TimeUnit.MILLISECONDS);
        } catch (ExecutionException e) {
            throw new TriggerException(
                    program + ": does not start: " + e.getCause().getMessage());
        } catch (TimeoutException e) {
            throw giveUp(
                    started, TriggerException.late(program + ": did not start within " + TO_START.toSeconds() + " s"));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw giveUp(started, new TriggerException(program + ": interrupted while it started"));
        }
    }

    /** Gives the start up: a process that comes after all finds its place taken and is killed. */
    private static TriggerException giveUp(CompletableFuture<TriggerProcess> started, TriggerException reason) {
        started.completeExceptionally(reason);
        return reason;
    }

    private static void startAndRead(List<String> line, Listener listener, CompletableFuture<TriggerProcess> started) {
        TriggerProcess trigger;
        try {
            trigger = new TriggerProcess(new ProcessBuilder(line).start());
        } catch (IOException e) {
            started.completeExceptionally(e);
            return;
        }
        if (!started.complete(trigger)) {
            trigger.kill();
        }
        trigger.read(listener);
    }

    private void read(Listener listener) {
        Thread errors = new Thread(this::keepLastWords, "trigger-stderr");
        errors.setDaemon(true);
        errors.start();
        String complaint = "";
        ReplyReader replies = new ReplyReader();
        try (LineReader lines = new LineReader(process.getInputStream(), LONGEST_LINE)) {
            for (var line = lines.next(); line.isPresent(); line = lines.next()) {
                listener.said(replies.read(line.get()));
            }
        } catch (IOException | TriggerException e) {
            complaint = "wrote what is no reply: " + e.getMessage() + "; it was killed for that and ";
            signalKill();
        } finally {
            if (!awaitEnd(TO_END)) {
                kill();
            }
            join(errors);
            listener.ended(complaint + end() + lastWords);
        }
    }

    private void keepLastWords() {
        try (LineReader lines = new LineReader(process.getErrorStream(), LONGEST_WORDS)) {
            for (var line = lines.next(); line.isPresent(); line = lines.next()) {
                lastWords.add(line.get());
            }
        } catch (IOException e) {
            lastWords.add("(" + e.getMessage() + ")");
        }
    }

    @Override
    public synchronized void send(Command command) {
        try {
            OutputStream commands = process.getOutputStream();
            commands.write((command.line() + "\n").getBytes(StandardCharsets.UTF_8));
            commands.flush();
        } catch (IOException e) {
            lastWords.add("(" + command.line() + " could not be sent: " + e.getMessage() + ")");
        }
    }

    /** Its process id. */
    public long pid() {
        return process.pid();
    }

    @Override
    public boolean isAlive() {
        return process.toHandle().isAlive();
    }

    @Override
    public String lastWords() {
        return lastWords.toString();
    }

    /** Ends the program's input, which ends it and all that it has started; kills it if it does not obey in 2 s. */
    @Override
    public void close() {
        try {
            process.getOutputStream().close();
        } catch (IOException e) {
            lastWords.add("(its input could not be closed: " + e.getMessage() + ")");
        }
        if (!awaitEnd(TO_END)) {
            kill();
        }
        join(reader);
    }

    /** Kills the program and waits until it is gone, at most 10 s: the kernel takes its probes off first. */
    @Override
    public void kill() {
        signalKill();
        awaitEnd(TO_DIE);
        join(reader);
    }

    /** By its handle: {@link Process#destroyForcibly} would close its output too, with its last words. */
    private void signalKill() {
        process.toHandle().destroyForcibly();
    }

    private boolean awaitEnd(Duration patience) {
        try {
            return process.waitFor(patience.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    private static void join(Thread thread) {
        if (thread == Thread.currentThread()) {
            return;
        }
        try {
            thread.join(TO_END.toMillis());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private String end() {
        return process.isAlive() ? "it does not die" : ExitStatus.describe(process.exitValue());
    }
}

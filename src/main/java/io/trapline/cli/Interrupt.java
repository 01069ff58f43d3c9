package io.trapline.cli;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Lets SIGINT and SIGTERM end a run in good order: the run is cancelled, the command goes on to its partial report, and
 * only then does the JVM end, with the command's exit code in place of the signal's.
 */
final class Interrupt {
    /** A person who pressed Ctrl-C waits two seconds at most. */
    private static final long PATIENCE_MS = 1800;

    private final CompletableFuture<ExitCode> outcome = new CompletableFuture<>();
    private final Thread hook;

    private Interrupt(Runnable cancel) {
        this.hook = new Thread(() -> onSignal(cancel), "interrupt");
    }

    /** Watches from now on. */
    static Interrupt watch(Runnable cancel) {
        Interrupt interrupt = new Interrupt(cancel);
        Runtime.getRuntime().addShutdownHook(interrupt.hook);
        return interrupt;
    }

    /** The command is done with all that it had to do and ends so. */
    void done(ExitCode code) {
        outcome.complete(code);
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException alreadyEnding) {
            // The hook has its answer now and ends the JVM.
        }
    }

    private void onSignal(Runnable cancel) {
        cancel.run();
        ExitCode code = ExitCode.INCOMPLETE;
        try {
            code = outcome.get(PATIENCE_MS, TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
            System.err.println("trapline: the run did not stop within " + PATIENCE_MS
                    + " ms; what was measured is in its journal, see trapline report");
        } catch (InterruptedException | ExecutionException e) {
            Thread.currentThread().interrupt();
        }
        Runtime.getRuntime().halt(code.code());
    }
}

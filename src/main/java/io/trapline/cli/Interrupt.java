package io.trapline.cli;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Lets SIGINT and SIGTERM end a run in good order: the run is cancelled, the command goes on to its partial report, and
 * only then does the JVM end, with the command's exit code in place of the signal's.
 */
final class Interrupt {
    /** A person who pressed Ctrl-C waits two seconds at most for the run to stop. */
    private static final long TO_STOP_MS = 1800;

    /** What a report of a very long journal may take after that. */
    private static final long TO_REPORT_MS = 20_000;

    private final CompletableFuture<ExitCode> outcome = new CompletableFuture<>();
    private final Thread hook;

    private Interrupt(Runnable cancel, Future<?> stopped) {
        this.hook = new Thread(() -> onSignal(cancel, stopped), "interrupt");
    }

    /**
     * Watches from now on.
     *
     * @param cancel ends the run
     * @param stopped is done when it has ended and all that was measured is on disk
     */
    static Interrupt watch(Runnable cancel, Future<?> stopped) {
        Interrupt interrupt = new Interrupt(cancel, stopped);
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

    private void onSignal(Runnable cancel, Future<?> stopped) {
        cancel.run();
        ExitCode code = ExitCode.INCOMPLETE;
        try {
            stopped.get(TO_STOP_MS, TimeUnit.MILLISECONDS);
            code = outcome.get(TO_REPORT_MS, TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
            System.err.println("trapline: " + (stopped.isDone() ? "the report was not written" : "the run did not stop")
                    + " in time; what was measured is in its journal, see trapline report");
        } catch (InterruptedException | ExecutionException e) {
            Thread.currentThread().interrupt();
        }
        Runtime.getRuntime().halt(code.code());
    }
}

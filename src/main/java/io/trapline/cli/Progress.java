package io.trapline.cli;

import io.trapline.cluster.RunEvent;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.Locale;
import java.util.OptionalInt;

/**
 * What a person sees while a campaign runs, on standard error: one live line on a terminal, a plain line a trial
 * elsewhere.
 */
final class Progress {
    private static final String CLEAR = "\r\033[K";

    private final PrintWriter err;
    private final OptionalInt columns;
    private int toRun;
    private String trial = "";
    private Duration left = Duration.ZERO;
    private String rate = "";

    /**
     * @param columns the terminal's width; empty when standard error is none
     */
    Progress(PrintWriter err, OptionalInt columns) {
        this.err = err;
        this.columns = columns;
    }

    /** Shows what happened. */
    void on(RunEvent event) {
        if (event instanceof RunEvent.Accepted accepted) {
            toRun = accepted.toRun();
            say(toRun + " trials to run, " + (accepted.plan().trials().size() - toRun) + " measured before");
        } else if (event instanceof RunEvent.TrialBegun begun) {
            trial = String.format(
                    Locale.ROOT,
                    "trial %d of %d: %s%s",
                    begun.number(),
                    toRun,
                    PlanText.cell(begun.cell()),
                    begun.attempt() > 1 ? ", attempt " + begun.attempt() : "");
            left = begun.left();
            rate = "";
            live();
        } else if (event instanceof RunEvent.Rate read) {
            rate = String.format(Locale.ROOT, "%.3fM/s", read.opsPerSecond() / 1e6);
            live();
        } else if (event instanceof RunEvent.TrialEnded ended) {
            onEnded(ended);
        } else if (event instanceof RunEvent.Finished && columns.isPresent()) {
            err.print(CLEAR);
            err.flush();
        }
    }

    private void onEnded(RunEvent.TrialEnded ended) {
        if (ended.failure().isPresent()) {
            say(trial + ": " + ended.failure().get() + (ended.again() ? "; it is repeated" : ""));
        } else if (columns.isEmpty()) {
            say(trial + ": " + rate);
        }
    }

    private void live() {
        if (columns.isPresent()) {
            String line = trial + "  " + rate + "  " + PlanText.clock(left) + " left";
            int width = Math.max(20, columns.getAsInt() - 1);
            err.print(CLEAR + (line.length() > width ? line.substring(0, width) : line));
            err.flush();
        }
    }

    private void say(String line) {
        err.println((columns.isPresent() ? CLEAR : "") + line);
        err.flush();
    }
}

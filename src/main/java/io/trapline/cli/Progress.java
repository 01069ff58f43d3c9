package io.trapline.cli;

import io.trapline.cluster.RunEvent;
import java.io.PrintWriter;
import java.util.Locale;
import java.util.OptionalInt;
import java.util.Set;

/**
 * What a person sees while a campaign runs, on standard error: one live line on a terminal, a plain line a trial
 * elsewhere.
 */
final class Progress {
    private static final String CLEAR = "\r\033[K";

    private final PrintWriter err;
    private final OptionalInt columns;
    private int toRun;
    private String number = "";
    private String what = "";
    private String left = "";

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
            onAccepted(accepted);
        } else if (event instanceof RunEvent.TrialBegun begun) {
            number = begun.number() + "/" + toRun;
            what = PlanText.cell(begun.cell()) + (begun.attempt() > 1 ? ", attempt " + begun.attempt() : "");
            left = PlanText.clock(begun.left()) + " left";
            live("");
        } else if (event instanceof RunEvent.Rate read) {
            live(rate(read.opsPerSecond()));
        } else if (event instanceof RunEvent.TrialEnded ended) {
            onEnded(ended);
        } else if (event instanceof RunEvent.Finished && columns.isPresent()) {
            err.print(CLEAR);
            err.flush();
        }
    }

    private void onAccepted(RunEvent.Accepted accepted) {
        toRun = accepted.toRun();
        new PlanText(accepted.plan(), Set.of()).notMeasured().forEach(this::say);
        say(toRun + " trials to run, " + (accepted.plan().trials().size() - toRun) + " measured before");
    }

    private void onEnded(RunEvent.TrialEnded ended) {
        String trial = "trial " + number + ": " + what + ": ";
        if (ended.failure().isPresent()) {
            say(trial + ended.failure().get() + (ended.again() ? "; it is repeated" : ""));
        } else if (columns.isEmpty()) {
            say(trial + rate(ended.opsPerSecond().orElse(Double.NaN)));
        }
    }

    private static String rate(double opsPerSecond) {
        return String.format(Locale.ROOT, "%.3fM/s", opsPerSecond / 1e6);
    }

    /** What changes comes first: a narrow terminal cuts the end. */
    private void live(String rate) {
        if (columns.isPresent()) {
            String line = String.format(Locale.ROOT, "%s  %-11s %s  %s", number, rate, left, what);
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

package io.trapline.cli;

import io.trapline.host.HostProfile;
import io.trapline.http.ApiEvent;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.function.LongSupplier;

/**
 * What a person sees while a campaign runs, here or at a coordinator, on standard error: one live line on a terminal, a
 * plain line a trial elsewhere.
 */
final class Progress {
    private static final String CLEAR = "\r\033[K";

    private final PrintWriter err;
    private final OptionalInt columns;
    private final boolean manyHosts;
    private final List<HostProfile> hosts;
    private final Map<String, InHand> inHand = new HashMap<>();
    private int toRun;
    private final TimeLeft left;

    /** Of the trial before, until the one in hand has one: the line is to show one at any time. */
    private String lastRate = "";

    /**
     * A trial that is being measured: which of all, and what it is.
     *
     * @param host where, if its host is known here
     */
    private record InHand(String number, String what, Optional<HostProfile> host) {
        /** A rate as people know it; where the clock counts instructions those, since a time would be none. */
        String rate(double opsPerSecond) {
            OptionalDouble counted =
                    host.map(h -> h.instructionsPerOperation(opsPerSecond)).orElse(OptionalDouble.empty());
            return counted.isPresent()
                    ? String.format(Locale.ROOT, "%.1f instructions/op", counted.getAsDouble())
                    : String.format(Locale.ROOT, "%.3fM/s", opsPerSecond / 1e6);
        }
    }

    /**
     * @param columns the terminal's width; empty when standard error is none
     * @param manyHosts whether it is of interest where a trial runs
     * @param hosts those that this process opened
     */
    Progress(PrintWriter err, OptionalInt columns, boolean manyHosts, List<HostProfile> hosts) {
        this(err, columns, manyHosts, hosts, System::nanoTime);
    }

    /** The same by another clock. */
    Progress(PrintWriter err, OptionalInt columns, boolean manyHosts, List<HostProfile> hosts, LongSupplier nanos) {
        this.left = new TimeLeft(nanos);
        this.err = err;
        this.columns = columns;
        this.manyHosts = manyHosts;
        this.hosts = List.copyOf(hosts);
    }

    /** Shows what happened. */
    void on(ApiEvent event) {
        if (event instanceof ApiEvent.Accepted accepted) {
            toRun = accepted.toRun();
            PlanText.notMeasured(accepted.unmeasured()).forEach(this::say);
            say(toRun + " trials to run, " + (accepted.planned() - toRun) + " measured before");
        } else if (event instanceof ApiEvent.TrialBegun begun) {
            onBegun(begun);
        } else if (event instanceof ApiEvent.Rate read) {
            InHand trial = inHand(read.trial());
            lastRate = trial.rate(read.opsPerSecond());
            live(trial, lastRate);
        } else if (event instanceof ApiEvent.TrialEnded ended) {
            onEnded(ended);
        } else if (columns.isPresent()) {
            err.print(CLEAR);
            err.flush();
        }
    }

    /** Shows a line that is of interest by itself. */
    void say(String line) {
        err.println((columns.isPresent() ? CLEAR : "") + line);
        err.flush();
    }

    private void onBegun(ApiEvent.TrialBegun begun) {
        String where = manyHosts ? " on " + begun.cell().host() : "";
        String again = begun.attempt() > 1 ? ", attempt " + begun.attempt() : "";
        Optional<HostProfile> host =
                hosts.stream().filter(h -> h.name().equals(begun.cell().host())).findFirst();
        InHand trial = new InHand(begun.number() + "/" + toRun, PlanText.cell(begun.cell()) + where + again, host);
        inHand.put(begun.trial(), trial);
        left.begin(Duration.ofMillis(begun.leftMs()), toRun - begun.number() + 1);
        live(trial, lastRate.isEmpty() ? "" : "(" + lastRate + ")");
    }

    private void onEnded(ApiEvent.TrialEnded ended) {
        InHand of = inHand(ended.trial());
        inHand.remove(ended.trial());
        String trial = "trial " + of.number() + ": " + of.what() + ": ";
        if (ended.failure().isPresent()) {
            say(trial + ended.failure().get() + (ended.again() ? "; it is repeated" : ""));
        } else if (columns.isEmpty()) {
            say(trial + of.rate(ended.opsPerSecond().orElse(Double.NaN)));
        }
    }

    /** Whoever begins to follow in the middle of a trial has not heard what it is. */
    private InHand inHand(String trial) {
        return inHand.getOrDefault(trial, new InHand("?/" + toRun, trial, Optional.empty()));
    }

    /** What changes comes first: a narrow terminal cuts the end. */
    private void live(InHand trial, String rate) {
        if (columns.isPresent()) {
            String line = String.format(
                    Locale.ROOT,
                    "%s  %-11s %s left  %s",
                    trial.number(),
                    rate,
                    PlanText.clock(left.now()),
                    trial.what());
            int width = Math.max(20, columns.getAsInt() - 1);
            err.print(CLEAR + (line.length() > width ? line.substring(0, width) : line));
            err.flush();
        }
    }
}

package io.trapline.cli;

import io.trapline.campaign.Cell;
import io.trapline.campaign.Plan;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** A plan in words, for {@code run --dry-run}. */
record PlanText(Plan plan) {
    /**
     * What lies between two trials besides warm-up and measuring: attaching, pinning, putting the journal on disk.
     * Measured: 60 to 80 ms on two CPUs of a virtual machine; see the wall-time line at the end of any run.
     */
    private static final Duration BETWEEN = Duration.ofMillis(80);

    List<String> lines() {
        List<String> lines = new ArrayList<>();
        for (Plan.Trial trial : plan.trials()) {
            lines.add(String.format(
                    Locale.ROOT,
                    "%s  round %d  %s  %s",
                    trial.id(),
                    trial.round(),
                    cell(trial.cell()),
                    clock(trial.spec().timing().total())));
        }
        for (Plan.Unmeasured unmeasured : plan.unmeasured()) {
            lines.add("not measured: " + cell(unmeasured.cell()) + ": " + unmeasured.reason());
        }
        Duration all = plan.measuring().plus(BETWEEN.multipliedBy(plan.trials().size()));
        lines.add(String.format(
                Locale.ROOT,
                "%d trials, %s of warm-up and measuring, about %s in all",
                plan.trials().size(),
                clock(plan.measuring()),
                clock(all)));
        return lines;
    }

    /** A cell in a line's middle: path, workload, model, CPUs, host. */
    static String cell(Cell cell) {
        return String.format(
                Locale.ROOT,
                "%s %s %s, %d cpus (%s) on %s",
                cell.path(),
                cell.workload().name(),
                cell.model().spelling(),
                cell.cpus().size(),
                cell.cpus(),
                cell.host());
    }

    /** A duration as people say it: 45.6s, 3m05s, 2h10m. */
    static String clock(Duration duration) {
        long seconds = duration.toSeconds();
        if (seconds < 60) {
            return String.format(Locale.ROOT, "%.1fs", duration.toMillis() / 1000.0);
        }
        return seconds < 3600
                ? String.format(Locale.ROOT, "%dm%02ds", seconds / 60, seconds % 60)
                : String.format(Locale.ROOT, "%dh%02dm", seconds / 3600, seconds / 60 % 60);
    }
}

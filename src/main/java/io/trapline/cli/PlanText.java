package io.trapline.cli;

import io.trapline.campaign.Plan;
import io.trapline.http.ApiEvent;
import io.trapline.http.CellName;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/**
 * A plan in words.
 *
 * @param done trials that were measured before, which are left out
 */
record PlanText(Plan plan, Set<String> done) {
    /**
     * What lies between two trials besides warm-up and measuring: attaching and detaching, pinning, putting the journal
     * on disk. Medians of conf/quick.yaml on two CPUs of a virtual machine, Linux 6.18: 111 ms after a trial with a
     * probe, 9 ms after another. They are the differences of the {@code begun} records of any journal, less 1.1 s.
     */
    private static final Duration BETWEEN_PROBES = Duration.ofMillis(111);

    private static final Duration BETWEEN_OTHERS = Duration.ofMillis(9);

    /** The whole plan, for {@code run --dry-run}. */
    List<String> lines() {
        List<String> lines = new ArrayList<>(notMeasured(
                plan.unmeasured().stream().map(ApiEvent.Unmeasured::of).toList()));
        plan.clipped().forEach(clipped -> lines.add(clipped.inWords()));
        List<Plan.Trial> trials = plan.trials().stream()
                .filter(trial -> !done.contains(trial.id()))
                .toList();
        Duration measuring = Duration.ZERO;
        Duration between = Duration.ZERO;
        for (Plan.Trial trial : trials) {
            Duration total = trial.spec().timing().total();
            measuring = measuring.plus(total);
            between = between.plus(trial.cell().workload().kind().isProbe() ? BETWEEN_PROBES : BETWEEN_OTHERS);
            lines.add(String.format(
                    Locale.ROOT,
                    "%s  round %d  %s on %s  %s",
                    trial.id(),
                    trial.round(),
                    cell(CellName.of(trial.cell())),
                    trial.cell().host(),
                    clock(total)));
        }
        lines.add(String.format(
                Locale.ROOT,
                "%d trials%s, %s of warm-up and measuring, about %s in all",
                trials.size(),
                done.isEmpty() ? "" : " (" + done.size() + " measured before)",
                clock(measuring),
                clock(measuring.plus(between))));
        return lines;
    }

    /** What can't be measured, a line for each reason, with the workloads that it keeps out. */
    static List<String> notMeasured(List<ApiEvent.Unmeasured> cells) {
        Map<String, Set<String>> byReason = new LinkedHashMap<>();
        for (ApiEvent.Unmeasured unmeasured : cells) {
            byReason.computeIfAbsent(unmeasured.reason(), reason -> new LinkedHashSet<>())
                    .add(unmeasured.cell().workload() + " on "
                            + unmeasured.cell().host());
        }
        return byReason.entrySet().stream()
                .map(e -> "not measured: " + String.join(", ", e.getValue()) + ": " + e.getKey())
                .toList();
    }

    /** A cell in a line's middle: path, workload, model, CPUs. */
    static String cell(CellName cell) {
        return String.format(
                Locale.ROOT,
                "%s %s %s, %d %s (%s)",
                cell.path(),
                cell.workload(),
                cell.model(),
                cell.cpus(),
                cell.cpus() == 1 ? "CPU" : "CPUs",
                cell.cpuList());
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

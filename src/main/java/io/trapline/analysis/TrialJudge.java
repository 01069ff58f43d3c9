package io.trapline.analysis;

import io.trapline.host.HostProfile;
import io.trapline.journal.Journal;
import io.trapline.journal.Readings;
import io.trapline.trigger.Reply;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/** Judges trials: which attempt counts, and whether it proves anything. */
final class TrialJudge {
    private final Journal journal;
    private final Map<String, HostProfile> hosts = new HashMap<>();

    TrialJudge(Journal journal) {
        this.journal = journal;
        journal.hosts().forEach(h -> hosts.put(h.name(), h));
    }

    TrialResult judge(Journal.Trial trial) {
        Optional<Journal.Attempt> counted = trial.counted();
        List<String> discarded = trial.attempts().stream()
                .filter(a -> counted.isEmpty() || counted.get().number() != a.number())
                .map(a -> "attempt " + a.number() + " " + whatBecameOf(trial, a))
                .toList();
        if (counted.isEmpty()) {
            List<String> reasons = discarded.isEmpty()
                    ? List.of("it was never begun")
                    : discarded.subList(discarded.size() - 1, discarded.size());
            return new TrialResult(trial.planned(), Verdict.INCOMPLETE, reasons, discarded, Optional.empty());
        }
        List<String> reasons = reasons(trial, counted.get());
        return reasons.isEmpty()
                ? new TrialResult(
                        trial.planned(),
                        Verdict.VALID,
                        reasons,
                        discarded,
                        Optional.of(measured(counted.get(), isCounted(trial))))
                : new TrialResult(trial.planned(), Verdict.INVALID, reasons, discarded, Optional.empty());
    }

    private List<String> reasons(Journal.Trial trial, Journal.Attempt attempt) {
        String host = trial.planned().cell().host();
        List<String> reasons = new ArrayList<>(otherKernel(attempt, host));
        reasons.addAll(TrialCheck.reasons(
                trial.planned().cell(),
                attempt,
                journal.run().timing().intervals(),
                Optional.ofNullable(hosts.get(host))));
        return reasons;
    }

    /** A machine that was booted anew between a run and its resumption may not run the same kernel any more. */
    private List<String> otherKernel(Journal.Attempt attempt, String host) {
        Optional<HostProfile> then = journal.sessions().get(attempt.session()).hosts().stream()
                .filter(h -> h.name().equals(host))
                .findFirst();
        Optional<HostProfile> now = Optional.ofNullable(hosts.get(host));
        return then.isEmpty() || then.map(HostProfile::kernel).equals(now.map(HostProfile::kernel))
                ? List.of()
                : List.of("it ran on " + kernel(then) + "; later trials of the host ran on " + kernel(now));
    }

    private static String kernel(Optional<HostProfile> host) {
        return host.map(h -> h.kernel().release() + " " + h.kernel().version()).orElse("an unknown kernel");
    }

    private String whatBecameOf(Journal.Trial trial, Journal.Attempt attempt) {
        if (attempt.complete()) {
            List<String> reasons = reasons(trial, attempt);
            return reasons.isEmpty() ? "was measured again" : "was invalid: " + String.join("; ", reasons);
        }
        if (attempt.failed().isPresent()) {
            Reply.Failed failed = attempt.failed().get();
            return "failed: " + failed.call() + ": " + failed.error()
                    + failed.fix().map(f -> "; " + f).orElse("");
        }
        if (attempt.lost().isPresent()) {
            return "was lost: " + attempt.lost().get().reason();
        }
        return attempt.done().isPresent() ? "was stopped early" : "has no end in the journal";
    }

    private boolean isCounted(Journal.Trial trial) {
        return Optional.ofNullable(hosts.get(trial.planned().cell().host()))
                .filter(HostProfile::countsInstructions)
                .isPresent();
    }

    private static TrialResult.Measured measured(Journal.Attempt attempt, boolean counted) {
        Readings readings = attempt.readings();
        double[] rates = IntervalRates.of(readings);
        long slowest = 0;
        for (int i = 0; i < readings.size(); i++) {
            slowest = Math.max(slowest, readings.readNs(i));
        }
        OptionalLong start = attempt.started().stream()
                .mapToLong(s -> s.lastNs() - s.firstNs())
                .findFirst();
        return new TrialResult.Measured(
                attempt.number(),
                counted ? IntervalRates.middle(rates) : IntervalRates.overall(readings),
                Summary.of(rates),
                slowest,
                start,
                attempt.ready().orElseThrow(),
                attempt.done().orElseThrow());
    }
}

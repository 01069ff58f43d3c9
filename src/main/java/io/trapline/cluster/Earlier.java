package io.trapline.cluster;

import io.trapline.analysis.Analysis;
import io.trapline.campaign.Cell;
import io.trapline.campaign.Plan;
import io.trapline.host.HostProfile;
import io.trapline.journal.Journal;
import io.trapline.journal.JournalRecord;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * What an earlier part of the same run left.
 *
 * @param planned the cell of each trial
 * @param done trials with a valid result
 * @param attempts the highest attempt of each trial that was begun
 * @param hosts those of the earlier part
 * @param told the attempts that were begun, and how much was said of each
 */
public record Earlier(
        Map<String, Cell> planned,
        Set<String> done,
        Map<String, Integer> attempts,
        List<HostProfile> hosts,
        List<Told> told) {
    /** Of a run that begins. */
    public static final Earlier NOTHING = new Earlier(Map.of(), Set.of(), Map.of(), List.of(), List.of());

    public Earlier {
        planned = Map.copyOf(planned);
        done = Set.copyOf(done);
        attempts = Map.copyOf(attempts);
        hosts = List.copyOf(hosts);
        told = List.copyOf(told);
    }

    /**
     * An attempt that was begun.
     *
     * @param worker the incarnation of its worker
     * @param records how many records of it are there
     */
    public record Told(Attempt attempt, String worker, long records) {
        static Told of(String trial, Journal.Attempt attempt) {
            long words = Stream.of(attempt.ready(), attempt.started(), attempt.done(), attempt.failed())
                    .filter(Optional::isPresent)
                    .count();
            return new Told(
                    new Attempt(trial, attempt.number()),
                    attempt.begun().map(JournalRecord.Begun::worker).orElse(""),
                    words + attempt.readings().size());
        }
    }

    /** What that journal holds. */
    public static Earlier of(Journal journal) {
        Map<String, Cell> planned = new LinkedHashMap<>();
        Map<String, Integer> attempts = new LinkedHashMap<>();
        List<Told> told = new ArrayList<>();
        for (Journal.Trial trial : journal.trials()) {
            String id = trial.planned().trial();
            planned.put(id, trial.planned().cell());
            for (Journal.Attempt attempt : trial.attempts()) {
                attempts.merge(id, attempt.number(), Math::max);
                told.add(Told.of(id, attempt));
            }
        }
        return new Earlier(planned, Analysis.validTrials(journal), attempts, journal.hosts(), told);
    }

    /**
     * Why a run can't go on on these hosts, a line each; empty when it can: a host that runs another kernel than before,
     * or a trial that means another cell, because the host's CPUs have changed.
     */
    List<String> differences(Plan plan, List<HostProfile> now) {
        return Stream.concat(now.stream().flatMap(this::otherKernel), otherCell(plan).stream())
                .map(difference -> difference + "; start a new run (without --resume)")
                .toList();
    }

    private Stream<String> otherKernel(HostProfile host) {
        return hosts.stream()
                .filter(before -> before.name().equals(host.name()))
                .map(before -> changed(before, host))
                .filter(change -> !change.isEmpty())
                .map(change -> "host " + host.name() + " " + change);
    }

    /** What of a host is not as it was, in words that follow its name; empty when a run can go on there. */
    static String changed(HostProfile before, HostProfile now) {
        boolean sameKernel = now.kernel().release().equals(before.kernel().release())
                && now.kernel().version().equals(before.kernel().version());
        if (!sameKernel) {
            return "runs Linux " + kernel(now) + ", and ran " + kernel(before) + " when this run began";
        }
        return guest(now).equals(guest(before))
                ? ""
                : "was booted " + guest(now) + ", and " + guest(before) + " when this run began";
    }

    /** What of a guest is part of all figures, and not in its kernel's own words; a rebuilt kernel may keep those. */
    private static String guest(HostProfile host) {
        return host.guest()
                .map(g -> "under " + g.accelerator().spelling()
                        + g.kernel()
                                .map(k -> " from " + k.asked() + " with SHA-256 " + k.sha256())
                                .orElse(""))
                .orElse("");
    }

    private Optional<String> otherCell(Plan plan) {
        return plan.trials().stream()
                .filter(trial -> planned.containsKey(trial.id())
                        && !planned.get(trial.id()).equals(trial.cell()))
                .findFirst()
                .map(trial -> "trial " + trial.id() + " is " + trial.cell() + " now, and was " + planned.get(trial.id())
                        + " when this run began");
    }

    private static String kernel(HostProfile host) {
        return host.kernel().release() + " (" + host.kernel().version() + ")";
    }
}

package io.trapline.cluster;

import io.trapline.campaign.Campaign.OnLoss;
import io.trapline.campaign.Campaign.Together;
import io.trapline.campaign.Plan;
import io.trapline.host.HostProfile;
import io.trapline.journal.JournalRecord;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What a run is made of.
 *
 * @param header the journal's first line of this part
 * @param together whether its hosts run each trial at one moment
 * @param deadline how long it may take
 * @param hosts those that the plan is for
 * @param untilBack what a host has whose worker was lost, until its trials are given up
 * @param workers the incarnation of the worker of each host that is there
 */
record RunSetup(
        JournalRecord.Run header,
        Plan plan,
        Optional<Together> together,
        OnLoss onLoss,
        Optional<Duration> deadline,
        Duration untilBack,
        List<HostProfile> hosts,
        Map<String, String> workers,
        Earlier earlier) {

    private static final String TOGETHER = "all hosts";

    /** Where a host is: of the hosts of one site, one at a time runs a trial. Hosts that run together are one. */
    String site(String name) {
        return together.isPresent()
                ? TOGETHER
                : host(name).map(HostProfile::site).orElse(name);
    }

    /** The joint trials of the plan. */
    List<JournalRecord.Joint> joints() {
        Map<String, List<String>> trials = new LinkedHashMap<>();
        plan.trials()
                .forEach(trial -> trial.joint()
                        .ifPresent(joint -> trials.computeIfAbsent(joint, j -> new ArrayList<>())
                                .add(trial.id())));
        long limit = together.map(t -> t.skew().toNanos()).orElse(0L);
        return trials.entrySet().stream()
                .map(e -> new JournalRecord.Joint(e.getKey(), e.getValue(), limit, onLoss.spelling()))
                .toList();
    }

    /** What a host is; empty when the plan is not for it. */
    Optional<HostProfile> host(String name) {
        return hosts.stream().filter(h -> h.name().equals(name)).findFirst();
    }
}

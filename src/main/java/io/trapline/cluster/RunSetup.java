package io.trapline.cluster;

import io.trapline.campaign.Campaign.OnLoss;
import io.trapline.campaign.Plan;
import io.trapline.host.HostProfile;
import io.trapline.journal.JournalRecord;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What a run is made of.
 *
 * @param header the journal's first line of this part
 * @param deadline how long it may take
 * @param hosts those that the plan is for
 * @param untilBack what a host has whose worker was lost, until its trials are given up
 * @param workers the incarnation of the worker of each host that is there
 */
record RunSetup(
        JournalRecord.Run header,
        Plan plan,
        OnLoss onLoss,
        Optional<Duration> deadline,
        Duration untilBack,
        List<HostProfile> hosts,
        Map<String, String> workers,
        Earlier earlier) {

    /** Where a host is: of the hosts of one site, one at a time runs a trial. */
    String site(String name) {
        return host(name).map(HostProfile::site).orElse(name);
    }

    /** What a host is; empty when the plan is not for it. */
    Optional<HostProfile> host(String name) {
        return hosts.stream().filter(h -> h.name().equals(name)).findFirst();
    }
}

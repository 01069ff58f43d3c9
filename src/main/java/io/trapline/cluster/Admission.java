package io.trapline.cluster;

import io.trapline.campaign.CampaignException;
import io.trapline.campaign.NoHostException;
import io.trapline.campaign.Plan;
import io.trapline.campaign.Planner;
import io.trapline.campaign.Problem;
import io.trapline.host.HostProfile;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Whether a campaign can start: a pure function of the hosts that are there and of those that are taken. */
sealed interface Admission {
    /** It starts now and has the lease on these hosts. */
    record Start(Plan plan, List<HostProfile> hosts) implements Admission {}

    /** It waits, and those behind it may not take these hosts from it. */
    record Wait(Set<String> wanted) implements Admission {}

    /** It can't be run. */
    record Refuse(RunEvent.Refused event) implements Admission {}

    /**
     * Decides.
     *
     * @param there the hosts with a worker, by name
     * @param taken the hosts that another campaign has, or waits for
     * @param alone whether no other host will ever come
     * @param late whether the time that the campaign had to wait for hosts is over
     */
    static Admission of(
            Submission submission, Map<String, HostProfile> there, Set<String> taken, boolean alone, boolean late) {
        List<HostProfile> hosts = alone ? List.copyOf(there.values()) : hosts(submission.earlier(), there);
        boolean mayCome = !late && (hosts.isEmpty() || !alone);
        if (hosts.isEmpty()) {
            return mayCome
                    ? new Wait(Set.of())
                    : refuse(RunEvent.Refused.Cause.NO_HOSTS, List.of("no worker said hello in time"));
        }
        try {
            Plan plan = Planner.plan(submission.campaign(), hosts);
            List<String> differences = submission.earlier().differences(plan, hosts);
            if (!differences.isEmpty()) {
                return refuse(RunEvent.Refused.Cause.BAD_INPUT, differences);
            }
            Set<String> wanted = hostsOf(plan);
            if (wanted.stream().anyMatch(taken::contains)) {
                return new Wait(wanted);
            }
            return new Start(
                    plan, hosts.stream().filter(h -> wanted.contains(h.name())).toList());
        } catch (NoHostException e) {
            return mayCome ? new Wait(Set.of()) : refuse(RunEvent.Refused.Cause.NO_HOSTS, List.of(e.getMessage()));
        } catch (CampaignException e) {
            return refuse(
                    RunEvent.Refused.Cause.BAD_INPUT,
                    e.problems().stream().map(Problem::toString).toList());
        }
    }

    /** A run that goes on is about the hosts that it began with, those too that are not back yet. */
    private static List<HostProfile> hosts(Earlier earlier, Map<String, HostProfile> there) {
        Collection<HostProfile> before = earlier.hosts();
        if (before.isEmpty()) {
            return List.copyOf(there.values());
        }
        Map<String, HostProfile> hosts = new LinkedHashMap<>();
        before.forEach(h -> hosts.put(h.name(), there.getOrDefault(h.name(), h)));
        return List.copyOf(hosts.values());
    }

    private static Set<String> hostsOf(Plan plan) {
        Set<String> hosts = new LinkedHashSet<>();
        plan.trials().forEach(t -> hosts.add(t.cell().host()));
        plan.unmeasured().forEach(u -> hosts.add(u.cell().host()));
        return hosts;
    }

    private static Refuse refuse(RunEvent.Refused.Cause cause, List<String> problems) {
        return new Refuse(new RunEvent.Refused(cause, problems));
    }
}

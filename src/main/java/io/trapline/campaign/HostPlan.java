package io.trapline.campaign;

import io.trapline.campaign.Campaign.CpuCounts;
import io.trapline.host.CpuSet;
import io.trapline.host.HostProfile;
import io.trapline.host.Model;
import io.trapline.host.Placement;
import io.trapline.host.Placements;
import io.trapline.host.Topology;
import io.trapline.host.Workload;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/** What of a campaign one host runs. */
final class HostPlan {
    /** The cells of one comparison: they differ in nothing but the path. */
    record Group(Workload workload, Model model, CpuSet cpus) {}

    /**
     * The CPUs that counts are taken from.
     *
     * @param listed whether the placement names them; else they are all that the host can use
     */
    private record Pool(CpuSet cpus, boolean listed) {
        int size() {
            return cpus.size();
        }
    }

    private final Campaign campaign;
    private final HostProfile host;
    private final List<Campaign.Path> paths;
    private final List<Problem> problems;
    private Optional<Plan.Clipped> clipped = Optional.empty();

    /**
     * For a host that the campaign selects.
     *
     * @param paths those that live there
     * @param problems gets what is wrong
     */
    HostPlan(Campaign campaign, HostProfile host, List<Campaign.Path> paths, List<Problem> problems) {
        this.campaign = campaign;
        this.host = host;
        this.paths = List.copyOf(paths);
        this.problems = problems;
    }

    HostProfile host() {
        return host;
    }

    List<Campaign.Path> paths() {
        return paths;
    }

    /** The host's groups, in the campaign's order, counts ascending; none after a problem. */
    List<Group> groups() {
        checkPathsDiffer();
        Optional<Pool> pool = pool();
        if (pool.isEmpty()) {
            return List.of();
        }
        List<CpuSet> cpuSets = counts(pool.get()).stream()
                .map(count -> Placements.cpus(campaign.placement(), count, host.topology()))
                .toList();
        List<Group> groups = new ArrayList<>();
        for (Workload workload : campaign.workloads()) {
            for (Model model : campaign.models()) {
                cpuSets.forEach(cpus -> groups.add(new Group(workload, model, cpus)));
            }
        }
        return groups;
    }

    /** What {@link #groups()} left out, as the campaign's {@code clip} allows. */
    Optional<Plan.Clipped> clipped() {
        return clipped;
    }

    /** Two paths that differ in their hosts alone must not meet on one. */
    private void checkPathsDiffer() {
        paths.stream()
                .collect(Collectors.groupingBy(
                        path -> PathEffect.keys(path.method(), campaign.workloads()),
                        LinkedHashMap::new,
                        Collectors.toList()))
                .values()
                .stream()
                .filter(alike -> alike.size() > 1)
                .forEach(alike -> problem(
                        campaign.places().paths().get(alike.get(1).name()),
                        "paths " + names(alike) + " do the same on host " + host.name() + ", which all of them select",
                        "make their hosts.select exclude each other, or let them differ in attach or variant"));
    }

    /** The CPUs that counts are taken from; empty after a problem. */
    private Optional<Pool> pool() {
        Topology topology = host.topology();
        if (topology.usable().isEmpty()) {
            problem(
                    campaign.places().spec(),
                    "host " + host.name() + " has no CPU that is both online and allowed" + sets(),
                    "widen the cpuset or the affinity that this was started with");
            return Optional.empty();
        }
        if (!(campaign.placement() instanceof Placement.Listed listed)) {
            return Optional.of(new Pool(topology.usable(), false));
        }
        CpuSet named = CpuSet.of(listed.ids().stream().mapToInt(Integer::intValue));
        CpuSet unusable = named.minus(topology.usable());
        if (!unusable.isEmpty()) {
            problem(
                    campaign.places().placement(),
                    "the placement can't be had on host " + host.name() + ": " + why(unusable) + sets(),
                    "choose from " + topology.usable());
            // No placement can give more than the host has: what is wrong with the counts is told in the same run.
            if (campaign.cpus() instanceof CpuCounts.Listed counts) {
                possible(counts.counts(), new Pool(topology.usable(), false));
            }
            return Optional.empty();
        }
        return Optional.of(new Pool(named, true));
    }

    private String why(CpuSet unusable) {
        Topology topology = host.topology();
        CpuSet missing = unusable.minus(topology.present());
        CpuSet offline = unusable.and(topology.present()).minus(topology.online());
        CpuSet forbidden = unusable.minus(missing).minus(offline);
        List<String> why = new ArrayList<>();
        say(why, missing, "does not exist", "do not exist");
        say(why, offline, "is offline", "are offline");
        say(why, forbidden, "is not allowed", "are not allowed");
        return String.join(", ", why);
    }

    private static void say(List<String> why, CpuSet cpus, String one, String several) {
        if (!cpus.isEmpty()) {
            why.add(cpus.size() == 1 ? "CPU " + cpus + " " + one : "CPUs " + cpus + " " + several);
        }
    }

    private Collection<Integer> counts(Pool pool) {
        // The steps of a ladder are the same however their CPUs are then chosen.
        Placement byNode =
                campaign.placement() instanceof Placement.Scatter ? new Placement.Compact() : campaign.placement();
        CountLadder ladder = new CountLadder(Placements.order(byNode, host.topology()), host.topology());
        // A pattern switch would be Java 21.
        if (campaign.cpus() instanceof CpuCounts.Listed listed) {
            return possible(listed.counts(), pool);
        }
        if (campaign.cpus() instanceof CpuCounts.PowersOfTwo) {
            return ladder.powersOfTwo();
        }
        return campaign.cpus() instanceof CpuCounts.ByTopology ? ladder.byTopology() : List.of(pool.size());
    }

    private List<Integer> possible(List<Integer> counts, Pool pool) {
        List<Integer> possible = counts.stream().filter(n -> n <= pool.size()).toList();
        List<Integer> left = counts.stream().filter(n -> n > pool.size()).toList();
        if (!left.isEmpty() && !campaign.clip()) {
            problem(
                    campaign.places().cpus(),
                    Plan.cpuCounts(left) + (left.size() == 1 ? " is" : " are") + " more than the " + pool.size()
                            + (pool.listed() ? " that the placement lists" : " usable on host " + host.name() + sets()),
                    "set clip: true to leave out what a host does not have");
            return List.of();
        }
        if (possible.isEmpty()) {
            problem(
                    campaign.places().cpus(),
                    "clip leaves out the " + Plan.cpuCounts(left) + " on host " + host.name() + ", and so all: "
                            + (pool.listed() ? "the placement lists " : "it has ")
                            + (pool.size() == 1 ? "1 CPU" : pool.size() + " CPUs")
                            + (pool.listed() ? "" : " to use") + sets(),
                    "add a count up to " + pool.size());
        } else if (!left.isEmpty()) {
            clipped = Optional.of(new Plan.Clipped(host.name(), left, pool.size()));
        }
        return possible;
    }

    private String sets() {
        return " (online: " + host.topology().online() + "; allowed: "
                + host.topology().allowed() + ")";
    }

    private static String names(List<Campaign.Path> paths) {
        return paths.stream().map(Campaign.Path::name).collect(Collectors.joining(" and "));
    }

    private void problem(String place, String message, String fix) {
        problems.add(new Problem(place, message, Optional.of(fix)));
    }
}

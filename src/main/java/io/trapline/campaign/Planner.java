package io.trapline.campaign;

import io.trapline.campaign.HostPlan.Group;
import io.trapline.campaign.Plan.Trial;
import io.trapline.campaign.Plan.Unmeasured;
import io.trapline.host.HostProfile;
import io.trapline.host.TrialSpec;
import io.trapline.host.Workload;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Makes the plan of a campaign on hosts whose profiles are known. A pure function: equal input gives an equal plan. */
public final class Planner {
    /** More trials than this are a mistake: at a second each they take more than a day. */
    static final int MAX_TRIALS = 100_000;

    private final Campaign campaign;
    private final List<Trial> trials = new ArrayList<>();
    private final List<Unmeasured> unmeasured = new ArrayList<>();
    private int slots;
    private int joined;

    private Planner(Campaign campaign) {
        this.campaign = campaign;
    }

    /**
     * Which trials are run, in which order.
     *
     * @param hosts those that could take part, by distinct names
     * @throws NoHostException when the campaign, or one of its paths, selects none of them
     * @throws CampaignException when they can't do what it asks for
     */
    public static Plan plan(Campaign campaign, List<HostProfile> hosts) throws NoHostException, CampaignException {
        List<Problem> problems = new ArrayList<>();
        List<HostPlan> plans = HostSelection.of(campaign, hosts).stream()
                .map(chosen -> new HostPlan(campaign, chosen.host(), chosen.paths(), problems))
                .toList();
        List<List<Group>> groups = new ArrayList<>();
        for (HostPlan plan : plans) {
            groups.add(plan.groups());
        }
        checkSize(campaign, plans, groups).ifPresent(problems::add);
        if (campaign.together().isPresent() && problems.isEmpty()) {
            checkAlike(campaign, plans, groups).ifPresent(problems::add);
        }
        if (!problems.isEmpty()) {
            throw new CampaignException(problems);
        }
        return new Planner(campaign).plan(plans, groups);
    }

    private static Optional<Problem> checkSize(Campaign campaign, List<HostPlan> plans, List<List<Group>> groups) {
        long size = 0;
        for (int i = 0; i < plans.size(); i++) {
            size += (long) campaign.rounds()
                    * groups.get(i).size()
                    * plans.get(i).paths().size();
        }
        return size <= MAX_TRIALS
                ? Optional.empty()
                : Optional.of(new Problem(
                        campaign.places().spec(),
                        "these are " + size + " trials; at most " + MAX_TRIALS + " are allowed",
                        Optional.of("have fewer rounds, workloads, models or CPU counts")));
    }

    /** What runs together has as many CPUs on each host. */
    private static Optional<Problem> checkAlike(Campaign campaign, List<HostPlan> plans, List<List<Group>> groups) {
        List<List<Integer>> counts = groups.stream()
                .map(of -> of.stream().map(group -> group.cpus().size()).toList())
                .toList();
        return IntStream.range(0, counts.size())
                .filter(i -> !counts.get(i).equals(counts.get(0)))
                .mapToObj(i -> new Problem(
                        campaign.places().cpus(),
                        "hosts that run together need the same CPU counts, and "
                                + plans.get(0).host().name() + " would run " + distinct(counts.get(0)) + ", "
                                + plans.get(i).host().name() + " " + distinct(counts.get(i)),
                        Optional.of("list the counts that all of them have, or select hosts that are alike")))
                .findFirst();
    }

    private static String distinct(List<Integer> counts) {
        return counts.stream().distinct().map(String::valueOf).collect(Collectors.joining(", "));
    }

    /** A path on its host, and what it runs there. */
    private record Lane(HostProfile host, Campaign.Path path, List<Group> groups) {}

    /** The lanes of each site, those of one site in the campaign's order of paths. */
    private Collection<List<Lane>> sites(List<HostPlan> plans, List<List<Group>> groups) {
        Map<String, List<Lane>> sites = new LinkedHashMap<>();
        for (int i = 0; i < plans.size(); i++) {
            HostPlan plan = plans.get(i);
            for (Campaign.Path path : plan.paths()) {
                // Hosts that run together take turns as one.
                String site =
                        campaign.together().map(t -> "").orElse(plan.host().site());
                sites.computeIfAbsent(site, s -> new ArrayList<>()).add(new Lane(plan.host(), path, groups.get(i)));
            }
        }
        sites.values()
                .forEach(lanes -> lanes.sort(
                        Comparator.comparingInt(lane -> campaign.paths().indexOf(lane.path()))));
        return sites.values();
    }

    /**
     * Rounds are outermost. The order of paths turns round from one group of a site to its next and from one round to
     * the next, so that over an even number of rounds each path has each turn equally often.
     */
    private Plan plan(List<HostPlan> plans, List<List<Group>> groups) {
        Collection<List<Lane>> sites = sites(plans, groups);
        for (int round = 1; round <= campaign.rounds(); round++) {
            for (List<Lane> lanes : sites) {
                int longest = lanes.stream()
                        .mapToInt(lane -> lane.groups().size())
                        .max()
                        .orElseThrow();
                for (int i = 0; i < longest; i++) {
                    boolean forwards = (round - 1 + i) % 2 == 0;
                    group(lanes, i, round, forwards);
                }
            }
        }
        return new Plan(
                trials,
                unmeasured,
                plans.stream().flatMap(plan -> plan.clipped().stream()).toList());
    }

    private void group(List<Lane> lanes, int index, int round, boolean forwards) {
        List<Lane> ordered = new ArrayList<>(lanes);
        if (!forwards) {
            Collections.reverse(ordered);
        }
        Map<String, String> joints = new HashMap<>(); // by path
        for (Lane lane : ordered) {
            if (index < lane.groups().size()) {
                Optional<String> joint = campaign.together()
                        .map(t -> joints.computeIfAbsent(lane.path().name(), p -> String.format("j%04d", ++joined)));
                trial(lane, lane.groups().get(index), round, joint, whyNot(lane, lanes, index));
            }
        }
    }

    /** Why it can't be measured there; of hosts that run together, anywhere. */
    private Optional<String> whyNot(Lane lane, List<Lane> lanes, int index) {
        Workload workload = lane.groups().get(index).workload();
        Optional<String> here = lane.host().whyNot(workload, lane.path().method());
        return here.isPresent() || campaign.together().isEmpty()
                ? here
                : lanes.stream()
                        .filter(other -> other.path().equals(lane.path()))
                        .flatMap(other -> other
                                .host()
                                .whyNot(workload, other.path().method())
                                .stream()
                                .map(reason ->
                                        "not on " + other.host().name() + ", which would run it together: " + reason))
                        .findFirst();
    }

    private void trial(Lane lane, Group group, int round, Optional<String> joint, Optional<String> whyNot) {
        // Counted for cells that can't be measured too: ids must not change when a host's rights do.
        String id = String.format("t%04d", ++slots);
        HostProfile host = lane.host();
        Cell cell = new Cell(lane.path().name(), group.workload(), group.model(), group.cpus(), host.name());
        if (whyNot.isEmpty()) {
            trials.add(new Trial(id, cell, round, spec(id, group, lane.path()), joint));
        } else if (round == 1) {
            unmeasured.add(new Unmeasured(cell, whyNot.get()));
        }
    }

    private TrialSpec spec(String id, Group group, Campaign.Path path) {
        return new TrialSpec(id, group.workload(), group.model(), group.cpus(), path.method(), campaign.timing());
    }
}

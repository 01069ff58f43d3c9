package io.trapline.campaign;

import io.trapline.campaign.HostPlan.Group;
import io.trapline.campaign.Plan.Trial;
import io.trapline.campaign.Plan.Unmeasured;
import io.trapline.host.HostProfile;
import io.trapline.host.TrialSpec;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;

/** Makes the plan of a campaign on hosts whose profiles are known. A pure function: equal input gives an equal plan. */
public final class Planner {
    /** More trials than this are a mistake: at a second each they take more than a day. */
    static final int MAX_TRIALS = 100_000;

    private final Campaign campaign;
    private final List<Trial> trials = new ArrayList<>();
    private final List<Unmeasured> unmeasured = new ArrayList<>();
    private int slots;

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

    /**
     * Rounds are outermost. The order of paths turns round from one group of a host to its next and from one round to
     * the next, so that over an even number of rounds each path has each turn equally often.
     */
    private Plan plan(List<HostPlan> plans, List<List<Group>> groups) {
        for (int round = 1; round <= campaign.rounds(); round++) {
            for (int host = 0; host < plans.size(); host++) {
                List<Group> ofHost = groups.get(host);
                for (int i = 0; i < ofHost.size(); i++) {
                    boolean forwards = (round - 1 + i) % 2 == 0;
                    group(plans.get(host), ofHost.get(i), round, forwards);
                }
            }
        }
        return new Plan(trials, unmeasured);
    }

    private void group(HostPlan plan, Group group, int round, boolean forwards) {
        List<Campaign.Path> paths = new ArrayList<>(plan.paths());
        if (!forwards) {
            Collections.reverse(paths);
        }
        for (Campaign.Path path : paths) {
            // Counted for cells that can't be measured too: ids must not change when a host's rights do.
            String id = String.format("t%04d", ++slots);
            Cell cell = new Cell(
                    path.name(),
                    group.workload(),
                    group.model(),
                    group.cpus(),
                    plan.host().name());
            Optional<String> whyNot = plan.host().whyNot(group.workload(), path.method());
            if (whyNot.isEmpty()) {
                trials.add(new Trial(id, cell, round, spec(id, group, path)));
            } else if (round == 1) {
                unmeasured.add(new Unmeasured(cell, whyNot.get()));
            }
        }
    }

    private TrialSpec spec(String id, Group group, Campaign.Path path) {
        return new TrialSpec(id, group.workload(), group.model(), group.cpus(), path.method(), campaign.timing());
    }
}

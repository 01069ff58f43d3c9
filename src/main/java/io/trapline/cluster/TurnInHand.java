package io.trapline.cluster;

import io.trapline.campaign.Campaign.Together;
import io.trapline.campaign.Plan;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The turn that a site has in hand: one attempt at a trial, or at all of those that run together. */
final class TurnInHand {
    final String site;
    final List<Plan.Trial> trials;
    /** The attempt, the same for all of them. */
    final int number;
    /** By host. */
    final Map<String, InHand> members = new LinkedHashMap<>();
    /** What they wait at before they start; empty for a trial by itself. */
    final Optional<Barrier> barrier;
    /** Whether they were let go. */
    boolean started;

    /** @param together how trials that share a joint run; empty for a trial by itself */
    TurnInHand(String site, List<Plan.Trial> trials, int number, Optional<Together> together) {
        this.site = site;
        this.trials = List.copyOf(trials);
        this.number = number;
        trials.forEach(trial -> members.put(trial.cell().host(), new InHand(trial, number, this)));
        this.barrier = together.map(t -> new Barrier(members.keySet(), t.skew()));
    }

    /** The joint trial that this is an attempt at; empty for a trial by itself. */
    Optional<String> joint() {
        return trials.get(0).joint();
    }

    boolean isOnDisk() {
        return members.values().stream().allMatch(member -> member.onDisk);
    }

    /** Why it has no result, or not all of it; empty when it has. */
    Optional<String> failure() {
        return members.entrySet().stream()
                .filter(e -> e.getValue().failure.isPresent())
                .findFirst()
                .map(e -> (barrier.isPresent() ? e.getKey() + ": " : "")
                        + e.getValue().failure.get());
    }
}

package io.trapline.cluster;

import io.trapline.campaign.Plan;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * What is still to be run, by site and in the plan's order. A turn is what runs at one moment: one trial, or those of
 * hosts that run together.
 */
final class Turns {
    private final Map<String, Deque<List<Plan.Trial>>> waiting = new LinkedHashMap<>();

    /** Puts a trial at the end; it belongs to the last turn if that is its joint one. */
    void add(String site, Plan.Trial trial) {
        Deque<List<Plan.Trial>> turns = waiting.computeIfAbsent(site, s -> new ArrayDeque<>());
        boolean joins = trial.joint().isPresent()
                && !turns.isEmpty()
                && turns.getLast().get(0).joint().equals(trial.joint());
        if (joins) {
            turns.getLast().add(trial);
        } else {
            turns.add(new ArrayList<>(List.of(trial)));
        }
    }

    /** Has a turn run next. */
    void again(String site, List<Plan.Trial> turn) {
        waiting.get(site).addFirst(turn);
    }

    /** The turn that a site has next; empty when it has none. */
    Optional<List<Plan.Trial>> next(String site) {
        return Optional.ofNullable(waiting.get(site)).map(Deque::peekFirst);
    }

    /** Takes that turn out. */
    void take(String site) {
        waiting.get(site).removeFirst();
    }

    /** Takes out all that a host was to run, with what others were to run together with it. */
    List<Plan.Trial> drop(String site, String host) {
        List<Plan.Trial> dropped = new ArrayList<>();
        Optional.ofNullable(waiting.get(site))
                .ifPresent(turns -> turns.removeIf(turn -> {
                    boolean concerned =
                            turn.stream().anyMatch(t -> t.cell().host().equals(host));
                    if (concerned) {
                        dropped.addAll(turn);
                    }
                    return concerned;
                }));
        return dropped;
    }

    void clear() {
        waiting.values().forEach(Deque::clear);
    }

    boolean isEmpty() {
        return waiting.values().stream().allMatch(Deque::isEmpty);
    }

    Set<String> sites() {
        return Set.copyOf(waiting.keySet());
    }
}

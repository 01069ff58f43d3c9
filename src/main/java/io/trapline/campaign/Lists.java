package io.trapline.campaign;

import io.trapline.campaign.Campaign.CpuCounts;
import io.trapline.host.CpuSet;
import io.trapline.host.Model;
import io.trapline.host.Placement;
import io.trapline.host.Workload;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/** Reads the lists of a campaign, none of which may have an item twice, and the words that may stand for one. */
final class Lists {
    private static final int MAX_COUNT = CpuSet.MAX_ID + 1;
    private static final List<String> LADDERS = List.of("powers-of-two", "topology", "all");
    private static final List<String> PLACEMENTS = List.of("compact", "scatter");

    private Lists() {}

    /** Names of the table of workloads. */
    static Optional<List<Workload>> workloads(Value value) {
        List<String> known = Workload.all().stream().map(Workload::name).toList();
        return distinct(value, item -> item.word(known).flatMap(Workload::find));
    }

    /** Names of models. */
    static Optional<List<Model>> models(Value value) {
        return distinct(value, item -> item.choice(Model.class));
    }

    /** A list of counts in any order, or the name of a ladder. */
    static Optional<CpuCounts> cpuCounts(Value value) {
        if (value.isList()) {
            return distinct(value, item -> item.whole(1, MAX_COUNT))
                    .map(counts -> new CpuCounts.Listed(counts.stream().sorted().toList()));
        }
        return value.text().flatMap(text -> switch (text) {
            case "powers-of-two" -> Optional.of(new CpuCounts.PowersOfTwo());
            case "topology" -> Optional.of(new CpuCounts.ByTopology());
            case "all" -> Optional.of(new CpuCounts.All());
            default -> {
                notAList(value, text, LADDERS, "a list of counts such as [1, 2, 4]", "write [" + text + "]");
                yield Optional.empty();
            }
        });
    }

    /** A list of CPU ids in the order in which they are used, as YAML or in the kernel's notation, or a rule's name. */
    static Optional<Placement> placement(Value value) {
        if (value.isList()) {
            return distinct(value, item -> item.whole(0, CpuSet.MAX_ID)).map(Placement.Listed::new);
        }
        return value.text().flatMap(text -> switch (text) {
            case "compact" -> Optional.of(new Placement.Compact());
            case "scatter" -> Optional.of(new Placement.Scatter());
            default -> cpuList(value, text);
        });
    }

    private static Optional<Placement> cpuList(Value value, String text) {
        if (!Character.isDigit(text.charAt(0))) {
            notAList(value, text, PLACEMENTS, "a list of CPU ids such as 0-3,8", "such as 0-3,8");
            return Optional.empty();
        }
        try {
            CpuSet.parse(text);
        } catch (IllegalArgumentException e) {
            value.refuse("is no list of CPU ids: " + e.getMessage(), "such as 0-3,8");
            return Optional.empty();
        }
        // Part by part as well, as a set forgets the order and that an id came twice.
        Set<Integer> ids = new LinkedHashSet<>();
        for (String part : text.split(",", -1)) {
            for (int id : CpuSet.parse(part).stream().toArray()) {
                if (!ids.add(id)) {
                    value.refuse("names CPU " + id + " twice", "name each CPU once");
                    return Optional.empty();
                }
            }
        }
        return Optional.of(new Placement.Listed(List.copyOf(ids)));
    }

    private static void notAList(Value value, String read, List<String> words, String list, String fix) {
        String message = "is " + Quoted.of(read) + "; allowed are " + String.join(", ", words) + " and " + list;
        value.refuse(
                message,
                Nearest.to(read, words).map(w -> "did you mean " + w + "?").orElse(fix));
    }

    /** The items, none twice; empty if any of them is wrong. */
    private static <T> Optional<List<T>> distinct(Value value, Function<Value, Optional<T>> how) {
        int before = value.problems().count();
        Map<T, Value> items = new LinkedHashMap<>();
        for (Value item : value.items()) {
            how.apply(item).ifPresent(read -> {
                Value first = items.putIfAbsent(read, item);
                if (first != null) {
                    item.refuse(
                            "is " + Quoted.of(item.text().orElseThrow()) + " a second time, first at "
                                    + item.problems().spell(first.place()),
                            "keep one of them");
                }
            });
        }
        return value.problems().count() == before ? Optional.of(List.copyOf(items.keySet())) : Optional.empty();
    }
}

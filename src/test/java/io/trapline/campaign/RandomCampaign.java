package io.trapline.campaign;

import io.trapline.campaign.Campaign.CpuCounts;
import io.trapline.campaign.Campaign.Gate;
import io.trapline.campaign.Campaign.OnLoss;
import io.trapline.campaign.Campaign.Places;
import io.trapline.campaign.Campaign.Together;
import io.trapline.host.Method;
import io.trapline.host.Method.Altstack;
import io.trapline.host.Method.Attach;
import io.trapline.host.Method.Call;
import io.trapline.host.Method.Scope;
import io.trapline.host.Model;
import io.trapline.host.Placement;
import io.trapline.host.Spelled;
import io.trapline.host.Timing;
import io.trapline.host.Workload;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** A campaign of random but valid parts, as a value and as a file. */
final class RandomCampaign {
    /** Four that differ in how a probe is attached. */
    private static final List<Method> METHODS = List.of(
            new Method(Attach.BPF, Scope.PID, Altstack.SWAP, Call.DIRECT),
            new Method(Attach.BPF, Scope.SYSTEM, Altstack.SAME, Call.DIRECT),
            new Method(Attach.PERF, Scope.PID, Altstack.SAME, Call.LIBC),
            new Method(Attach.PERF, Scope.SYSTEM, Altstack.SWAP, Call.LIBC));

    private final Random random;
    private final Campaign campaign;

    RandomCampaign(Random random) {
        this.random = random;
        Duration interval = Duration.ofMillis(1 + random.nextInt(2000));
        List<Workload> workloads = new ArrayList<>(some(Workload.all()));
        // Always there, so that what the paths differ in touches a workload.
        workloads.removeIf(w -> w.name().equals("uprobe-nop"));
        workloads.add(Workload.named("uprobe-nop"));
        campaign = new Campaign(
                "c" + random.nextInt(1000) + "-x",
                maybe(() -> "Is " + random.nextInt(100) + "% enough?"),
                paths(),
                workloads,
                some(Arrays.asList(Model.values())),
                counts(),
                random.nextBoolean(),
                placement(),
                new Timing(
                        Duration.ofNanos(1_000_000L + random.nextInt(1_000_000_000)),
                        interval,
                        1 + random.nextInt(1000)),
                2 + random.nextInt(999),
                maybe(() -> selector("nodes<=" + (4 + random.nextInt(9)))),
                maybe(() -> new Together(Duration.ofMillis(1 + random.nextInt(1000)))),
                one(Arrays.asList(OnLoss.values())),
                maybe(() -> new Gate(random.nextInt(990) / 1000.0)),
                maybe(() -> Duration.ofSeconds(1 + random.nextInt(86400))),
                new Places("", "", "", "", Map.of()));
    }

    Campaign campaign() {
        return campaign;
    }

    String text() {
        List<String> spec = new ArrayList<>();
        campaign.question().ifPresent(q -> spec.add("question: \"" + q + "\""));
        spec.add("paths:" + campaign.paths().stream().map(this::path).collect(Collectors.joining()));
        spec.add("workloads: " + list(campaign.workloads(), Workload::name));
        spec.add("models: " + list(campaign.models(), Spelled::spelling));
        spec.add("cpus: " + spell(campaign.cpus()));
        spec.add("clip: " + campaign.clip());
        spec.add("placement: " + spell(campaign.placement()));
        Timing timing = campaign.timing();
        Duration measure = timing.interval().multipliedBy(timing.intervals());
        spec.add("timing: {warmup: %dns, interval: %dus, measure: %dms, rounds: %d}"
                .formatted(
                        timing.warmup().toNanos(),
                        timing.interval().toNanos() / 1000,
                        measure.toMillis(),
                        campaign.rounds()));
        List<String> hosts = new ArrayList<>();
        campaign.select().ifPresent(s -> hosts.add("select: \"" + s + "\""));
        campaign.together()
                .ifPresent(t -> hosts.add("run: together, skew: " + t.skew().toMillis() + "ms"));
        if (!hosts.isEmpty()) {
            spec.add("hosts: {" + String.join(", ", hosts) + "}");
        }
        spec.add("onLoss: " + campaign.onLoss().spelling());
        campaign.deadline().ifPresent(d -> spec.add("deadline: " + Durations.spell(d)));
        campaign.gate().ifPresent(g -> spec.add("gate:\n    slower: " + percentage(g.slower())));
        Collections.shuffle(spec, random);
        List<String> document = new ArrayList<>(List.of(
                "apiVersion: trapline/v1",
                "kind: Campaign",
                "metadata:\n  name: " + campaign.name(),
                "spec:\n  " + String.join("\n  ", spec)));
        Collections.shuffle(document, random);
        return String.join("\n", document) + "\n";
    }

    private String path(Campaign.Path path) {
        Method method = path.method();
        List<String> keys = new ArrayList<>(List.of(
                "name: " + path.name(),
                "attach: {with: " + method.attach().spelling() + ", scope: "
                        + method.scope().spelling() + "}",
                "variant: {call: " + method.call().spelling() + ", altstack: "
                        + method.altstack().spelling() + "}"));
        path.select().ifPresent(s -> keys.add("hosts: {select: " + s + "}"));
        Collections.shuffle(keys, random);
        return random.nextBoolean()
                ? "\n    - {" + String.join(", ", keys) + "}"
                : "\n    - " + String.join("\n      ", keys);
    }

    private List<Campaign.Path> paths() {
        int count = 2 + random.nextInt(3);
        return IntStream.range(0, count)
                .mapToObj(i -> new Campaign.Path(
                        "path_" + i,
                        METHODS.get(i),
                        maybe(() -> selector("cpus>=" + random.nextInt(3) + " and arch=x86_64")),
                        Optional.empty()))
                .toList();
    }

    private CpuCounts counts() {
        return one(List.of(
                new CpuCounts.PowersOfTwo(),
                new CpuCounts.ByTopology(),
                new CpuCounts.All(),
                new CpuCounts.Listed(random.ints(1, 8193)
                        .distinct()
                        .limit(5)
                        .sorted()
                        .boxed()
                        .toList())));
    }

    private Placement placement() {
        return one(List.of(
                new Placement.Compact(),
                new Placement.Scatter(),
                new Placement.Listed(
                        random.ints(0, 8192).distinct().limit(3).boxed().toList())));
    }

    private String spell(CpuCounts counts) {
        if (counts instanceof CpuCounts.Listed listed) {
            List<Integer> shuffled = new ArrayList<>(listed.counts());
            Collections.shuffle(shuffled, random);
            return list(shuffled, String::valueOf);
        }
        if (counts instanceof CpuCounts.PowersOfTwo) {
            return "powers-of-two";
        }
        return counts instanceof CpuCounts.All ? "all" : "topology";
    }

    private String spell(Placement placement) {
        if (placement instanceof Placement.Listed listed) {
            String ids = listed.ids().stream().map(String::valueOf).collect(Collectors.joining(","));
            return random.nextBoolean() ? "[" + ids.replace(",", ", ") + "]" : ids;
        }
        return placement instanceof Placement.Compact ? "compact" : "scatter";
    }

    private static String percentage(double part) {
        return BigDecimal.valueOf(part).movePointRight(2).stripTrailingZeros().toPlainString() + "%";
    }

    private static <T> String list(List<T> items, Function<T, String> spelling) {
        return items.stream().map(spelling).collect(Collectors.joining(", ", "[", "]"));
    }

    private static Selector selector(String text) {
        try {
            return Machines.selector(text);
        } catch (CampaignException e) {
            throw new IllegalArgumentException(e);
        }
    }

    private <T> T one(List<T> choices) {
        return choices.get(random.nextInt(choices.size()));
    }

    /** At least one of them, in any order. */
    private <T> List<T> some(List<T> choices) {
        List<T> shuffled = new ArrayList<>(choices);
        Collections.shuffle(shuffled, random);
        return shuffled.subList(0, 1 + random.nextInt(shuffled.size()));
    }

    private <T> Optional<T> maybe(Supplier<T> value) {
        return random.nextBoolean() ? Optional.of(value.get()) : Optional.empty();
    }
}

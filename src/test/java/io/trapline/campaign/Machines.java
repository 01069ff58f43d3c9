package io.trapline.campaign;

import io.trapline.host.CpuSet;
import io.trapline.host.HostProfile;
import io.trapline.host.Topology;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.function.IntFunction;
import java.util.stream.IntStream;

/** Machines that plans are made for, by their numbers among the known layouts. */
final class Machines {
    /** One node, two CPUs, no SMT. */
    static final Topology TWO_CPUS = machine("0-1", "0-1", "0-1", alone(), List.of("0-1"));

    /** D35: 4 nodes of 16 cores, no SMT. */
    static final Topology D35_KUNPENG916 =
            machine("0-63", "0-63", "0-63", alone(), List.of("0-15", "16-31", "32-47", "48-63"));

    /** D11: 2 packages, 8 nodes, SMT siblings 128 apart; 8 cores share a last-level cache. */
    static final Topology D11_EPYC = machine(
            "0-255",
            "0-255",
            "0-255",
            id -> CpuSet.of(id % 128, id % 128 + 128),
            IntStream.range(0, 8)
                    .mapToObj(k -> "%d-%d,%d-%d".formatted(16 * k, 16 * k + 15, 128 + 16 * k, 128 + 16 * k + 15))
                    .toList());

    /** D07: 72 cores in one node, eight nodes of memory alone. */
    static final Topology D07_GRACE_HOPPER =
            machine("0-71", "0-71", "0-71", alone(), List.of("0-71", "", "", "", "", "", "", "", ""));

    /** D17: a cpuset inside one of two nodes. */
    static final Topology D17_CPUSET = machine(
            "0-127", "0-127", "32-42", id -> CpuSet.of(id % 64, id % 64 + 64), List.of("0-31,64-95", "32-63,96-127"));

    /** D18: a container that keeps the host's ids. */
    static final Topology D18_CONTAINER = machine("0-15", "0-15", "9-11", alone(), List.of("0-15"));

    /** D20: allowed is wider than online. */
    static final Topology D20_WIDE_MASK = machine("0-15", "0-15", "0-31", alone(), List.of("0-15"));

    /** D22: a CPU that is present but offline. */
    static final Topology D22_OFFLINE = machine("0-111", "0-109,111", "0-111", alone(), List.of("0-55", "56-111"));

    /** D32: nodes of 3 and 5 CPUs with holes. */
    static final Topology D32_HOLES = machine("0-7", "0-7", "0-7", alone(), List.of("0-1,3", "2,4-7"));

    private Machines() {}

    /** The smallest campaign with these lines of spec in addition. */
    static Campaign campaign(String... lines) throws CampaignException {
        return CampaignReader.parse("c.yaml", CampaignReaderTest.SMALLEST + "  " + String.join("\n  ", lines) + "\n");
    }

    /** A selector as it is read from a campaign. */
    static Selector selector(String text) throws CampaignException {
        return campaign("hosts: {select: \"" + text + "\"}").select().orElseThrow();
    }

    /** A host on which all can be measured. */
    static HostProfile host(String name, String release, Topology topology) {
        return host(name, release, topology, List.of());
    }

    /** A host with these abilities. */
    static HostProfile host(String name, String release, Topology topology, List<HostProfile.Ability> abilities) {
        return new HostProfile(
                name,
                "x86_64",
                new HostProfile.Kernel(release, "#1 SMP", Optional.empty()),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                OptionalLong.empty(),
                topology,
                CpuSet.EMPTY,
                false,
                abilities,
                List.of());
    }

    private static IntFunction<CpuSet> alone() {
        return CpuSet::of;
    }

    private static Topology machine(
            String present, String online, String allowed, IntFunction<CpuSet> siblings, List<String> nodes) {
        List<CpuSet> byNode = nodes.stream().map(CpuSet::parse).toList();
        CpuSet running = CpuSet.parse(online);
        List<Topology.Cpu> cpus = running.stream()
                .mapToObj(id -> new Topology.Cpu(
                        id,
                        IntStream.range(0, byNode.size())
                                .filter(n -> byNode.get(n).contains(id))
                                .findFirst()
                                .orElseThrow(),
                        OptionalInt.empty(),
                        OptionalInt.empty(),
                        siblings.apply(id),
                        cache(id, siblings, running),
                        Topology.Core.UNKNOWN,
                        OptionalLong.empty()))
                .toList();
        return new Topology(
                CpuSet.parse(present),
                running,
                CpuSet.parse(allowed),
                cpus,
                IntStream.range(0, byNode.size())
                        .mapToObj(n -> new Topology.NumaNode(n, byNode.get(n), List.of(), OptionalLong.empty()))
                        .toList());
    }

    /** Eight neighbouring cores with all their threads, as far as the machine has them. */
    private static CpuSet cache(int id, IntFunction<CpuSet> siblings, CpuSet online) {
        int from = siblings.apply(id).first() / 8 * 8;
        return CpuSet.of(IntStream.range(from, from + 8)
                        .filter(online::contains)
                        .flatMap(core -> siblings.apply(core).stream()))
                .and(online);
    }
}

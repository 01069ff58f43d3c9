package io.trapline.campaign;

import io.trapline.host.CpuSet;
import io.trapline.host.guest.GuestSpec;
import io.trapline.host.guest.GuestSpec.Distance;
import io.trapline.host.guest.GuestSpec.KernelSource;
import io.trapline.host.guest.GuestSpec.Node;
import io.trapline.host.guest.GuestSpec.Wanted;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Reads {@code kernel} and {@code guest: {cpus, memory, nodes, distances, append, accelerator}}, of the spec for all
 * paths and of a path for itself. The forms of nodes and distances are those of virtme-ng's --numa and --numa-distance.
 */
final class GuestReader {
    private static final int DEFAULT_CPUS = 2;
    private static final int DEFAULT_MEMORY_MIB = 512;
    private static final int LEAST_NODE_MIB = 64;
    private static final int MOST_MIB = 1 << 20;
    private static final Pattern SIZE = Pattern.compile("([1-9]\\d{0,6})([MG])");
    private static final Pattern DISTANCE = Pattern.compile("(\\d{1,3}),(\\d{1,3})=(\\d{1,3})");

    private final Section common;
    private final boolean exact;
    private final Map<String, String> kernels;

    /**
     * @param spec the campaign's
     * @param exact whether the campaign wants instructions counted
     * @param kernels those that were given beside the file, by the path's name; they win
     */
    GuestReader(Section spec, boolean exact, Map<String, String> kernels) {
        this.common = spec.section("guest", Keys.GUEST);
        this.exact = exact;
        this.kernels = kernels;
    }

    /** A node as written: its memory may be for the others to decide. */
    private record NodeText(Optional<Integer> memoryMiB, CpuSet cpus) {}

    /** Whether the path of that name was given a kernel beside the file. */
    boolean isGivenBeside(String path) {
        return kernels.containsKey(path);
    }

    /** The guest of a path; empty when it has no kernel of its own, or after a problem was noted. */
    Optional<GuestSpec> read(Section path, Value item, Optional<String> name) {
        Optional<String> beside = name.map(kernels::get);
        Section own = path.section("guest", Keys.GUEST);
        Optional<KernelSource> kernel = beside.isPresent()
                ? KernelReader.read(beside.get(), item)
                : path.optional("kernel", v -> v.text().flatMap(text -> KernelReader.read(text, v)));
        int cpus = of(own, "cpus", v -> v.whole(1, GuestSpec.MAX_CPUS)).orElse(exact ? 1 : DEFAULT_CPUS);
        int memory = of(own, "memory", GuestReader::memory).orElse(DEFAULT_MEMORY_MIB);
        List<NodeText> texts = of(own, "nodes", GuestReader::nodes).orElse(List.of());
        List<Distance> distances =
                of(own, "distances", v -> distances(v, texts.size())).orElse(List.of());
        String append = of(own, "append", GuestReader::arguments).orElse("");
        Wanted accelerator = of(own, "accelerator", v -> v.choice(Wanted.class)).orElse(Wanted.BEST);
        List<Node> nodes = lay(own, texts, cpus, memory);
        int total = nodes.isEmpty()
                ? memory
                : nodes.stream().mapToInt(Node::memoryMiB).sum();
        if (exact) {
            checkExact(own, item, kernel, cpus, accelerator);
        } else if (kernel.isEmpty() && path.has("guest")) {
            path.refuse("guest", "guest is given, and kernel is not", "add kernel: debian:6.12");
        }
        return kernel.map(k -> new GuestSpec(k, cpus, total, nodes, distances, append, accelerator, exact));
    }

    /** What the path says, else what the campaign says. */
    private <T> Optional<T> of(Section own, String key, Function<Value, Optional<T>> how) {
        return where(own, key).optional(key, how);
    }

    private Section where(Section own, String key) {
        return own.has(key) ? own : common;
    }

    private void checkExact(Section own, Value item, Optional<KernelSource> kernel, int cpus, Wanted accelerator) {
        if (kernel.isEmpty()) {
            item.refuse("has no kernel, and instructions can only be counted in a guest", "add kernel: debian:6.12");
        }
        if (cpus != 1) {
            where(own, "cpus")
                    .refuse("cpus", "cpus is " + cpus + ", and timing.exact counts on one CPU", "write cpus: 1");
        }
        if (accelerator == Wanted.KVM) {
            where(own, "accelerator")
                    .refuse("accelerator", "accelerator is kvm, and timing.exact needs emulation", "leave it out");
        }
    }

    private static Optional<String> arguments(Value value) {
        Optional<String> read = value.text();
        if (read.stream()
                .flatMap(text -> Arrays.stream(text.split("\\s+")))
                .anyMatch(word -> word.startsWith("init="))) {
            value.refuse(
                    "is " + Quoted.of(read.get()) + "; a guest's /init is in its initramfs, where the kernel does not"
                            + " look at init=",
                    "write rdinit=");
            return Optional.empty();
        }
        return read;
    }

    private static Optional<Integer> memory(Value value) {
        Optional<String> read = value.text();
        Optional<Integer> size = read.flatMap(GuestReader::size);
        if (read.isPresent() && size.isEmpty()) {
            value.refuse(
                    "is " + Quoted.of(read.get()) + "; memory is a whole number and M or G, from " + LEAST_NODE_MIB
                            + "M to " + MOST_MIB / 1024 + "G",
                    "such as 512M");
        }
        return size;
    }

    private static Optional<Integer> size(String text) {
        Matcher form = SIZE.matcher(text);
        if (!form.matches()) {
            return Optional.empty();
        }
        long size = Long.parseLong(form.group(1)) * (form.group(2).equals("G") ? 1024 : 1);
        return size >= LEAST_NODE_MIB && size <= MOST_MIB ? Optional.of((int) size) : Optional.empty();
    }

    private static Optional<List<NodeText>> nodes(Value list) {
        List<NodeText> nodes = new ArrayList<>();
        for (Value item : list.items()) {
            item.text().flatMap(text -> node(text, item)).ifPresent(nodes::add);
        }
        return Optional.of(nodes);
    }

    private static Optional<NodeText> node(String text, Value item) {
        List<String> parts = List.of(text.split(",", -1));
        Optional<Integer> memory = size(parts.get(0));
        String cpus = parts.stream()
                .skip(memory.isPresent() ? 1 : 0)
                .map(part -> part.replaceFirst("^cpus=", ""))
                .collect(Collectors.joining(","));
        try {
            return Optional.of(new NodeText(memory, cpus.isEmpty() ? CpuSet.EMPTY : CpuSet.parse(cpus)));
        } catch (IllegalArgumentException e) {
            // as below
        }
        item.refuse(
                "is " + Quoted.of(text) + "; a node is CPUs, memory of " + LEAST_NODE_MIB + "M or more, or both",
                "such as 0-1, or 512M for a node without CPUs, or 512M,cpus=0-1");
        return Optional.empty();
    }

    private static Optional<List<Distance>> distances(Value list, int nodes) {
        List<Distance> distances = new ArrayList<>();
        for (Value item : list.items()) {
            item.text().flatMap(text -> distance(text, item, nodes)).ifPresent(distances::add);
        }
        return Optional.of(distances);
    }

    private static Optional<Distance> distance(String text, Value item, int nodes) {
        Matcher form = DISTANCE.matcher(text);
        if (form.matches()) {
            int from = Integer.parseInt(form.group(1));
            int to = Integer.parseInt(form.group(2));
            int value = Integer.parseInt(form.group(3));
            if (from < nodes && to < nodes && from != to && value > 10 && value < 255) {
                return Optional.of(new Distance(from, to, value));
            }
        }
        item.refuse(
                "is " + Quoted.of(text) + "; a distance is FROM,TO=VALUE with two of the " + nodes
                        + " nodes, counted from 0, and a value from 11 to 254",
                "such as 0,1=21");
        return Optional.empty();
    }

    /** Gives each node its memory, and sees to it that each CPU has its node. */
    private List<Node> lay(Section own, List<NodeText> texts, int cpus, int memory) {
        CpuSet all = CpuSet.of(IntStream.range(0, cpus));
        CpuSet seen = CpuSet.EMPTY;
        for (NodeText text : texts) {
            CpuSet twice = seen.and(text.cpus());
            CpuSet missing = text.cpus().minus(all);
            if (!twice.isEmpty() || !missing.isEmpty()) {
                where(own, "nodes")
                        .refuse(
                                "nodes",
                                missing.isEmpty()
                                        ? "CPUs " + twice + " are in two nodes"
                                        : "CPUs " + missing + " do not exist; the guest has CPUs " + all,
                                missing.isEmpty() ? "leave them in one" : "make guest.cpus larger");
            }
            seen = seen.or(text.cpus());
        }
        if (!texts.isEmpty() && !all.minus(seen).isEmpty()) {
            where(own, "nodes")
                    .refuse("nodes", "CPUs " + all.minus(seen) + " are in no node", "name each of " + all + " once");
        }
        int share = texts.isEmpty() ? memory : Math.max(LEAST_NODE_MIB, memory / texts.size());
        return texts.stream()
                .map(t -> new Node(t.cpus(), t.memoryMiB().orElse(share)))
                .toList();
    }
}

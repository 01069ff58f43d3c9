package io.trapline.campaign;

import io.trapline.host.Method;
import io.trapline.host.Model;
import io.trapline.host.Placement;
import io.trapline.host.Spelled;
import io.trapline.host.Timing;
import io.trapline.host.Workload;
import io.trapline.host.guest.GuestSpec;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A campaign file, checked: paths x workloads x models x CPU counts x rounds. {@link CampaignReader} makes it.
 *
 * @param name the file's metadata.name
 * @param question what it is to answer, in words
 * @param paths two or more, in order; the first is the baseline
 * @param clip whether CPU counts beyond the host are left out rather than refused
 * @param rounds how often each cell is run
 * @param select which hosts run it; empty selects all
 * @param together whether all of them run each trial at the same moment; empty where each runs it for itself
 * @param deadline how long the run may take, from its start or resumption; empty: as long as it takes
 * @param places where its parts stand in the file, for problems that only a host brings to light
 */
public record Campaign(
        String name,
        Optional<String> question,
        List<Path> paths,
        List<Workload> workloads,
        List<Model> models,
        CpuCounts cpus,
        boolean clip,
        Placement placement,
        Timing timing,
        int rounds,
        Optional<Selector> select,
        Optional<Together> together,
        OnLoss onLoss,
        Optional<Gate> gate,
        Optional<Duration> deadline,
        Places places) {
    public Campaign {
        paths = List.copyOf(paths);
        workloads = List.copyOf(workloads);
        models = List.copyOf(models);
    }

    /**
     * One of the variants under comparison.
     *
     * @param select the hosts that this path lives on, besides the campaign's selector
     * @param guest what it is booted in, when it has a kernel of its own
     */
    public record Path(String name, Method method, Optional<Selector> select, Optional<GuestSpec> guest) {}

    /** Which CPU counts are measured. */
    public sealed interface CpuCounts {
        /** These, ascending and without repeats. */
        record Listed(List<Integer> counts) implements CpuCounts {
            public Listed {
                counts = List.copyOf(counts);
            }
        }

        /** 1, 2, 4 ... up to the host's CPUs, and those. */
        record PowersOfTwo() implements CpuCounts {}

        /** 1, a core's threads, a last-level cache's cores, a NUMA node, each further NUMA node, all. */
        record ByTopology() implements CpuCounts {}

        /** All CPUs of the host. */
        record All() implements CpuCounts {}
    }

    /**
     * Trials of all hosts at the same moment.
     *
     * @param skew how far apart their starts may be, at most
     */
    public record Together(Duration skew) {}

    /** What happens when a trial is lost. */
    public enum OnLoss implements Spelled {
        /** It is run once more; then it counts as failed. */
        REPEAT("repeat"),
        /** The campaign ends. */
        FAIL("fail"),
        /** The row is left incomplete. */
        PARTIAL("partial");

        private final String spelling;

        OnLoss(String spelling) {
            this.spelling = spelling;
        }

        @Override
        public String spelling() {
            return spelling;
        }
    }

    /**
     * When the campaign counts as failed.
     *
     * @param slower a path whose ratio to the baseline is below 1 - slower, with all of its interval, fails; it passes
     *     when no part of the interval is; 0.03 is 3 %
     */
    public record Gate(double slower) {}

    /**
     * Places such as {@code quick.yaml:7:12}; that of a part that is left out is the spec's.
     *
     * @param hosts of the selector
     * @param paths by the path's name
     */
    public record Places(String spec, String cpus, String placement, String hosts, Map<String, String> paths) {
        public Places {
            paths = Map.copyOf(paths);
        }
    }
}

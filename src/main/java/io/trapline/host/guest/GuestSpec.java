package io.trapline.host.guest;

import io.trapline.host.CpuSet;
import io.trapline.host.Spelled;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * A guest as a campaign asks for it.
 *
 * @param cpus how many, from 1 to {@value #MAX_CPUS}; 1 when exact
 * @param memoryMiB in all; where nodes name their own, the sum of those
 * @param nodes its NUMA nodes by id; empty for one node with all
 * @param distances those that are not 10 (to itself) or 20
 * @param append further kernel arguments
 * @param exact whether its instructions are counted
 */
public record GuestSpec(
        KernelSource kernel,
        int cpus,
        int memoryMiB,
        List<Node> nodes,
        List<Distance> distances,
        String append,
        Wanted accelerator,
        boolean exact) {
    /** The most CPUs of a guest. */
    public static final int MAX_CPUS = 255;

    public GuestSpec {
        nodes = List.copyOf(nodes);
        distances = List.copyOf(distances);
    }

    /** The same, but what runs it is no choice any more. */
    public GuestSpec with(Accelerator used) {
        Wanted wanted = used == Accelerator.KVM ? Wanted.KVM : Wanted.EMULATION;
        return new GuestSpec(kernel, cpus, memoryMiB, nodes, distances, append, wanted, exact);
    }

    /** Where a kernel comes from. */
    public sealed interface KernelSource {
        /** A file on this machine. */
        record Image(Path file) implements KernelSource {
            @Override
            public String toString() {
                return file.toString();
            }
        }

        /**
         * Debian's newest cloud kernel of a version.
         *
         * @param version two numbers, such as 6.12
         * @param arch this machine's when empty
         */
        record Debian(String version, Optional<Arch> arch) implements KernelSource {
            @Override
            public String toString() {
                return "debian:" + version + arch.map(a -> "/" + a.spelling()).orElse("");
            }
        }
    }

    /** A NUMA node; without CPUs one of memory alone. */
    public record Node(CpuSet cpus, int memoryMiB) {}

    /** How far two NUMA nodes are apart, both ways; from 10 to 254, as in ACPI's SLIT. */
    public record Distance(int from, int to, int value) {}

    /** What a campaign wants to run its guests. */
    public enum Wanted implements Spelled {
        /** KVM where it works, else emulation. */
        BEST("best"),
        /** KVM or nothing. */
        KVM("kvm"),
        /** Emulation, even where KVM works. */
        EMULATION("emulation");

        private final String spelling;

        Wanted(String spelling) {
            this.spelling = spelling;
        }

        @Override
        public String spelling() {
            return spelling;
        }
    }
}

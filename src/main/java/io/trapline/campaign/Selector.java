package io.trapline.campaign;

import io.trapline.host.HostProfile;
import io.trapline.host.Spelled;
import io.trapline.host.Topology;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * Which hosts, by profile: {@code kernel>=6.15 and arch=aarch64}. All terms must hold. {@link SelectorReader} reads the
 * notation.
 *
 * @param terms one or more
 */
public record Selector(List<Term> terms) {
    public Selector {
        terms = List.copyOf(terms);
    }

    /** What a term looks at. */
    public enum Key implements Spelled {
        /**
         * The numbers that uname(2)'s release begins with: 6.12.1 of {@code 6.12.1-cloud}. Compared to as many of them
         * as the term has, so that {@code kernel=6.12} and {@code kernel<=6.12} hold for 6.12.1.
         */
        KERNEL("kernel", true),
        /** x86_64 or aarch64. */
        ARCH("arch", false),
        /** The host's name. */
        HOST("host", false),
        /** How many CPUs can be measured there: online and allowed. */
        CPUS("cpus", true),
        /** How many NUMA nodes have such a CPU. */
        NODES("nodes", true),
        /** Whether it is a virtual machine: true or false. */
        VIRTUAL("virtual", false);

        private final String spelling;
        private final boolean ordered;

        Key(String spelling, boolean ordered) {
            this.spelling = spelling;
            this.ordered = ordered;
        }

        @Override
        public String spelling() {
            return spelling;
        }

        /** Whether it can be less or more, not only equal. */
        boolean ordered() {
            return ordered;
        }

        private String of(HostProfile host) {
            return switch (this) {
                case KERNEL ->
                    Version.leading(host.kernel().release())
                            .map(Version::toString)
                            .orElse(host.kernel().release());
                case ARCH -> host.arch();
                case HOST -> host.name();
                case CPUS -> String.valueOf(host.topology().usable().size());
                case NODES -> String.valueOf(nodes(host.topology()));
                case VIRTUAL -> String.valueOf(host.virtualization().isPresent());
            };
        }

        private static long nodes(Topology topology) {
            return topology.nodes().stream()
                    .filter(n -> !n.cpus().and(topology.usable()).isEmpty())
                    .count();
        }
    }

    /** How a term compares. */
    public enum Op implements Spelled {
        EQUAL("="),
        NOT_EQUAL("!="),
        AT_LEAST(">="),
        AT_MOST("<="),
        MORE(">"),
        LESS("<");

        private final String spelling;

        Op(String spelling) {
            this.spelling = spelling;
        }

        @Override
        public String spelling() {
            return spelling;
        }

        /** Whether it holds when the host's value compares so to the term's: negative, zero, positive. */
        boolean holds(int compared) {
            return switch (this) {
                case EQUAL -> compared == 0;
                case NOT_EQUAL -> compared != 0;
                case AT_LEAST -> compared >= 0;
                case AT_MOST -> compared <= 0;
                case MORE -> compared > 0;
                case LESS -> compared < 0;
            };
        }
    }

    /**
     * One condition.
     *
     * @param value a version for the kernel, a number for counts, else a word
     */
    public record Term(Key key, Op op, String value) {
        private boolean holds(String actual) {
            if (!key.ordered()) {
                return op.holds(actual.compareTo(value));
            }
            // A release that begins with no number is in no order with any version.
            return Version.leading(actual)
                    .map(v -> op.holds(v.compareUpTo(Version.leading(value).orElseThrow())))
                    .orElse(false);
        }

        @Override
        public String toString() {
            return key.spelling() + op.spelling() + value;
        }
    }

    /** Why the host is not meant, naming each term that fails; empty when it is meant. */
    public Optional<String> whyNot(HostProfile host) {
        String failing = terms.stream()
                .filter(t -> !t.holds(t.key().of(host)))
                .map(t -> t.key().spelling() + " is " + t.key().of(host) + ", not " + t)
                .collect(Collectors.joining("; "));
        return failing.isEmpty() ? Optional.empty() : Optional.of(failing);
    }

    /** The selector in its notation. */
    @Override
    public String toString() {
        return terms.stream().map(Term::toString).collect(Collectors.joining(" and "));
    }
}

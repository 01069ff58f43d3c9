package io.trapline.campaign;

import io.trapline.host.HostProfile;
import io.trapline.host.Spelled;
import io.trapline.host.Topology;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * Which hosts, by profile and labels: {@code kernel>=6.15 and label.rack=b}. All terms must hold. {@link SelectorReader} reads the
 * notation.
 *
 * @param terms one or more
 */
public record Selector(List<Term> terms) {
    public Selector {
        terms = List.copyOf(terms);
    }

    /** What a term about a label begins with: {@code label.rack=b}. */
    static final String LABEL_PREFIX = "label.";

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
        VIRTUAL("virtual", false),
        /** A label that its worker was given; a host without it has no value, which equals none. */
        LABEL(LABEL_PREFIX + "KEY", false);

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

        private String of(HostProfile host, String label) {
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
                case LABEL -> host.labels().getOrDefault(label, "");
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
     * @param label whose value is looked at by a term about a label; empty in all others
     * @param value a version for the kernel, a number for counts, else a word
     */
    public record Term(Key key, String label, Op op, String value) {
        private Optional<String> whyNot(HostProfile host) {
            String actual = key.of(host, label);
            if (holds(actual)) {
                return Optional.empty();
            }
            return Optional.of(
                    key == Key.LABEL && actual.isEmpty()
                            ? "it has no " + name() + nearest(host)
                            : name() + " is " + actual + ", not " + this);
        }

        private String nearest(HostProfile host) {
            return Nearest.to(label, host.labels().keySet())
                    .map(meant -> ", but " + LABEL_PREFIX + meant)
                    .orElse("");
        }

        private String name() {
            return key == Key.LABEL ? LABEL_PREFIX + label : key.spelling();
        }

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
            return name() + op.spelling() + value;
        }
    }

    /** Why the host is not meant, naming each term that fails; empty when it is meant. */
    public Optional<String> whyNot(HostProfile host) {
        String failing =
                terms.stream().flatMap(term -> term.whyNot(host).stream()).collect(Collectors.joining("; "));
        return failing.isEmpty() ? Optional.empty() : Optional.of(failing);
    }

    /** The selector in its notation. */
    @Override
    public String toString() {
        return terms.stream().map(Term::toString).collect(Collectors.joining(" and "));
    }
}

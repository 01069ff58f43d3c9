package io.trapline.report;

import io.trapline.analysis.Estimate;
import io.trapline.analysis.Finding;
import io.trapline.analysis.JointResult;
import io.trapline.analysis.Results;
import io.trapline.analysis.Verdict;
import io.trapline.host.HostProfile;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;

/** What hosts did together: the sum, each host's share, and how well they started together. */
final class Togethers {
    private static final String NONE = "-";
    private static final List<Block.Column> COLUMNS = List.of(
            new Block.Column("path", false),
            new Block.Column("workload", false),
            new Block.Column("cpus", true),
            new Block.Column("hosts", true),
            new Block.Column("M/s", true),
            new Block.Column("sd", true),
            new Block.Column("rounds", true),
            new Block.Column("ratio to first path", true),
            new Block.Column("finding", false),
            new Block.Column("worst skew", true),
            new Block.Column("verdict", false));

    private Togethers() {}

    static List<Block> blocks(Results results) {
        List<JointResult> joints = results.joints();
        JointResult one = joints.get(0);
        return List.of(
                new Block.Paragraph("One trial on all hosts at the same moment: the sum of their rates. Skew: from the"
                        + " start of the first thread on any host to that of the last, by clocks that were compared in"
                        + " round trips, and by how much that may be wrong; above "
                        + Figures.nanoseconds(one.skewLimitNs())
                        + " in all, or without all hosts, there is no sum. onLoss: " + one.onLoss() + "."),
                new Block.Grid(
                        COLUMNS,
                        joints.stream().map(joint -> row(results, joint)).toList()),
                new Block.Bullets(
                        joints.stream().map(joint -> shares(results, joint)).toList()));
    }

    /** What the sum is marked with: one host that is no hardware makes it none. */
    static Optional<HostProfile.Mark> mark(Results results, JointResult joint) {
        return joint.shares().stream()
                .flatMap(share -> results.host(share.host()).flatMap(HostProfile::mark).stream())
                .max(Comparator.naturalOrder());
    }

    /** What the ratio to the first path says. */
    static String finding(Estimate estimate) {
        return Finding.of(Optional.of(estimate)).words();
    }

    private static List<String> row(Results results, JointResult joint) {
        return List.of(
                joint.path() + marked(results, joint),
                joint.workload().name(),
                String.valueOf(joint.cpus()),
                String.valueOf(joint.shares().size()),
                joint.rates().map(r -> Figures.millions(r.mean())).orElse(NONE),
                joint.rates().map(r -> Figures.millions(r.sd())).orElse(NONE),
                joint.valid() + " of " + joint.rounds().size(),
                joint.toFirst().map(e -> Figures.ratio(e.ratio(), 3)).orElse(NONE),
                joint.toFirst().map(Togethers::finding).orElse(NONE),
                skew(joint),
                joint.verdict().name());
    }

    private static String marked(Results results, JointResult joint) {
        return mark(results, joint).map(mark -> " [" + mark + "]").orElse("");
    }

    private static String skew(JointResult joint) {
        return joint.rounds().stream()
                .filter(round -> round.skewNs().isPresent())
                .max(Comparator.comparingLong(round -> round.skewNs().getAsLong()))
                .map(worst -> Figures.nanoseconds(worst.skewNs().getAsLong()) + " ± "
                        + Figures.nanoseconds(worst.uncertaintyNs().orElseThrow()))
                .orElse(NONE);
    }

    private static String shares(Results results, JointResult joint) {
        double sum = joint.rates().map(r -> r.mean()).orElse(0.0);
        String shares = joint.shares().stream()
                .map(share -> share.host() + " (" + Figures.cpus(share.cpus()) + ") " + rate(share, sum))
                .collect(Collectors.joining("; "));
        String gaps = joint.rounds().stream()
                .filter(round -> round.verdict() != Verdict.VALID)
                .map(round -> ". Round " + round.round() + " is "
                        + round.verdict().name().toLowerCase(Locale.ROOT) + ": " + String.join("; ", round.reasons()))
                .collect(Collectors.joining());
        return joint.path() + " " + joint.workload().name() + ", " + Figures.cpus(joint.cpus()) + marked(results, joint)
                + ": " + shares + gaps;
    }

    private static String rate(JointResult.Share share, double sum) {
        return share.rate().isEmpty()
                ? NONE
                : Figures.millions(share.rate().getAsDouble()) + "M/s, "
                        + Figures.fixed(100 * share.rate().getAsDouble() / sum, 1) + "%";
    }
}

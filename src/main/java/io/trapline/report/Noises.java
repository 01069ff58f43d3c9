package io.trapline.report;

import io.trapline.analysis.CellResult;
import io.trapline.analysis.Disturbance;
import io.trapline.analysis.Results;
import io.trapline.analysis.Summary;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** What a reader must know before trusting a small difference. */
final class Noises {
    private static final double WIDE = 0.01;

    private Noises() {}

    static List<Block> blocks(Results results, Groups groups) {
        List<String> items = new ArrayList<>();
        // what else the machine does takes time, and adds no instruction to those of a guest that are counted
        results.hosts().stream()
                .filter(host -> !host.countsInstructions())
                .forEach(host -> host.noise()
                        .forEach(noise -> items.add(host.name() + ": " + noise.what()
                                + noise.fix().map(f -> "; " + f).orElse(""))));
        for (Disturbance disturbance : Disturbance.values()) {
            disturbance(results, groups, disturbance).ifPresent(items::add);
        }
        spread(results, groups).ifPresent(items::add);
        return List.of(items.isEmpty() ? new Block.Paragraph("Nothing known.") : new Block.Bullets(items));
    }

    private static Optional<String> disturbance(Results results, Groups groups, Disturbance disturbance) {
        long trials = results.cells().stream().mapToInt(CellResult::valid).sum();
        long hit = results.cells().stream()
                .flatMap(CellResult::measured)
                .filter(m -> disturbance.in(m) > 0)
                .count();
        if (hit == 0) {
            return Optional.empty();
        }
        long sum = results.cells().stream().mapToLong(c -> sum(c, disturbance)).sum();
        CellResult worst = results.cells().stream()
                .max(Comparator.comparingLong(c -> sum(c, disturbance)))
                .orElseThrow();
        return Optional.of(disturbance.inWords(sum) + ", in " + hit + " of "
                + Figures.count(trials, "valid trial") + "; most in "
                + groups.name(worst.cell()) + ": " + sum(worst, disturbance));
    }

    private static long sum(CellResult cell, Disturbance disturbance) {
        return cell.measured().mapToLong(disturbance::in).sum();
    }

    private static Optional<String> spread(Results results, Groups groups) {
        List<CellResult> wide =
                results.cells().stream().filter(c -> relativeSd(c) > WIDE).toList();
        return wide.stream()
                .max(Comparator.comparingDouble(Noises::relativeSd))
                .map(widest -> Figures.count(wide.size(), "row") + " of "
                        + results.cells().size() + " with a standard deviation above 1% of the mean; widest "
                        + groups.name(widest.cell()) + ": " + Figures.fixed(100 * relativeSd(widest), 1) + "%");
    }

    private static double relativeSd(CellResult cell) {
        return cell.rates().map(Summary::relativeSd).orElse(0.0);
    }
}

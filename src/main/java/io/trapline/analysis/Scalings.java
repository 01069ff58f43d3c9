package io.trapline.analysis;

import io.trapline.campaign.Cell;
import io.trapline.host.Model;
import io.trapline.host.Workload;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/** What the cells of a path say about its scaling; rounds pair them, as they pair paths. */
final class Scalings {
    /** Cells that differ in their CPUs alone. */
    private record Curve(String host, Model model, String path, Workload workload) {
        static Curve of(CellResult result) {
            Cell cell = result.cell();
            return new Curve(cell.host(), cell.model(), cell.path(), cell.workload());
        }
    }

    private final ComparisonMethod method;

    Scalings(ComparisonMethod method) {
        this.method = method;
    }

    /** One for each curve of two or more cells with valid trials, in the cells' order, which has CPUs ascending. */
    List<Scaling> of(List<CellResult> cells) {
        return cells.stream()
                .filter(c -> c.valid() > 0)
                .collect(Collectors.groupingBy(Curve::of, LinkedHashMap::new, Collectors.toList()))
                .values()
                .stream()
                .filter(curve -> curve.size() > 1)
                .map(this::scaling)
                .toList();
    }

    private Scaling scaling(List<CellResult> curve) {
        CellResult first = curve.get(0);
        CellResult last = curve.get(curve.size() - 1);
        Estimate change = compare(first, last);
        return new Scaling(
                first.cell(),
                last.cell(),
                change,
                Finding.of(Optional.of(change)),
                Consumers.differ(first, last).isEmpty(),
                curve.subList(1, curve.size() - 1).stream()
                        .max(Comparator.comparingDouble(Scalings::rate))
                        .map(peak -> new Scaling.Peak(peak.cell(), rate(peak), compare(peak, last)))
                        .filter(peak -> rate(first) < peak.rate())
                        .filter(peak -> Finding.of(Optional.of(peak.last())) == Finding.SLOWER));
    }

    private static double rate(CellResult cell) {
        return cell.rates().orElseThrow().mean();
    }

    private Estimate compare(CellResult baseline, CellResult other) {
        return method.compare(baseline.trialRates(), other.trialRates()).orElseThrow();
    }
}

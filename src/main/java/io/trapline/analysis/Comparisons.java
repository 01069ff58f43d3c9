package io.trapline.analysis;

import io.trapline.campaign.Cell;
import io.trapline.journal.JournalRecord;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;

/** Which cells are compared with which, and what that says. */
final class Comparisons {
    private final List<String> paths;
    private final Optional<Double> gate;
    private final List<CellResult> cells;
    private final ComparisonMethod method;
    private final Map<Cell, CellResult> byCell = new HashMap<>();

    Comparisons(JournalRecord.Run run, List<CellResult> cells, ComparisonMethod method) {
        this.paths = run.paths().stream().map(JournalRecord.PathUsed::name).toList();
        this.gate = run.gate();
        this.cells = cells;
        this.method = method;
        cells.forEach(c -> byCell.put(c.cell(), c));
    }

    /** Each path with the first one, and with the one before it where that is another. */
    List<Comparison> all() {
        List<Comparison> all = new ArrayList<>();
        for (int i = 1; i < paths.size(); i++) {
            compare(all, paths.get(i), paths.get(0), true);
            if (i > 1) {
                compare(all, paths.get(i), paths.get(i - 1), false);
            }
        }
        return all;
    }

    private void compare(List<Comparison> all, String path, String baseline, boolean toFirst) {
        for (CellResult result : cells) {
            Cell cell = result.cell();
            CellResult other = byCell.get(new Cell(baseline, cell.workload(), cell.model(), cell.cpus(), cell.host()));
            if (cell.path().equals(path) && other != null) {
                all.add(comparison(result, other, toFirst));
            }
        }
    }

    private Comparison comparison(CellResult result, CellResult other, boolean toFirst) {
        String baseline = other.cell().path();
        Optional<String> apart = Consumers.differ(other, result);
        Optional<Estimate> estimate =
                apart.isPresent() ? Optional.empty() : method.compare(rates(other), rates(result));
        return new Comparison(
                result.cell(),
                baseline,
                toFirst,
                estimate,
                apart.isPresent() ? Finding.NOT_COMPARABLE : Finding.of(estimate),
                apart,
                gate.filter(g -> toFirst).map(slower -> GateResult.of(estimate, slower)));
    }

    private static NavigableMap<Integer, Double> rates(CellResult cell) {
        NavigableMap<Integer, Double> rates = new TreeMap<>();
        cell.trials()
                .forEach(t -> t.measured().ifPresent(m -> rates.put(t.planned().round(), m.rate())));
        return rates;
    }
}

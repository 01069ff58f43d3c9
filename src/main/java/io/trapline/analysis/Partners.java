package io.trapline.analysis;

import io.trapline.campaign.Cell;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * Which cell of another path a cell is compared with: the one on the same CPUs of the same host. Where there is none,
 * each of the two paths may live on a host of its own; then it is the one with as many CPUs there. As soon as one of
 * them lives on several hosts, no pair of hosts is better than another one, and nothing is compared.
 */
final class Partners {
    private final List<CellResult> cells;

    Partners(List<CellResult> cells) {
        this.cells = cells;
    }

    /** The partner; empty when there is none, or more than one candidate. */
    Optional<CellResult> of(Cell cell, String path) {
        List<CellResult> candidates = like(cell, path);
        Predicate<Cell> here = c -> c.host().equals(cell.host());
        Optional<CellResult> same = candidates.stream()
                .filter(c -> here.test(c.cell()) && c.cell().cpus().equals(cell.cpus()))
                .findFirst();
        boolean apart = candidates.size() == 1
                && like(cell, cell.path()).size() == 1
                && candidates.stream().noneMatch(c -> here.test(c.cell()));
        return same.isPresent() || !apart ? same : Optional.of(candidates.get(0));
    }

    /** Why there is none, in words. */
    String whyNone(Cell cell, String path) {
        return "no row of " + path + " is on the same CPUs of the same host, and rows of different hosts are compared"
                + " only where each path has one such row; " + path + " has " + hosts(like(cell, path)) + ", "
                + cell.path() + " " + hosts(like(cell, cell.path()));
    }

    private List<CellResult> like(Cell cell, String path) {
        return cells.stream()
                .filter(c -> c.cell().path().equals(path)
                        && c.cell().workload().equals(cell.workload())
                        && c.cell().model() == cell.model()
                        && c.cell().cpus().size() == cell.cpus().size())
                .toList();
    }

    private static String hosts(List<CellResult> cells) {
        List<String> hosts = cells.stream().map(c -> c.cell().host()).distinct().toList();
        return hosts.isEmpty() ? "none" : cells.size() + " (on " + String.join(", ", hosts) + ")";
    }
}

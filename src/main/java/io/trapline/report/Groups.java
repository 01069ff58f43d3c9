package io.trapline.report;

import io.trapline.analysis.CellResult;
import io.trapline.analysis.Comparison;
import io.trapline.analysis.Results;
import io.trapline.campaign.Cell;
import io.trapline.host.Model;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Cells of one host and one model stand together, and apart from all others: figures of different hosts or models are
 * never mixed. Names tell the group only where there is a choice.
 */
record Groups(List<Group> all, boolean severalHosts, boolean severalModels) {

    /** One host and model. */
    record Group(String host, Model model) {
        boolean has(Cell cell) {
            return cell.host().equals(host) && cell.model() == model;
        }
    }

    static Groups of(Results results) {
        List<Group> all = results.cells().stream()
                .map(CellResult::cell)
                .map(Groups::group)
                .distinct()
                .toList();
        return new Groups(
                all,
                all.stream().map(Group::host).distinct().count() > 1,
                all.stream().anyMatch(g -> g.model() != Model.THREADS));
    }

    private static Group group(Cell cell) {
        return new Group(cell.host(), cell.model());
    }

    /** A name, and the group where it is needed: {@code locked}, or {@code locked, processes on vm2}. */
    String name(String name, Group group) {
        return name
                + (severalModels ? ", " + group.model().spelling() : "")
                + (severalHosts ? " on " + group.host() : "");
    }

    /** {@code lockless against locked}, with hosts where they matter. */
    String versus(Comparison comparison) {
        Group group = group(comparison.cell());
        String path = comparison.cell().path();
        return comparison
                .baselineHost()
                .map(host ->
                        name(path, group) + " against " + name(comparison.baseline(), new Group(host, group.model())))
                .orElseGet(() -> name(path + " against " + comparison.baseline(), group));
    }

    /** All but the CPUs: {@code lockless uprobe-nop}. */
    String row(Cell cell) {
        return name(cell.path() + " " + cell.workload(), group(cell));
    }

    /** {@code lockless uprobe-nop at 1 and 2 CPUs}, for each path and workload among them. */
    String rows(List<Cell> cells) {
        return cells.stream()
                .collect(Collectors.groupingBy(this::row, LinkedHashMap::new, Collectors.toList()))
                .entrySet()
                .stream()
                .map(e -> e.getKey() + " "
                        + Figures.at(
                                e.getValue().stream().map(c -> c.cpus().size()).toList(), Integer.MAX_VALUE))
                .collect(Collectors.joining("; "));
    }

    /** All that tells a cell from others: {@code lockless uprobe-nop, 2 CPUs}. */
    String name(Cell cell) {
        return name(
                cell.path() + " " + cell.workload() + ", "
                        + Figures.cpus(cell.cpus().size()),
                group(cell));
    }
}

package io.trapline.report;

import io.trapline.analysis.CellResult;
import io.trapline.analysis.Comparison;
import io.trapline.analysis.Results;
import io.trapline.campaign.Cell;
import io.trapline.host.HostProfile;
import io.trapline.host.Model;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Cells of one site (a host, or a machine with its guests) and one model stand together, and apart from all others:
 * figures of different sites or models are never mixed, nor are times and path lengths. Names tell the group only where there is a choice.
 */
record Groups(List<Group> all, boolean severalHosts, boolean severalModels) {

    /**
     * One site and model.
     *
     * @param hosts those of the site
     * @param kind what its figures are
     */
    record Group(String site, List<String> hosts, Model model, Kind kind) {
        boolean has(Cell cell) {
            return hosts.contains(cell.host()) && cell.model() == model;
        }
    }

    /** What figures are. */
    enum Kind {
        TIMES,
        EMULATED_TIMES,
        SIMULATED_TIMES,
        PATH_LENGTHS
    }

    static Groups of(Results results) {
        List<Group> all = results.cells().stream()
                .map(CellResult::cell)
                .map(cell -> group(results, cell))
                .distinct()
                .toList();
        return new Groups(
                all,
                all.stream().map(Group::site).distinct().count() > 1,
                all.stream().anyMatch(g -> g.model() != Model.THREADS));
    }

    private static Group group(Results results, Cell cell) {
        String site = results.host(cell.host()).map(HostProfile::site).orElse(cell.host());
        List<HostProfile> hosts = results.hosts().stream()
                .filter(h -> h.site().equals(site)
                        && h.countsInstructions() == results.counted(cell)
                        && results.cells().stream()
                                .anyMatch(c -> c.cell().host().equals(h.name())))
                .toList();
        List<String> names = hosts.isEmpty()
                ? List.of(cell.host())
                : hosts.stream().map(HostProfile::name).toList();
        return new Group(site, names, cell.model(), kind(hosts));
    }

    /** Of times of several kinds the worst: what is compared with an emulated time is none either. */
    private static Kind kind(List<HostProfile> hosts) {
        if (!hosts.isEmpty() && hosts.stream().allMatch(HostProfile::countsInstructions)) {
            return Kind.PATH_LENGTHS;
        }
        if (hosts.stream().anyMatch(HostProfile::simulated)) {
            return Kind.SIMULATED_TIMES;
        }
        return hosts.stream().anyMatch(HostProfile::emulated) ? Kind.EMULATED_TIMES : Kind.TIMES;
    }

    private Group group(Cell cell) {
        return group(cell.host(), cell.model());
    }

    private Group group(String host, Model model) {
        return all.stream()
                .filter(g -> g.hosts().contains(host) && g.model() == model)
                .findFirst()
                .orElseThrow();
    }

    /** A name, and the group where it is needed: {@code locked}, or {@code locked, processes on vm2}. */
    String name(String name, Group group) {
        return name
                + (severalModels ? ", " + group.model().spelling() : "")
                + (severalHosts ? " on " + group.site() : "");
    }

    /** The same with the mark of figures that are no hardware's: {@code locked [EMULATED]}. */
    String marked(String name, Group group) {
        return mark(name(name, group), group);
    }

    /** A text that names the group already, with that mark. */
    String mark(String text, Group group) {
        return switch (group.kind()) {
            case EMULATED_TIMES -> text + " [EMULATED]";
            case SIMULATED_TIMES -> text + " [SIMULATED]";
            case TIMES, PATH_LENGTHS -> text;
        };
    }

    /** Whether there are figures of that kind. */
    boolean has(Kind kind) {
        return all.stream().anyMatch(g -> g.kind() == kind);
    }

    /** Those whose figures are times. */
    List<Group> timed() {
        return all.stream().filter(g -> g.kind() != Kind.PATH_LENGTHS).toList();
    }

    /** Those whose figures are path lengths. */
    List<Group> counted() {
        return all.stream().filter(g -> g.kind() == Kind.PATH_LENGTHS).toList();
    }

    /** {@code lockless against locked}, with hosts where they matter. */
    String versus(Comparison comparison) {
        Group group = group(comparison.cell());
        String path = comparison.cell().path();
        return comparison
                .baselineHost()
                .map(host -> name(path, group) + " against " + name(comparison.baseline(), group(host, group.model())))
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

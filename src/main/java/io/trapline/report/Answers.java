package io.trapline.report;

import io.trapline.analysis.CellResult;
import io.trapline.analysis.Comparison;
import io.trapline.analysis.Estimate;
import io.trapline.analysis.Finding;
import io.trapline.analysis.Results;
import io.trapline.host.Workload;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** The results in a sentence a workload. */
final class Answers {
    private final Results results;
    private final Groups groups;

    Answers(Results results, Groups groups) {
        this.results = results;
        this.groups = groups;
    }

    /** None when nothing was measured. */
    List<String> sentences() {
        List<String> answers = new ArrayList<>();
        for (Groups.Group group : groups.all()) {
            for (Workload workload : workloads(group)) {
                List<String> sentences = new ArrayList<>(
                        group.kind() == Groups.Kind.PATH_LENGTHS
                                ? PathLengths.sentences(results, group, workload)
                                : findings(group, workload));
                sentences.addAll(Curves.sentences(results, group, workload));
                if (!sentences.isEmpty()) {
                    answers.add(groups.marked(workload.name(), group) + ": " + String.join(". ", sentences) + ".");
                }
            }
        }
        return answers;
    }

    /** What each path is against the first one. */
    private List<String> findings(Groups.Group group, Workload workload) {
        List<String> findings = new ArrayList<>();
        results.run().paths().stream().skip(1).forEach(path -> {
            Map<String, List<Comparison>> rows = results.comparisons().stream()
                    .filter(c -> c.toFirst()
                            && group.has(c.cell())
                            && c.cell().workload().equals(workload)
                            && c.cell().path().equals(path.name()))
                    .collect(Collectors.groupingBy(Answers::versus, LinkedHashMap::new, Collectors.toList()));
            rows.forEach((versus, like) -> findings.add(versus + " is " + finding(like)));
        });
        return findings;
    }

    /** The bullet names the host of the cells; another one of the baseline must not be overlooked. */
    private static String versus(Comparison row) {
        return row.cell().path() + " against " + row.baseline()
                + row.baselineHost()
                        .map(host -> " (on " + host + ", so the hosts differ as well as the path)")
                        .orElse("");
    }

    private List<Workload> workloads(Groups.Group group) {
        return results.cells().stream()
                .map(CellResult::cell)
                .filter(group::has)
                .map(c -> c.workload())
                .distinct()
                .sorted(Comparator.comparingInt(Workload.all()::indexOf))
                .toList();
    }

    private static String finding(List<Comparison> rows) {
        List<String> parts = new ArrayList<>();
        for (Finding finding : Finding.values()) {
            List<Comparison> such =
                    rows.stream().filter(c -> c.finding() == finding).toList();
            if (!such.isEmpty()) {
                parts.add(finding.words() + " "
                        + Figures.at(
                                such.stream().map(c -> c.cell().cpus().size()).toList(), rows.size())
                        + changes(such));
            }
        }
        return String.join(", ", parts);
    }

    /** The smallest and the largest change, where one was decided. */
    private static String changes(List<Comparison> rows) {
        List<Double> ratios = rows.stream()
                .filter(c -> c.finding() == Finding.FASTER || c.finding() == Finding.SLOWER)
                .flatMap(c -> c.estimate().stream())
                .map(Estimate::ratio)
                .sorted(Comparator.comparingDouble(r -> Math.abs(r - 1)))
                .toList();
        if (rows.get(0).finding() == Finding.NOT_JUDGED) {
            return " (" + Comparison.NO_HARDWARE + ")";
        }
        if (rows.get(0).finding() == Finding.NOT_COMPARABLE) {
            return " (they differ in more than the path: see Comparison)";
        }
        if (ratios.isEmpty()) {
            boolean single = rows.stream()
                    .allMatch(c -> c.estimate().isPresent()
                            && c.estimate().get().interval().isEmpty());
            return single ? " (one trial gives no interval)" : "";
        }
        String least = Figures.change(ratios.get(0));
        String most = Figures.change(ratios.get(ratios.size() - 1));
        return " (" + (least.equals(most) ? least : least + " to " + most) + ")";
    }
}

package io.trapline.report;

import io.trapline.analysis.Estimate;
import io.trapline.analysis.Finding;
import io.trapline.analysis.Results;
import io.trapline.analysis.Scaling;
import io.trapline.host.Workload;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** How far each path goes up from its smallest to its largest CPU count. */
final class Curves {
    private Curves() {}

    /** A sentence for the paths that have the same ends, without its full stop: mostly one in all. */
    static List<String> sentences(Results results, Groups.Group group, Workload workload) {
        Map<String, List<Scaling>> byEnds = results.scalings().stream()
                .filter(s -> group.has(s.from()) && s.from().workload().equals(workload))
                .collect(Collectors.groupingBy(Curves::ends, LinkedHashMap::new, Collectors.toList()));
        return byEnds.entrySet().stream()
                .map(e -> e.getKey() + ": "
                        + e.getValue().stream().map(Curves::curve).collect(Collectors.joining(", ")))
                .toList();
    }

    private static String ends(Scaling scaling) {
        int from = scaling.from().cpus().size();
        int to = scaling.to().cpus().size();
        return "From " + from + " to " + Figures.cpus(to) + " (linear is x" + Figures.fixed((double) to / from, 2)
                + ")";
    }

    private static String curve(Scaling scaling) {
        boolean clear = scaling.finding() == Finding.FASTER || scaling.finding() == Finding.SLOWER;
        return scaling.from().path() + " x" + Figures.ratio(scaling.change().ratio(), 2) + " ("
                + interval(scaling.change())
                + (clear ? "" : ", " + scaling.finding().words())
                + (scaling.sameConsumers() ? "" : "; the number of consumers changes, too")
                + scaling.peak().map(Curves::peak).orElse("") + ")";
    }

    private static String interval(Estimate change) {
        return change.interval().map(i -> Figures.interval(i, 2)).orElse("one trial");
    }

    private static String peak(Scaling.Peak peak) {
        return "; peak " + Figures.millions(peak.rate()) + "M/s at "
                + peak.cell().cpus().size();
    }
}

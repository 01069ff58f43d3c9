package io.trapline.report;

import io.trapline.analysis.CellResult;
import io.trapline.analysis.Comparison;
import io.trapline.analysis.Results;
import io.trapline.campaign.Cell;
import io.trapline.host.HostProfile;
import java.util.List;
import java.util.Optional;

/** What figures are when they are no times of hardware, as formats for programs say it of each. */
final class Marks {
    static final String PATH_LENGTH = "path length, not time";

    private Marks() {}

    /** Empty for times of hardware. */
    static Optional<String> of(Results results, Cell cell) {
        return results.counted(cell)
                ? Optional.of(PATH_LENGTH)
                : results.mark(cell).map(HostProfile.Mark::name);
    }

    /** Each that some cell has. */
    static List<String> all(Results results) {
        return results.cells().stream()
                .map(CellResult::cell)
                .flatMap(cell -> of(results, cell).stream())
                .distinct()
                .toList();
    }

    /** What would measure more than that cell's times do; empty where they are what was asked for. */
    static Optional<String> advice(Results results, Cell cell) {
        return of(results, cell)
                .filter(HostProfile.Mark.EMULATED.name()::equals)
                .map(mark -> Comparison.NO_HARDWARE);
    }
}

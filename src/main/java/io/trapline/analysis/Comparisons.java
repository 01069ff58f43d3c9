package io.trapline.analysis;

import io.trapline.campaign.Cell;
import io.trapline.host.HostProfile;
import io.trapline.journal.JournalRecord;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Which cells are compared with which, and what that says. */
final class Comparisons {
    private final List<String> paths;
    private final Optional<Double> gate;
    private final List<CellResult> cells;
    private final Partners partners;
    private final ComparisonMethod method;
    private final Map<String, HostProfile> hosts = new HashMap<>();

    Comparisons(JournalRecord.Run run, List<HostProfile> hosts, List<CellResult> cells, ComparisonMethod method) {
        this.paths = run.paths().stream().map(JournalRecord.PathUsed::name).toList();
        this.gate = run.gate();
        this.cells = cells;
        this.partners = new Partners(cells);
        this.method = method;
        hosts.forEach(host -> this.hosts.put(host.name(), host));
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
        cells.stream()
                .filter(c -> c.cell().path().equals(path))
                .map(c -> partners.of(c.cell(), baseline)
                        .map(partner -> comparison(c, partner, toFirst))
                        .orElseGet(() -> alone(c.cell(), baseline, toFirst)))
                .forEach(all::add);
    }

    private Comparison comparison(CellResult result, CellResult partner, boolean toFirst) {
        Cell cell = result.cell();
        Cell baseline = partner.cell();
        boolean apart = !site(baseline).equals(site(cell));
        List<String> notes = new ArrayList<>();
        if (apart || inGuest(baseline) != inGuest(cell)) {
            notes.add(baseline.path() + " ran on " + baseline.host() + ", " + cell.path() + " on " + cell.host()
                    + ": whatever else these hosts differ in is part of the ratio, as well as the path");
        }
        Optional<String> whyNot = Consumers.differ(partner, result).or(() -> otherTimes(baseline, cell));
        whyNot.ifPresent(notes::add);
        Optional<Estimate> estimate = whyNot.isPresent() ? Optional.empty() : estimate(partner, result, apart);
        if (estimate.isPresent() && base(cell) == TimeBase.EMULATED) {
            notes.add(Comparison.NO_HARDWARE);
        }
        return new Comparison(
                cell,
                baseline.path(),
                apart ? Optional.of(baseline.host()) : Optional.empty(),
                toFirst,
                estimate,
                whyNot.isPresent() ? Finding.NOT_COMPARABLE : finding(cell, estimate),
                notes,
                gate(cell, estimate, toFirst));
    }

    private Optional<String> otherTimes(Cell baseline, Cell path) {
        return host(baseline).flatMap(before -> host(path).flatMap(after -> TimeBase.differ(before, after)));
    }

    private Comparison alone(Cell cell, String baseline, boolean toFirst) {
        return new Comparison(
                cell,
                baseline,
                Optional.empty(),
                toFirst,
                Optional.empty(),
                Finding.NOT_COMPARED,
                List.of(partners.whyNone(cell, baseline)),
                gate(cell, Optional.empty(), toFirst));
    }

    /** Nothing ties a round of one machine to the round of that number on another one. */
    private Optional<Estimate> estimate(CellResult baseline, CellResult path, boolean apart) {
        if (base(path.cell()) == TimeBase.COUNTED) {
            return Counts.compare(baseline, path);
        }
        return apart
                ? method.compareUnpaired(baseline.trialRates(), path.trialRates())
                : method.compare(baseline.trialRates(), path.trialRates());
    }

    /** Guests of one machine take turns on it like paths of one host. */
    private String site(Cell cell) {
        return host(cell).map(HostProfile::site).orElse(cell.host());
    }

    private boolean inGuest(Cell cell) {
        return host(cell).flatMap(HostProfile::guest).isPresent();
    }

    private Optional<HostProfile> host(Cell cell) {
        return Optional.ofNullable(hosts.get(cell.host()));
    }

    private TimeBase base(Cell cell) {
        return host(cell).map(TimeBase::of).orElse(TimeBase.HARDWARE);
    }

    private Finding finding(Cell cell, Optional<Estimate> estimate) {
        return switch (base(cell)) {
            case COUNTED -> Counts.finding(estimate);
            case EMULATED -> estimate.isPresent() ? Finding.NOT_JUDGED : Finding.NOT_COMPARED;
            case HARDWARE, SIMULATED -> Finding.of(estimate);
        };
    }

    private Optional<GateResult> gate(Cell cell, Optional<Estimate> estimate, boolean toFirst) {
        return gate.filter(g -> toFirst).map(slower -> switch (base(cell)) {
            case COUNTED -> Counts.gate(estimate, slower);
            case EMULATED -> GateResult.UNDECIDED;
            case HARDWARE, SIMULATED -> GateResult.of(estimate, slower);
        });
    }
}

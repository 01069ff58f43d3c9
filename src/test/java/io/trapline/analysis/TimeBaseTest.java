package io.trapline.analysis;

import static org.assertj.core.api.Assertions.assertThat;

import io.trapline.campaign.Cell;
import io.trapline.host.HostProfile;
import io.trapline.host.Model;
import io.trapline.host.Workload;
import io.trapline.host.guest.Accelerator;
import io.trapline.journal.JournalRecord;
import io.trapline.journal.SampleRun;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Hosts whose times are not made of the same are never compared, and no gate judges them. */
class TimeBaseTest {
    /** What runs a path, all on one box. */
    enum RunBy {
        MACHINE,
        KVM,
        EMULATION,
        COUNTED,
        SIMULATION;

        HostProfile host(String path) {
            return switch (this) {
                case MACHINE -> SampleRun.host("box");
                case SIMULATION -> SampleRun.host("box").asSimulated("lab.yaml");
                default -> guest(path);
            };
        }

        private HostProfile guest(String path) {
            Accelerator accelerator = Accelerator.valueOf(name());
            OptionalInt nsEach = accelerator == Accelerator.COUNTED ? OptionalInt.of(2) : OptionalInt.empty();
            return SampleRun.host("(none)")
                    .asGuest(
                            path + "@box",
                            new HostProfile.Guest(
                                    "box",
                                    path,
                                    accelerator,
                                    nsEach,
                                    Optional.empty(),
                                    Optional.empty(),
                                    Optional.empty()));
        }
    }

    @ParameterizedTest
    @CsvSource({
        "KVM, EMULATION, are a CPU's own, are an emulator's",
        "EMULATION, KVM, are an emulator's, are a CPU's own",
        "MACHINE, EMULATION, are a CPU's own, are an emulator's",
        "MACHINE, COUNTED, are a CPU's own, are counted instructions",
        "KVM, COUNTED, are a CPU's own, are counted instructions",
        "EMULATION, COUNTED, are an emulator's, are counted instructions",
        "EMULATION, SIMULATION, are an emulator's, is simulated"
    })
    void oneKindOfTimesIsNotComparedWithAnother(RunBy before, RunBy after, String ofBefore, String ofAfter) {
        Results results = compared(before, after);
        Comparison comparison = results.comparisons().get(0);
        assertThat(comparison.finding()).isEqualTo(Finding.NOT_COMPARABLE);
        assertThat(comparison.estimate()).isEmpty();
        assertThat(comparison.gate()).hasValue(GateResult.UNDECIDED);
        assertThat(comparison.notes())
                .anySatisfy(note -> assertThat(note)
                        .contains("times of " + before.host("before").name() + " " + ofBefore, ofAfter));
        assertThat(results.outcome().exitCode()).isEqualTo(4);
    }

    @ParameterizedTest
    @EnumSource
    void timesOfOneKindAre(RunBy both) {
        assertThat(compared(both, both).comparisons().get(0).estimate()).isPresent();
    }

    /** A CPU runs both, but a guest's page tables and interrupts cost more; whoever reads the ratio must know. */
    @ParameterizedTest
    @CsvSource({"MACHINE, KVM", "KVM, MACHINE"})
    void aGuestOfKvmIsComparedWithItsMachineAndThisIsSaid(RunBy before, RunBy after) {
        Comparison comparison = compared(before, after).comparisons().get(0);
        assertThat(comparison.estimate()).isPresent();
        assertThat(comparison.notes()).singleElement().asString().contains("whatever else these hosts differ in");
    }

    private static Results compared(RunBy before, RunBy after) {
        SampleRun run = SampleRun.gated(0.03, 1, 3, "before", "after");
        HostProfile first = before.host("before");
        HostProfile second = after.host("after");
        run.add(new JournalRecord.HostSeen(first));
        if (!second.name().equals(first.name())) {
            run.add(new JournalRecord.HostSeen(second));
        }
        for (int round = 1; round <= 3; round++) {
            run.trial(cell("before", first), round, 1000).trial(cell("after", second), round, 2000);
        }
        return Analysis.of(run.journal());
    }

    private static Cell cell(String path, HostProfile host) {
        return new Cell(path, Workload.named("uprobe-nop"), Model.THREADS, SampleRun.first(1), host.name());
    }
}

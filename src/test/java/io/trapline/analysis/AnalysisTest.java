package io.trapline.analysis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;
import static org.assertj.core.api.Assertions.within;

import io.trapline.campaign.Cell;
import io.trapline.campaign.Plan;
import io.trapline.host.CpuSet;
import io.trapline.host.Model;
import io.trapline.host.Workload;
import io.trapline.journal.JournalRecord;
import io.trapline.journal.SampleRun;
import io.trapline.trigger.Reply;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Random;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class AnalysisTest {
    private static final Cell LOCKED = SampleRun.cell("locked", "uprobe-nop", 2);
    private static final Cell LOCKLESS = SampleRun.cell("lockless", "uprobe-nop", 2);

    /** E18: the kernel's bench divides by n - 1; lkp's tables divide by n and would say 0.816. */
    @Test
    void standardDeviationIsThatOfASample() {
        assertThat(Summary.of(new double[] {1, 2, 3})).isEqualTo(new Summary(3, 2, 1));
        assertThat(Summary.of(new double[] {7})).isEqualTo(new Summary(1, 7, 0));
    }

    @Test
    void aRowIsAboutAllIntervalsOfItsValidTrials() {
        SampleRun run =
                SampleRun.of(2, 2, "locked").trial(LOCKED, 1, 1000, 1200).trial(LOCKED, 2, 1400, 1600);
        assertThat(Analysis.of(run.journal()).cells().get(0).rates())
                .contains(Summary.of(new double[] {1000, 1200, 1400, 1600}));
    }

    /** The bench tool's summary divides by exactly 1 s; a late timer then shows as a faster kernel. */
    @Test
    void ratesUseTheTimeThatReallyPassed() {
        double[] seconds = {0.5, 1, 1.25, 0.9};
        UnaryOperator<Reply.OfTrial> stretched = r -> {
            if (!(r instanceof Reply.Interval i)) {
                return r;
            }
            double at = 0;
            for (int k = 0; k <= i.seq(); k++) {
                at += seconds[k];
            }
            return new Reply.Interval(i.trial(), i.seq(), Math.round(at * 1e9), i.readNs(), i.ops());
        };
        JournalRecord.Planned planned = SampleRun.planned(LOCKED, 1);
        SampleRun run = SampleRun.of(3, 1, "locked").add(planned).attempt(planned, 1, stretched, 3000, 3750, 2700);

        CellResult cell = Analysis.of(run.journal()).cells().get(0);
        assertThat(cell.rates().orElseThrow().mean()).isCloseTo(3000, within(1e-6));
        assertThat(cell.rates().orElseThrow().sd()).isCloseTo(0, within(1e-6));
        assertThat(cell.trials().get(0).measured().orElseThrow().rate()).isCloseTo(3000, within(1e-6));
    }

    @Test
    void eachPathIsComparedWithTheFirstAndTheOneBefore() {
        SampleRun run = SampleRun.of(1, 2, "a", "b", "c");
        for (int round = 1; round <= 2; round++) {
            run.trial(SampleRun.cell("c", "uprobe-nop", 1), round, 4000)
                    .trial(SampleRun.cell("a", "uprobe-nop", 1), round, 1000)
                    .trial(SampleRun.cell("b", "uprobe-nop", 1), round, 2000);
        }
        assertThat(Analysis.of(run.journal()).comparisons())
                .extracting(
                        c -> c.cell().path() + " vs " + c.baseline(),
                        Comparison::toFirst,
                        c -> Math.round(c.estimate().orElseThrow().ratio()))
                .containsExactly(tuple("b vs a", true, 2L), tuple("c vs a", true, 4L), tuple("c vs b", false, 2L));
    }

    /** Different workloads, models, CPU sets or hosts are never compared, be the counts equal or not. */
    @Test
    void onlyLikeIsComparedWithLike() {
        Cell other = new Cell("lockless", LOCKED.workload(), Model.THREADS, CpuSet.of(0, 2), "vm");
        SampleRun run = SampleRun.of(1, 1, "locked", "lockless")
                .add(new JournalRecord.HostSeen(SampleRun.host("vm2")))
                .trial(LOCKED, 1, 1000)
                .trial(other, 1, 1000)
                .trial(new Cell("lockless", LOCKED.workload(), Model.THREADS, LOCKED.cpus(), "vm2"), 1, 1000)
                .trial(new Cell("lockless", LOCKED.workload(), Model.PROCESSES, LOCKED.cpus(), "vm"), 1, 1000)
                .trial(new Cell("lockless", Workload.named("uprobe-ret"), Model.THREADS, LOCKED.cpus(), "vm"), 1, 1000);
        assertThat(Analysis.of(run.journal()).comparisons()).hasSize(4).allSatisfy(c -> {
            assertThat(c.finding()).isEqualTo(Finding.NOT_COMPARED);
            assertThat(c.estimate()).isEmpty();
            assertThat(c.notes()).singleElement().asString().startsWith("no row of locked is on the same CPUs");
        });
    }

    private static Cell on(String host, Cell cell) {
        return new Cell(cell.path(), cell.workload(), cell.model(), cell.cpus(), host);
    }

    /** A path may live on a host of its own; then its rounds have nothing to do with the other host's. */
    @Test
    void pathsThatLiveOnOneHostEachAreComparedAcrossThem() {
        SampleRun run = gated().add(new JournalRecord.HostSeen(SampleRun.host("vm2")));
        for (int round = 1; round <= 3; round++) {
            run.trial(LOCKED, round, 1000 * round).trial(on("vm2", LOCKLESS), round, 1500 * round);
        }
        Comparison comparison = Analysis.of(run.journal()).comparisons().get(0);
        assertThat(comparison.baselineHost()).contains("vm");
        assertThat(comparison.estimate()).get().extracting(Estimate::basis).isEqualTo("3+3 trials");
        assertThat(comparison.estimate().orElseThrow().ratio()).isCloseTo(1.5, within(1e-9));
        assertThat(comparison.finding()).isEqualTo(Finding.UNDECIDED);
        assertThat(comparison.gate()).contains(GateResult.UNDECIDED);
        assertThat(comparison.notes())
                .containsExactly("locked ran on vm, lockless on vm2: whatever else these hosts differ in is part of the"
                        + " ratio, as well as the path");
    }

    @Test
    void noPairOfHostsIsChosenAmongSeveral() {
        SampleRun run = gated().trial(LOCKED, 1, 1000);
        for (String host : List.of("vm2", "vm3")) {
            run.add(new JournalRecord.HostSeen(SampleRun.host(host))).trial(on(host, LOCKLESS), 1, 1500);
        }
        Results results = Analysis.of(run.journal());
        assertThat(results.comparisons())
                .extracting(c -> c.cell().host(), Comparison::finding, Comparison::gate)
                .containsExactly(
                        tuple("vm2", Finding.NOT_COMPARED, Optional.of(GateResult.UNDECIDED)),
                        tuple("vm3", Finding.NOT_COMPARED, Optional.of(GateResult.UNDECIDED)));
        assertThat(results.comparisons().get(0).notes().get(0))
                .endsWith("locked has 1 (on vm), lockless 2 (on vm2, vm3)");
        assertThat(results.outcome().exitCode()).isEqualTo(4);
    }

    /** One probe for each process against a single one: what differs is how many probes a hit pays for. */
    @Test
    void anotherNumberOfConsumersIsNotComparable() {
        Cell signal = SampleRun.cell("lockless", "signal-raise", 2);
        SampleRun run = SampleRun.of(1, 2, "locked", "lockless");
        for (int round = 1; round <= 2; round++) {
            JournalRecord.Planned planned = SampleRun.planned(LOCKED, round);
            run.add(planned).attempt(planned, 1, SampleRun.withConsumers(2), 1000);
            run.trial(LOCKLESS, round, 2000)
                    .trial(SampleRun.cell("locked", "signal-raise", 2), round, 1000)
                    .trial(signal, round, 2000);
        }
        assertThat(Analysis.of(run.journal()).comparisons())
                .extracting(
                        c -> c.cell().workload().name(),
                        Comparison::finding,
                        c -> c.estimate().isPresent(),
                        Comparison::notes)
                .containsExactly(
                        tuple(
                                "uprobe-nop",
                                Finding.NOT_COMPARABLE,
                                false,
                                List.of("locked has 2 consumers at each hit, lockless 1 consumer: each costs every"
                                        + " hit time, so the rates differ by more than the path")),
                        tuple("signal-raise", Finding.FASTER, true, List.of()));
    }

    @Test
    void whatClipLeftOutIsSaid() {
        SampleRun run = SampleRun.of(1, 1, "locked").trial(LOCKED, 1, 1000);
        run.add(new JournalRecord.Clipped(new Plan.Clipped("vm", List.of(128, 256), 64)));

        assertThat(Analysis.of(run.journal()).remarks())
                .contains("clip leaves out the CPU counts 128, 256 on vm, where 64 CPUs are usable");
        assertThat(Analysis.of(run.journal()).outcome().exitCode()).isZero();
    }

    private static Results.Outcome outcome(SampleRun run, boolean unfinished, double... changes) {
        for (int round = 1; round <= changes.length; round++) {
            run.trial(LOCKED, round, 100_000).trial(LOCKLESS, round, 100_000 * changes[round - 1]);
        }
        if (unfinished) {
            run.add(SampleRun.planned(LOCKED, changes.length + 1));
        }
        return Analysis.of(run.journal()).outcome();
    }

    private static SampleRun gated() {
        return SampleRun.gated(0.03, 1, 3, "locked", "lockless");
    }

    @Test
    void exitCodes() {
        assertThat(outcome(SampleRun.of(1, 3, "locked", "lockless"), false, 0.9, 0.9, 0.9)
                        .exitCode())
                .isZero();
        assertThat(outcome(gated(), false, 0.98, 0.98, 0.98).exitCode()).isZero();
        assertThat(outcome(gated(), false, 0.9, 0.9, 0.9).exitCode()).isEqualTo(3);
        assertThat(outcome(gated(), true, 0.9, 0.9, 0.9).exitCode()).isEqualTo(3);
        assertThat(outcome(gated(), true, 0.98, 0.98, 0.98).exitCode()).isEqualTo(4);
        assertThat(outcome(gated(), true, 0.98, 0.98, 0.98).reasons()).containsExactly("1 of 7 trials incomplete");
        assertThat(Analysis.of(SampleRun.of(1, 1, "a", "b").journal()).outcome().exitCode())
                .isEqualTo(4);
    }

    @Test
    void aRunThatItsDeadlineEndedIsTwoUnlessItsGateHasFailed() {
        JournalRecord end = new JournalRecord.Ended(
                JournalRecord.Ended.timeUp(Duration.ofMinutes(30)), 1_800_000, 900_000, SampleRun.AT);

        Results.Outcome plain = outcome(SampleRun.of(1, 3, "locked", "lockless").add(end), true, 1, 1);
        assertThat(plain.exitCode()).isEqualTo(2);
        assertThat(plain.reasons()).contains("deadline: the 30m that the campaign may take have passed");
        assertThat(outcome(gated().add(end), true, 0.9, 0.9, 0.9).exitCode()).isEqualTo(3);
    }

    static Stream<Arguments> theGateLooksAtTheWholeInterval() {
        return Stream.of(
                Arguments.of(GateResult.PASSED, 0, new double[] {0.98, 0.981, 0.979}),
                Arguments.of(GateResult.PASSED, 0, new double[] {1.3, 1.5, 1.4}),
                Arguments.of(GateResult.FAILED, 3, new double[] {0.9, 0.91, 0.89}),
                // on average 10 % faster, and by no means certain not to be slower
                Arguments.of(GateResult.UNDECIDED, 4, new double[] {0.9, 1.1, 1.3}),
                Arguments.of(GateResult.UNDECIDED, 4, new double[] {0.5, 0.9, 0.9}),
                // a single trial says nothing of the next one
                Arguments.of(GateResult.UNDECIDED, 4, new double[] {1.5}),
                Arguments.of(GateResult.UNDECIDED, 4, new double[] {0.5}));
    }

    @ParameterizedTest
    @MethodSource
    void theGateLooksAtTheWholeInterval(GateResult expected, int exitCode, double[] changes) {
        Results.Outcome outcome = outcome(gated(), false, changes);
        assertThat(outcome.gate()).contains(expected);
        assertThat(outcome.exitCode()).isEqualTo(exitCode);
        assertThat(outcome.verdict()).isEqualTo(exitCode == 4 ? Verdict.INCOMPLETE : Verdict.VALID);
    }

    /** What can't be compared can't pass, be it faster or not; a row that failed decides nevertheless. */
    @Test
    void theGateIsOpenAsLongAsOneRowIs() {
        SampleRun run = gated();
        for (int round = 1; round <= 3; round++) {
            JournalRecord.Planned planned = SampleRun.planned(SampleRun.cell("locked", "uprobe-ret", 2), round);
            run.add(planned).attempt(planned, 1, SampleRun.withConsumers(2), 1000);
            run.trial(SampleRun.cell("lockless", "uprobe-ret", 2), round, 2000);
        }
        Results.Outcome open = outcome(run, false, 1, 1, 1);
        assertThat(open.gate()).contains(GateResult.UNDECIDED);
        assertThat(open.reasons()).containsExactly("the gate is undecided in 1 of 2 comparisons");

        for (int round = 1; round <= 3; round++) {
            run.trial(SampleRun.cell("locked", "uprobe-push", 2), round, 2000)
                    .trial(SampleRun.cell("lockless", "uprobe-push", 2), round, 1000);
        }
        assertThat(Analysis.of(run.journal()).outcome().gate()).contains(GateResult.FAILED);
    }

    @Test
    void aPathWithoutAnyRowLeavesTheGateOpen() {
        Results.Outcome outcome = outcome(SampleRun.gated(0.03, 1, 3, "locked", "lockless", "third"), false, 1, 1, 1);
        assertThat(outcome.exitCode()).isEqualTo(4);
        assertThat(outcome.reasons()).containsExactly("the gate has no row of third to compare");
    }

    @Test
    void whatCouldNotBeMeasuredMakesTheRunIncomplete() {
        SampleRun run = SampleRun.of(1, 1, "locked", "lockless")
                .trial(SampleRun.cell("locked", "signal-raise", 1), 1, 1000)
                .trial(SampleRun.cell("lockless", "signal-raise", 1), 1, 1000)
                .add(new JournalRecord.Unmeasured(LOCKED, "perf_event_open: Permission denied"));
        Results results = Analysis.of(run.journal());
        assertThat(results.outcome().verdict()).isEqualTo(Verdict.INCOMPLETE);
        assertThat(results.outcome().exitCode()).isEqualTo(4);
        assertThat(results.outcome().reasons()).containsExactly("1 of 3 rows were not measured");
    }

    /** D-16: the clock of the day has no part in any figure. */
    @Test
    void theWallClockChangesNoFigure() {
        Random random = new Random(16);
        SampleRun run = SampleRun.of(3, 2, "locked", "lockless");
        for (int round = 1; round <= 2; round++) {
            run.trial(LOCKED, round, 1000, 1010, 1020).trial(LOCKLESS, round, 1100, 1110, 1130);
        }
        SampleRun drifted = new SampleRun();
        run.records()
                .forEach(record -> drifted.add(
                        record instanceof JournalRecord.Begun b
                                ? new JournalRecord.Begun(
                                        b.trial(),
                                        b.attempt(),
                                        b.worker(),
                                        b.at().plusSeconds(random.nextInt(-7200, 7200)))
                                : record));
        Results expected = Analysis.of(run.journal());
        Results actual = Analysis.of(drifted.journal());
        assertThat(actual.cells()).usingRecursiveComparison().isEqualTo(expected.cells());
        assertThat(actual.comparisons()).isEqualTo(expected.comparisons());
    }

    @Test
    void disturbancesAreCountedAndDecideNothing() {
        UnaryOperator<Reply.OfTrial> stolen = r -> r instanceof Reply.Done d
                ? new Reply.Done(
                        d.trial(),
                        d.operations(),
                        d.hits(),
                        d.opsByCpu(),
                        d.hitsByCpu(),
                        d.inFlight(),
                        d.voluntarySwitches(),
                        OptionalLong.of(7),
                        d.migrations(),
                        OptionalLong.empty(),
                        2,
                        false)
                : r;
        JournalRecord.Planned planned = SampleRun.planned(LOCKED, 1);
        SampleRun run = SampleRun.of(1, 1, "locked").add(planned).attempt(planned, 1, stolen, 1000);
        CellResult cell = Analysis.of(run.journal()).cells().get(0);

        assertThat(cell.verdict()).isEqualTo(Verdict.VALID);
        TrialResult.Measured trial = cell.measured().findFirst().orElseThrow();
        assertThat(Disturbance.PREEMPTION.in(trial)).isEqualTo(7);
        assertThat(Disturbance.OVERRUN.in(trial)).isEqualTo(2);
        assertThat(Disturbance.STEAL.in(trial)).isZero();
        assertThat(Disturbance.REMOTE_COUNTER.in(trial)).isZero();
        assertThat(Disturbance.OVERRUN.inWords(1)).isEqualTo("1 late reading");
        assertThat(Disturbance.OVERRUN.inWords(2)).isEqualTo("2 late readings");
    }
}

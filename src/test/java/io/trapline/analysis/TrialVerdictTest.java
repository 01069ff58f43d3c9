package io.trapline.analysis;

import static org.assertj.core.api.Assertions.assertThat;

import io.trapline.campaign.Cell;
import io.trapline.host.HostProfile;
import io.trapline.journal.JournalRecord;
import io.trapline.journal.SampleRun;
import io.trapline.trigger.Reply;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class TrialVerdictTest {
    private static final Cell CELL = SampleRun.cell("locked", "uprobe-nop", 2);
    private static final JournalRecord.Planned PLANNED = SampleRun.planned(CELL, 1);

    private static TrialResult only(SampleRun run) {
        return Analysis.of(run.journal()).cells().get(0).trials().get(0);
    }

    private static SampleRun planned() {
        return SampleRun.of(2, 1, "locked").add(PLANNED);
    }

    @Test
    void aTrialInWhichAllHoldsIsValid() {
        TrialResult trial = only(planned().attempt(PLANNED, 1, r -> r, 1000, 1200));

        assertThat(trial.verdict()).isEqualTo(Verdict.VALID);
        assertThat(trial.reasons()).isEmpty();
        assertThat(trial.measured()).get().satisfies(m -> {
            assertThat(m.rate()).isEqualTo(1100);
            assertThat(m.intervals()).isEqualTo(new Summary(2, 1100, Math.sqrt(20000)));
            assertThat(m.startNs()).hasValue(900);
            assertThat(m.slowestReadNs()).isEqualTo(300);
        });
    }

    static Stream<Arguments> whatMakesATrialInvalid() {
        return Stream.of(
                broken("2200 hits for 4200 operations: 2000 apart, where 2 can be in flight", done(4200, 2200)),
                broken("hits were not counted", done(4200, -1)),
                broken("CPU 0: 2105 hits for 2100 operations: 5 apart, where 2 can be", byCpu(2105L, 2095L)),
                broken("CPU 1: 2095 hits for 2100 operations: 5 apart, where 2 can be", byCpu(2105L, 2095L)),
                broken("hits were counted on 1 CPUs, not on each of 0-1", byCpu(4200L)),
                broken("the counters of 2 CPUs sum to 4200 operations, not to 9", done(9, 9)),
                broken("readings are missing: 1-2", interval(1, 2, i -> Optional.empty())),
                broken("reading 7 is beyond the 2 intervals", interval(2, 2, i -> again(i, 7, i.ns(), i.ops()))),
                broken(
                        "the counter of CPU 1 ran backwards, from 1500 to 9, at reading 2",
                        interval(2, 2, i -> again(i, i.seq(), i.ns(), new long[] {i.ops()[0], 9}))),
                broken(
                        "CPU 0 did no operation",
                        interval(1, 2, i -> again(i, i.seq(), i.ns(), new long[] {1000, i.ops()[1]}))),
                broken(
                        "the clock did not advance from reading 1 to 2",
                        interval(2, 2, i -> again(i, 2, 1_500_000_000L, i.ops()))),
                broken(
                        "a counter ended at 2100, below its last reading 9999",
                        interval(2, 2, i -> again(i, 2, i.ns(), new long[] {9999, i.ops()[1]}))),
                broken("its threads, each bound to one CPU, were moved to another one once", migrated(1)),
                broken("the thread of CPU 1 may run on CPUs 0-63", ready("90c3", "ccc3", "0-63", 2)),
                broken("1 threads were on CPUs 0, not one on each of 0-1", ready("90c3", "ccc3", "1", 1)),
                broken("the target begins with 55, and uprobe-nop on x86_64 is about 90", ready("55", "cc", "1", 2)),
                broken("the target begins with nothing known", ready("", "cc", "1", 2)),
                broken(
                        "with the probe attached the target begins with 90c3, no breakpoint",
                        ready("90c3", "90c3", "1", 2)),
                broken(
                        "it never said where its threads were",
                        r -> r instanceof Reply.Ready ? Optional.empty() : Optional.of(r)));
    }

    private static Arguments broken(String reason, Function<Reply.OfTrial, Optional<Reply.OfTrial>> change) {
        return Arguments.of(reason, change);
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource
    void whatMakesATrialInvalid(String reason, Function<Reply.OfTrial, Optional<Reply.OfTrial>> change) {
        SampleRun run = planned();
        SampleRun.replies(PLANNED.trial(), CELL, 1000, 1200).stream()
                .flatMap(reply -> change.apply(reply).stream())
                .forEach(reply -> run.add(new JournalRecord.Said(PLANNED.trial(), 1, reply)));

        TrialResult trial = only(run);
        assertThat(trial.verdict()).isEqualTo(Verdict.INVALID);
        assertThat(trial.reasons()).anySatisfy(r -> assertThat(r).startsWith(reason));
        assertThat(trial.measured()).isEmpty();
    }

    private static Function<Reply.OfTrial, Optional<Reply.OfTrial>> done(long operations, long hits) {
        return changed(
                d -> done(d, operations, hits < 0 ? OptionalLong.empty() : OptionalLong.of(hits), d.hitsByCpu()));
    }

    private static Function<Reply.OfTrial, Optional<Reply.OfTrial>> byCpu(Long... hits) {
        return changed(d -> done(d, d.operations(), d.hits(), List.of(hits)));
    }

    private static Function<Reply.OfTrial, Optional<Reply.OfTrial>> migrated(long times) {
        return changed(d -> new Reply.Done(
                d.trial(),
                d.operations(),
                d.hits(),
                d.opsByCpu(),
                d.hitsByCpu(),
                d.inFlight(),
                d.voluntarySwitches(),
                d.involuntarySwitches(),
                OptionalLong.of(times),
                d.stealMs(),
                d.overruns(),
                d.stopped()));
    }

    private static Function<Reply.OfTrial, Optional<Reply.OfTrial>> changed(UnaryOperator<Reply.Done> change) {
        return r -> Optional.of(r instanceof Reply.Done d ? change.apply(d) : r);
    }

    private static Reply.Done done(Reply.Done d, long operations, OptionalLong hits, List<Long> hitsByCpu) {
        return new Reply.Done(
                d.trial(),
                operations,
                hits,
                d.opsByCpu(),
                hitsByCpu,
                d.inFlight(),
                d.voluntarySwitches(),
                d.involuntarySwitches(),
                d.migrations(),
                d.stealMs(),
                d.overruns(),
                d.stopped());
    }

    private static Function<Reply.OfTrial, Optional<Reply.OfTrial>> interval(
            int from, int to, Function<Reply.Interval, Optional<Reply.OfTrial>> change) {
        return r ->
                r instanceof Reply.Interval i && i.seq() >= from && i.seq() <= to ? change.apply(i) : Optional.of(r);
    }

    private static Optional<Reply.OfTrial> again(Reply.Interval i, long seq, long ns, long[] ops) {
        return Optional.of(new Reply.Interval(i.trial(), seq, ns, i.readNs(), ops));
    }

    private static Function<Reply.OfTrial, Optional<Reply.OfTrial>> ready(
            String bytes, String attached, String lastMask, int threads) {
        return r -> Optional.of(
                r instanceof Reply.Ready ready
                        ? new Reply.Ready(
                                ready.trial(),
                                Optional.of(bytes),
                                Optional.of(attached),
                                ready.instruction(),
                                ready.consumers(),
                                List.of(
                                                ready.threads().get(0),
                                                new Reply.ThreadPlace(
                                                        1, 100, 101, lastMask, OptionalInt.of(0), OptionalInt.of(0)))
                                        .subList(0, threads))
                        : r);
    }

    @Test
    void hitsMayDifferByWhatIsInFlight() {
        UnaryOperator<Reply.OfTrial> two = r -> done(4200, 4202).apply(r).orElseThrow();
        assertThat(only(planned().attempt(PLANNED, 1, two, 1000, 1200)).verdict())
                .isEqualTo(Verdict.VALID);
    }

    @Test
    void aRepeatedTrialCountsAndItsFailuresAreTold() {
        SampleRun run = planned();
        run.add(new JournalRecord.Said(
                PLANNED.trial(),
                1,
                new Reply.Failed(
                        PLANNED.trial(),
                        "waitpid",
                        OptionalInt.empty(),
                        "killed by signal 11",
                        Optional.of("see its core"))));
        run.add(new JournalRecord.Lost(PLANNED.trial(), 2, "host unreachable"));
        run.attempt(PLANNED, 3, r -> r, 1000, 1200);

        TrialResult trial = only(run);
        assertThat(trial.verdict()).isEqualTo(Verdict.VALID);
        assertThat(trial.measured())
                .get()
                .extracting(TrialResult.Measured::attempt)
                .isEqualTo(3);
        assertThat(trial.discarded())
                .containsExactly(
                        "attempt 1 failed: waitpid: killed by signal 11; see its core",
                        "attempt 2 was lost: host unreachable");
    }

    /** So that a resumed run measures it again, and nobody can pick the result that he likes. */
    @Test
    void anInvalidTrialIsNotDoneAndIsToldOfWhenItWasRepeated() {
        SampleRun run =
                planned().attempt(PLANNED, 1, r -> done(4200, 2200).apply(r).orElseThrow(), 1000, 1200);
        assertThat(Analysis.validTrials(run.journal())).isEmpty();

        run.attempt(PLANNED, 2, r -> r, 1000, 1200);
        assertThat(Analysis.validTrials(run.journal())).containsExactly(PLANNED.trial());
        assertThat(only(run).discarded())
                .containsExactly("attempt 1 was invalid: 2200 hits for 4200 operations: 2000 apart, where 2 can be in"
                        + " flight");
    }

    @Test
    void whatNeverEndedIsIncomplete() {
        assertThat(only(planned()))
                .satisfies(t -> assertThat(t.verdict()).isEqualTo(Verdict.INCOMPLETE))
                .satisfies(t -> assertThat(t.reasons()).containsExactly("it was never begun"));

        SampleRun begun = planned().add(new JournalRecord.Begun(PLANNED.trial(), 1, "w1", SampleRun.AT));
        assertThat(only(begun).verdict()).isEqualTo(Verdict.INCOMPLETE);
        assertThat(only(begun).reasons()).containsExactly("attempt 1 has no end in the journal");

        UnaryOperator<Reply.OfTrial> stopped = r -> r instanceof Reply.Done d
                ? new Reply.Done(
                        d.trial(),
                        d.operations(),
                        d.hits(),
                        d.opsByCpu(),
                        d.hitsByCpu(),
                        d.inFlight(),
                        d.voluntarySwitches(),
                        d.involuntarySwitches(),
                        d.migrations(),
                        d.stealMs(),
                        d.overruns(),
                        true)
                : r;
        SampleRun early = planned().attempt(PLANNED, 1, stopped, 1000, 1200);
        assertThat(only(early).verdict()).isEqualTo(Verdict.INCOMPLETE);
        assertThat(only(early).reasons()).containsExactly("attempt 1 was stopped early");
    }

    /** D-15: different kernels between repeats. */
    @Test
    void aRunThatIsResumedOnAnotherKernelKeepsOnlyOne() {
        JournalRecord.Planned second = SampleRun.planned(CELL, 2);
        HostProfile vm = SampleRun.host("vm");
        HostProfile rebooted = new HostProfile(
                vm.name(),
                vm.arch(),
                new HostProfile.Kernel("6.19.0", "#2 SMP", Optional.empty()),
                vm.libc(),
                vm.cpuModel(),
                vm.virtualization(),
                vm.memKiB(),
                vm.topology(),
                vm.isolated(),
                vm.smt(),
                vm.abilities(),
                vm.noise());
        SampleRun run = planned().add(second).attempt(PLANNED, 1, r -> r, 1000, 1200);
        run.add(SampleRun.run(2, 1, "locked")).add(new JournalRecord.HostSeen(rebooted));
        run.attempt(second, 1, r -> r, 1000, 1200);

        List<TrialResult> trials = Analysis.of(run.journal()).cells().get(0).trials();
        assertThat(trials).extracting(TrialResult::verdict).containsExactly(Verdict.INVALID, Verdict.VALID);
        assertThat(trials.get(0).reasons())
                .containsExactly("it ran on 6.18.15 #1 SMP; later trials of the host ran on 6.19.0 #2 SMP");
    }

    /** D-11: rates are made from differences, so that counters may be large, as on a host that ran for months. */
    @Test
    void countersNearTheTopOfALongAreExact() {
        long high = Long.MAX_VALUE - 10_000;
        UnaryOperator<Reply.OfTrial> lifted = r -> {
            if (r instanceof Reply.Interval i) {
                return new Reply.Interval(
                        i.trial(), i.seq(), i.ns(), i.readNs(), new long[] {high + i.ops()[0], i.ops()[1]});
            }
            if (r instanceof Reply.Done d) {
                return new Reply.Done(
                        d.trial(),
                        high + d.operations(),
                        OptionalLong.of(high + d.operations()),
                        List.of(high + d.opsByCpu().get(0), d.opsByCpu().get(1)),
                        List.of(high + d.hitsByCpu().get(0), d.hitsByCpu().get(1)),
                        d.inFlight(),
                        d.voluntarySwitches(),
                        d.involuntarySwitches(),
                        d.migrations(),
                        d.stealMs(),
                        d.overruns(),
                        false);
            }
            return r;
        };
        TrialResult trial = only(planned().attempt(PLANNED, 1, lifted, 1000, 1200));
        assertThat(trial.reasons()).isEmpty();
        assertThat(trial.measured())
                .get()
                .extracting(TrialResult.Measured::rate)
                .isEqualTo(1100.0);
    }
}

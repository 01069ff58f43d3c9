package io.trapline.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.trapline.host.HostProfile;
import io.trapline.host.guest.Accelerator;
import io.trapline.http.ApiEvent;
import io.trapline.http.CellName;
import io.trapline.journal.SampleRun;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a person sees of a run: one line that changes, on a terminal; a line a trial elsewhere. */
class ProgressTest {
    private static final CellName CELL = new CellName("locked", "uprobe-nop", "threads", 2, "0-1", "vm");

    private static final List<ApiEvent> TRIAL = List.of(
            new ApiEvent.Accepted(12, 10, List.of()),
            new ApiEvent.TrialBegun("t0003", 1, 1, CELL, 65_000),
            new ApiEvent.Rate("t0003", 1_234_567),
            new ApiEvent.TrialEnded("t0003", OptionalDouble.of(1_234_567), Optional.empty(), false));

    @Test
    void aTerminalHasOneLineWithTheTrialTheRateAndWhatIsLeft() {
        List<String> shown = shown(OptionalInt.of(120), TRIAL);

        assertThat(shown)
                .containsExactly(
                        "10 trials to run, 2 measured before\n",
                        "1/10              1m05s left  locked uprobe-nop threads, 2 CPUs (0-1)",
                        "1/10  1.235M/s    1m05s left  locked uprobe-nop threads, 2 CPUs (0-1)");
    }

    @ParameterizedTest
    @ValueSource(ints = {21, 40, 70, 80})
    void aNarrowTerminalIsNeverWrapped(int columns) {
        assertThat(shown(OptionalInt.of(columns), TRIAL).stream().filter(line -> !line.endsWith("\n")))
                .hasSize(2)
                .allSatisfy(line -> assertThat(line.length()).isLessThan(columns));
    }

    @Test
    void aPipeHasOnePlainLineATrial() {
        assertThat(text(OptionalInt.empty(), TRIAL)).isEqualTo("""
                10 trials to run, 2 measured before
                trial 1/10: locked uprobe-nop threads, 2 CPUs (0-1): 1.235M/s
                """);
    }

    /** 1234567 operations in a second of a clock that takes 2 ns an instruction are 405.0 instructions each. */
    @ParameterizedTest
    @ValueSource(ints = {0, 120})
    void whereInstructionsAreCountedTheyAreShownAndNoTimes(int columns) {
        HostProfile.Guest exact = new HostProfile.Guest(
                "box",
                "locked",
                Accelerator.COUNTED,
                OptionalInt.of(2),
                Optional.empty(),
                Optional.empty(),
                Optional.empty());
        HostProfile host = SampleRun.host("(none)").asGuest("vm", exact);
        OptionalInt width = columns == 0 ? OptionalInt.empty() : OptionalInt.of(columns);

        assertThat(text(width, TRIAL, host)).contains("405.0 instructions/op").doesNotContain("M/s");
    }

    @Test
    void whatFailedIsSaidWithTheReasonAlsoOnATerminal() {
        ApiEvent failed = new ApiEvent.TrialEnded("t0003", OptionalDouble.empty(), Optional.of("SIGSEGV"), true);

        assertThat(shown(OptionalInt.of(80), List.of(TRIAL.get(0), TRIAL.get(1), failed)))
                .endsWith("trial 1/10: locked uprobe-nop threads, 2 CPUs (0-1): SIGSEGV; it is repeated\n");
    }

    @Test
    void whatIsLeftGrowsLessWhileATrialRunsAndKnowsWhatLiesBetweenTrials() {
        AtomicLong seconds = new AtomicLong(100);
        TimeLeft left = new TimeLeft(() -> seconds.get() * 1_000_000_000);

        left.begin(Duration.ofSeconds(60), 3);
        assertThat(left.now()).isEqualTo(Duration.ofSeconds(60));
        seconds.addAndGet(5);
        assertThat(left.now()).isEqualTo(Duration.ofSeconds(55));

        seconds.addAndGet(17); // a trial of 20 s took 22
        left.begin(Duration.ofSeconds(40), 2);
        assertThat(left.now()).isEqualTo(Duration.ofSeconds(42));
        seconds.addAndGet(100);
        assertThat(left.now()).isZero();
    }

    @Test
    void untilATrialHasARateTheOneBeforeIsShownInBrackets() {
        ApiEvent next = new ApiEvent.TrialBegun("t0004", 1, 2, CELL, 45_000);

        assertThat(shown(
                        OptionalInt.of(120),
                        Stream.concat(TRIAL.stream(), Stream.of(next)).toList()))
                .last()
                .asString()
                .startsWith("2/10  (1.235M/s)");
    }

    @Test
    void whoeverBeginsToFollowLateSeesTheTrialsIdInPlaceOfItsCell() {
        assertThat(text(OptionalInt.empty(), List.of(TRIAL.get(0), TRIAL.get(3))))
                .endsWith("trial ?/10: t0003: 1.235M/s\n");
    }

    /** What stood in the terminal's line, one after the other. */
    private static List<String> shown(OptionalInt columns, List<ApiEvent> events) {
        return Arrays.stream(text(columns, events).split("\r\033\\[K"))
                .filter(line -> !line.isEmpty())
                .toList();
    }

    private static String text(OptionalInt columns, List<ApiEvent> events, HostProfile... hosts) {
        StringWriter text = new StringWriter();
        Progress progress = new Progress(new PrintWriter(text), columns, false, List.of(hosts), () -> 0);
        events.forEach(progress::on);
        return text.toString();
    }
}

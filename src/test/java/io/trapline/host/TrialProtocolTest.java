package io.trapline.host;

import static org.assertj.core.api.Assertions.assertThat;

import io.trapline.trigger.Command;
import io.trapline.trigger.Reply;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** The order of a trial's events, by method calls: no process, no clock. */
class TrialProtocolTest {
    private static final Reply.Ready READY =
            new Reply.Ready("t", Optional.empty(), Optional.empty(), Optional.empty(), OptionalInt.empty(), List.of());
    private static final Reply.Started STARTED = new Reply.Started("t", 1, 2);
    private static final Reply.Failed FAILED =
            new Reply.Failed("t", "probe", OptionalInt.empty(), "no hit", Optional.empty());

    private final Recorder world = new Recorder();
    private final TrialProtocol trial = new TrialProtocol(
            new TrialSpec(
                    "t",
                    Workload.named("uprobe-nop"),
                    Model.THREADS,
                    CpuSet.of(0, 3),
                    Method.DEFAULT,
                    new Timing(Duration.ofMillis(500), Duration.ofMillis(100), 2)),
            TrialProtocol.Deadlines.forCpus(4),
            world);

    private static Reply.Interval interval(long seq) {
        return new Reply.Interval("t", seq, 10 + seq, 1, new long[] {1, 2});
    }

    private static Reply.Done done(boolean stopped) {
        return new Reply.Done(
                "t",
                9,
                OptionalLong.of(9),
                List.of(),
                List.of(),
                2,
                OptionalLong.empty(),
                OptionalLong.empty(),
                OptionalLong.empty(),
                OptionalLong.empty(),
                0,
                stopped);
    }

    @Test
    void passesOnAWholeTrial() {
        trial.begin();
        trial.said(READY);
        trial.go(OptionalLong.of(77), Duration.ofSeconds(3));
        List<Reply.OfTrial> measured = List.of(STARTED, interval(0), interval(1), interval(2));
        measured.forEach(trial::said);
        trial.said(done(false));

        assertThat(world.sent)
                .containsExactly(
                        "run trial=t workload=uprobe-nop model=threads cpus=0,3 attach=bpf scope=system"
                                + " warmup=500000000ns interval=100000000ns intervals=2",
                        "go at=77");
        assertThat(world.told).startsWith(READY).containsAll(measured).hasSize(5);
        assertThat(world.deadlines)
                .as("ready, with 250 ms a CPU; lead, warm-up, intervals and 10 s more")
                .containsExactly(Duration.ofSeconds(16), Duration.ofMillis(3000 + 700 + 10_000));
        assertThat(world.last).hasValue(done(false));
        assertThat(world.trusted).isTrue();
    }

    @Test
    void stopsATrialThatRuns() {
        trial.begin();
        trial.said(READY);
        trial.go(OptionalLong.empty(), Duration.ZERO);
        trial.said(STARTED);
        trial.stop();
        trial.stop();
        trial.said(interval(0));
        trial.said(done(true));

        assertThat(world.sent).endsWith("go", "stop").hasSize(3);
        assertThat(world.deadlines).endsWith(Duration.ofSeconds(5)).hasSize(3);
        assertThat(world.told).hasSize(3);
        assertThat(world.last).hasValue(done(true));
    }

    @Test
    void stopsATrialThatIsSetUp() {
        trial.begin();
        trial.stop();
        trial.said(READY);
        trial.said(done(true));

        assertThat(world.told).as("whoever stopped it wants no ready").isEmpty();
        assertThat(world.last).hasValue(done(true));
    }

    @Test
    void aTriggerThatSaysFailedCanBeUsedAgain() {
        trial.begin();
        trial.said(FAILED);
        assertThat(world.last).hasValue(FAILED);
        assertThat(world.trusted).isTrue();
    }

    @Test
    void aRefusedRunLineFailsWithTheTriggersReason() {
        trial.begin();
        trial.said(new Reply.Refused("run trial=t", "scope is missing", Optional.of("scope=system")));
        assertThat(world.last)
                .hasValue(new Reply.Failed(
                        "t", "run", OptionalInt.empty(), "scope is missing", Optional.of("scope=system")));
        assertThat(world.trusted).isTrue();
    }

    @Test
    void theRefusalOfAStopThatCameTooLateFailsNothing() {
        trial.begin();
        trial.said(new Reply.Refused("stop", "no trial is in hand", Optional.empty()));
        trial.said(READY);
        assertThat(world.told).containsExactly(READY);
    }

    static Stream<Arguments> outOfTurn() {
        Reply other = new Reply.Started("other", 1, 2);
        return Stream.of(
                Arguments.of("started before go", steps(), STARTED),
                Arguments.of("ready twice", steps(READY), READY),
                Arguments.of("a reading before go", steps(READY), interval(0)),
                Arguments.of("done before go", steps(READY), done(false)),
                Arguments.of("another trial", steps(READY), other),
                Arguments.of("ready while it runs", running(STARTED), READY),
                Arguments.of("a reading left out", running(STARTED, interval(0)), interval(2)),
                Arguments.of("a reading twice", running(STARTED, interval(0)), interval(0)),
                Arguments.of(
                        "a reading of too few CPUs", running(STARTED), new Reply.Interval("t", 0, 1, 1, new long[] {1
                        })),
                Arguments.of("done too early", running(STARTED, interval(0)), done(false)),
                Arguments.of("stopped by nobody", running(STARTED, interval(0), interval(1), interval(2)), done(true)),
                Arguments.of(
                        "a refusal while it runs", running(STARTED), new Reply.Refused("x", "e", Optional.empty())));
    }

    private static Consumer<TrialProtocol> steps(Reply... replies) {
        return trial -> Stream.of(replies).forEach(trial::said);
    }

    private static Consumer<TrialProtocol> running(Reply... replies) {
        return steps(READY)
                .andThen(trial -> trial.go(OptionalLong.empty(), Duration.ZERO))
                .andThen(steps(replies));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource
    void outOfTurn(String name, Consumer<TrialProtocol> before, Reply said) {
        trial.begin();
        before.accept(trial);
        assertThat(world.last).isEmpty();
        trial.said(said);
        assertThat(world.last.orElseThrow()).isInstanceOf(Reply.Failed.class);
        assertThat(world.trusted).isFalse();
    }

    @Test
    void namesWhatWasMissedAndTheLastWords() {
        world.words = "; its last words: oops";
        trial.begin();
        trial.missed();
        assertThat(world.failure().call()).isEqualTo("ready");
        assertThat(world.failure().error()).contains("16.0 s", "oops");
        assertThat(world.trusted).isFalse();
    }

    @Test
    void namesTheDeadlineOfTheRunAndOfTheStop() {
        trial.begin();
        trial.said(READY);
        trial.missed(); // that of ready, which has come: nothing to wait for now
        assertThat(world.last).isEmpty();
        trial.go(OptionalLong.empty(), Duration.ZERO);
        trial.missed();
        assertThat(world.failure().call()).isEqualTo("done");
        assertThat(world.failure().error()).contains("10.7 s");
    }

    @Test
    void aStopThatIsNotObeyedIsNamed() {
        trial.begin();
        trial.stop();
        trial.missed();
        assertThat(world.failure().call()).isEqualTo("stop");
        assertThat(world.failure().error()).contains("5.0 s");
    }

    @Test
    void theTriggersEndFailsTheTrial() {
        trial.begin();
        trial.ended("ended by SIGSEGV (status 139)");
        assertThat(world.failure().error()).isEqualTo("ended by SIGSEGV (status 139)");
        assertThat(world.trusted).isFalse();
    }

    @Test
    void goBeforeReadyFailsTheTrial() {
        trial.begin();
        trial.go(OptionalLong.empty(), Duration.ZERO);
        assertThat(world.failure().call()).isEqualTo("go");
    }

    @Test
    void nothingHappensAfterTheEnd() {
        trial.begin();
        trial.said(FAILED);
        trial.said(READY);
        trial.go(OptionalLong.empty(), Duration.ZERO);
        trial.stop();
        trial.missed();
        trial.ended("ended with status 0");
        trial.abandon();
        assertThat(world.last).hasValue(FAILED);
        assertThat(world.ends).isEqualTo(1);
        assertThat(world.sent).hasSize(1);
    }

    /** What the protocol did to the world. */
    private static final class Recorder implements TrialProtocol.Ports {
        private final List<String> sent = new ArrayList<>();
        private final List<Reply.OfTrial> told = new ArrayList<>();
        private final List<Duration> deadlines = new ArrayList<>();
        private Optional<Reply.OfTrial> last = Optional.empty();
        private boolean trusted;
        private int ends;
        private String words = "";

        @Override
        public void tell(Reply.OfTrial reply) {
            told.add(reply);
        }

        @Override
        public void send(Command command) {
            sent.add(command.line());
        }

        @Override
        public void expectWithin(Duration time) {
            deadlines.add(time);
        }

        @Override
        public void over(Reply.OfTrial reply, boolean triggerIsTrusted) {
            last = Optional.of(reply);
            trusted = triggerIsTrusted;
            ends++;
        }

        @Override
        public String lastWords() {
            return words;
        }

        Reply.Failed failure() {
            return (Reply.Failed) last.orElseThrow();
        }
    }
}

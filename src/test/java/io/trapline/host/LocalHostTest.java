package io.trapline.host;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.trapline.trigger.Reply;
import io.trapline.trigger.Script;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The host's handling of its trigger, with triggers that are shell scripts. */
class LocalHostTest {
    private static final TrialProtocol.Deadlines PATIENT =
            new TrialProtocol.Deadlines(Duration.ofSeconds(30), Duration.ofSeconds(30), Duration.ofSeconds(30), 1);
    private static final TrialProtocol.Deadlines HASTY =
            new TrialProtocol.Deadlines(Duration.ofMillis(50), Duration.ofMillis(50), Duration.ofMillis(50), 1);

    /** Functions of the scripts: each answers for the trial of the run line. */
    private static final String WORDS = """
            say() { type=$1; shift; echo "{\\"type\\":\\"$type\\",\\"trial\\":\\"$trial\\",$*}"; }
            ready() { say ready '"threads":[]'; }
            started() { say started '"firstNs":1,"lastNs":1'; }
            reading() { say interval "\\"seq\\":$1,\\"ns\\":$1,\\"readNs\\":1,\\"ops\\":[1]"; }
            done_() { say done "\\"operations\\":1,\\"inFlight\\":1,\\"overruns\\":0,\\"stopped\\":$1"; }
            next() { read -r command first rest || return 1; if [ "$command" = run ]; then trial=${first#trial=}; fi; }
            """;

    private static final String GOOD = "while next; do case $command in run) ready;;"
            + " go) started; reading 0; reading 1; done_ false;; stop) done_ true;; esac; done";

    @TempDir
    private Path directory;

    private final BlockingQueue<Reply.OfTrial> heard = new LinkedBlockingQueue<>();

    @Test
    void runsTrialAfterTrialWithOneTrigger() throws Exception {
        // The second start of this script would not answer.
        try (LocalHost host = host("mkdir once || exit 9\n" + GOOD, PATIENT)) {
            runToTheEnd(host, "a");
            runToTheEnd(host, "b");
        }
    }

    private void runToTheEnd(Host host, String id) throws InterruptedException {
        Host.Trial trial = host.begin(spec(id), heard::add);
        assertThat(next()).isInstanceOf(Reply.Ready.class);
        trial.go(OptionalLong.empty());
        assertThat(next()).isInstanceOf(Reply.Started.class);
        assertThat(next()).isInstanceOf(Reply.Interval.class);
        assertThat(next()).isInstanceOf(Reply.Interval.class);
        assertThat(next()).isInstanceOfSatisfying(Reply.Done.class, done -> {
            assertThat(done.trial()).isEqualTo(id);
            assertThat(done.stopped()).isFalse();
        });
    }

    @Test
    void theLastReplysListenerMayBeginTheNextTrial() throws Exception {
        try (LocalHost host = host(GOOD, PATIENT)) {
            host.begin(spec("a"), reply -> {
                        if (reply instanceof Reply.Done) {
                            host.begin(spec("b"), heard::add);
                        }
                    })
                    .stop();
            assertThat(next()).isInstanceOf(Reply.Ready.class);
        }
    }

    @Test
    void refusesASecondTrialBesideTheFirst() throws Exception {
        try (LocalHost host = host(GOOD, PATIENT)) {
            host.begin(spec("a"), heard::add);
            assertThat(next()).isInstanceOf(Reply.Ready.class);
            assertThatIllegalStateException()
                    .isThrownBy(() -> host.begin(spec("b"), heard::add))
                    .withMessageContaining("another one runs");
        }
    }

    @Test
    void aTriggerThatDiesFailsItsTrialAndTheNextGetsAnother() throws Exception {
        String script = "if mkdir once 2>/dev/null; then next; ready; next; echo oops >&2; kill -SEGV $$; fi\n" + GOOD;
        try (LocalHost host = host(script, PATIENT)) {
            Host.Trial trial = host.begin(spec("a"), heard::add);
            assertThat(next()).isInstanceOf(Reply.Ready.class);
            trial.go(OptionalLong.empty());
            assertThat(failure().error()).contains("SIGSEGV (status 139)", "oops");
            trial.stop(); // comes too late, and does nothing
            runToTheEnd(host, "b");
        }
    }

    @Test
    void aTriggerThatDiesBetweenTrialsIsReplaced() throws Exception {
        String script = "mkdir once 2>/dev/null && { echo $$ > pid; next; ready; next; done_ true; exit 5; }\n" + GOOD;
        try (LocalHost host = host(script, PATIENT)) {
            Host.Trial trial = host.begin(spec("a"), heard::add);
            assertThat(next()).isInstanceOf(Reply.Ready.class);
            trial.stop();
            assertThat(next()).isInstanceOf(Reply.Done.class);
            Optional<ProcessHandle> trigger = trigger();
            if (trigger.isPresent()) {
                trigger.get().onExit().get(30, TimeUnit.SECONDS);
            }
            runToTheEnd(host, "b");
        }
    }

    @Test
    void aSilentTriggerFailsTheTrialByItsDeadline() throws Exception {
        try (LocalHost host = host("echo waiting >&2; mkfifo never; read -r x < never", HASTY)) {
            host.begin(spec("a"), heard::add);
            Reply.Failed failed = failure();
            assertThat(failed.call()).isEqualTo("ready");
            assertThat(failed.error()).contains("within 0.05 s");
        }
    }

    @Test
    void garbageFailsTheTrialAndIsShown() throws Exception {
        try (LocalHost host = host("next; echo gibberish; next", PATIENT)) {
            host.begin(spec("a"), heard::add);
            assertThat(failure().error()).contains("gibberish");
        }
    }

    @Test
    void aMissingProgramFailsTheTrial() throws Exception {
        try (LocalHost host = new LocalHost(directory.resolve("none"), profile(), PATIENT)) {
            host.begin(spec("a"), heard::add);
            Reply.Failed failed = failure();
            assertThat(failed.call()).isEqualTo("start");
            assertThat(failed.error()).contains("none: no such file");
        }
    }

    @Test
    void closingFailsTheTrialInHandAndEndsTheTrigger() throws Exception {
        LocalHost host = host("echo $$ > pid\n" + GOOD, PATIENT);
        host.begin(spec("a"), heard::add);
        assertThat(next()).isInstanceOf(Reply.Ready.class);
        Optional<ProcessHandle> trigger = trigger();
        host.close();
        assertThat(failure().call()).isEqualTo("close");
        assertThat(trigger).isPresent();
        assertThat(trigger.filter(ProcessHandle::isAlive)).isEmpty();
        assertThatIllegalStateException()
                .isThrownBy(() -> host.begin(spec("b"), heard::add))
                .withMessageContaining("closed");
    }

    private LocalHost host(String script, TrialProtocol.Deadlines deadlines) throws IOException {
        Path program = Script.in(directory, "cd '" + directory + "'\n" + WORDS + script);
        return new LocalHost(program, profile(), deadlines);
    }

    /** The process of a script that has written its id; nothing when it has ended. */
    private Optional<ProcessHandle> trigger() throws IOException {
        return ProcessHandle.of(
                Long.parseLong(Files.readString(directory.resolve("pid")).strip()));
    }

    private static HostProfile profile() {
        CpuSet cpu = CpuSet.of(0);
        return new HostProfile(
                "h",
                "x86_64",
                new HostProfile.Kernel("r", "v", Optional.empty()),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                OptionalLong.empty(),
                new Topology(cpu, cpu, cpu, List.of(), List.of()),
                CpuSet.EMPTY,
                false,
                List.of(),
                List.of());
    }

    private static TrialSpec spec(String id) {
        return new TrialSpec(
                id,
                Workload.named("usermode-count"),
                Model.THREADS,
                CpuSet.of(0),
                Method.DEFAULT,
                new Timing(Duration.ofMillis(10), Duration.ofMillis(10), 1));
    }

    private Reply.OfTrial next() throws InterruptedException {
        return heard.poll(30, TimeUnit.SECONDS);
    }

    private Reply.Failed failure() throws InterruptedException {
        return (Reply.Failed) next();
    }
}

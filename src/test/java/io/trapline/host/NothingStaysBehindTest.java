package io.trapline.host;

import static org.assertj.core.api.Assertions.assertThat;

import io.trapline.trigger.Reply;
import io.trapline.trigger.TriggerException;
import io.trapline.trigger.TriggerProgram;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Kills a JVM that runs a trial with real probes, or its trigger, or both, and looks for what is left: no process,
 * and no breakpoint in the target, which the next trial reads.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class NothingStaysBehindTest {
    private static final Workload WORKLOAD = Workload.named("uprobe-nop");

    private LocalHost host;

    @BeforeAll
    void open() throws TriggerException {
        host = LocalHost.open(TriggerProgram.find());
    }

    @AfterAll
    void close() {
        host.close();
    }

    /** Whom the kernel's SIGKILL, or the end of input, meets. */
    enum Victim {
        JVM,
        TRIGGER,
        BOTH,
        NOBODY_BUT_INPUT_ENDS
    }

    static Stream<Arguments> deaths() {
        return Stream.of(Victim.values())
                .flatMap(victim -> Stream.of(
                        Arguments.of(victim, Model.THREADS, Method.Scope.SYSTEM),
                        Arguments.of(victim, Model.PROCESSES, Method.Scope.PID)));
    }

    @ParameterizedTest
    @MethodSource("deaths")
    void noProcessAndNoProbe(Victim victim, Model model, Method.Scope scope) throws Exception {
        Rights.need(host, WORKLOAD, method(scope));
        Process jvm = startJvm(model, scope);
        try (BufferedReader lines = jvm.inputReader()) {
            assertThat(lines.readLine()).isEqualTo("measuring");
            List<ProcessHandle> triggers = jvm.children().toList();
            List<ProcessHandle> all = jvm.descendants().toList();
            assertThat(triggers).hasSize(1);
            switch (victim) {
                case JVM -> jvm.destroyForcibly();
                case TRIGGER -> triggers.get(0).destroyForcibly();
                case BOTH -> {
                    triggers.get(0).destroyForcibly();
                    jvm.destroyForcibly();
                }
                case NOBODY_BUT_INPUT_ENDS -> jvm.outputWriter().close();
            }
            for (ProcessHandle process : all) {
                process.onExit().get(30, TimeUnit.SECONDS);
            }
        } finally {
            jvm.destroyForcibly();
        }
        assertThatTargetIsPristine();
    }

    private static Method method(Method.Scope scope) {
        return new Method(Method.Attach.BPF, scope, Method.Altstack.SAME, Method.Call.DIRECT);
    }

    private static Process startJvm(Model model, Method.Scope scope) throws IOException, TriggerException {
        return new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        Measuring.class.getName(),
                        TriggerProgram.find().toString(),
                        model.name(),
                        scope.name())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
    }

    /** The trigger refuses a target that holds a breakpoint before it has attached its own. */
    private void assertThatTargetIsPristine() throws InterruptedException {
        BlockingQueue<Reply.OfTrial> heard = new LinkedBlockingQueue<>();
        Host.Trial trial = host.begin(
                new TrialSpec(
                        "after",
                        WORKLOAD,
                        Model.THREADS,
                        CpuSet.of(host.profile().topology().usable().first()),
                        method(Method.Scope.SYSTEM),
                        new Timing(Duration.ofMillis(50), Duration.ofMillis(10), 1)),
                heard::add);
        assertThat(heard.poll(30, TimeUnit.SECONDS)).isInstanceOf(Reply.Ready.class);
        trial.stop();
        assertThat(heard.poll(30, TimeUnit.SECONDS)).isInstanceOf(Reply.Done.class);
    }

    /** The JVM that is killed: says {@code measuring} when its trial runs, and ends with its input. */
    static final class Measuring {
        private Measuring() {}

        public static void main(String[] words) throws Exception {
            try (LocalHost host = LocalHost.open(Path.of(words[0]))) {
                BlockingQueue<Reply.OfTrial> heard = new LinkedBlockingQueue<>();
                Host.Trial trial = host.begin(
                        new TrialSpec(
                                "t",
                                WORKLOAD,
                                Model.valueOf(words[1]),
                                host.profile().topology().usable(),
                                method(Method.Scope.valueOf(words[2])),
                                new Timing(Duration.ofMillis(50), Duration.ofMillis(10), 100_000)),
                        heard::add);
                for (Reply reply = heard.take(); !(reply instanceof Reply.Interval); reply = heard.take()) {
                    if (reply instanceof Reply.Ready) {
                        trial.go(OptionalLong.empty());
                    } else if (reply instanceof Reply.Failed) {
                        throw new IllegalStateException(reply.toString());
                    }
                }
                System.out.println("measuring");
                while (System.in.read() != -1) {
                    // Nothing is sent; the end of input ends the trial by closing the host.
                }
            }
        }
    }
}

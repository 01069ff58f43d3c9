package io.trapline.trigger;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The real program measures in the ordinary scheduling class, whatever it was started with. */
class OrdinaryClassTest {
    private static final int SCHED_OTHER = 0;
    private static final int SCHED_BATCH = 3;

    @TempDir
    private Path directory;

    /** SCHED_BATCH stands for the real-time policies here, which it would take rights to set and nerve to test with. */
    @Test
    void membersDoNotInheritThePolicyOfWhoStartedThem() throws Exception {
        Path batch = Script.in(directory, "exec chrt --batch 0 " + TriggerProgram.find());
        BlockingQueue<Reply> replies = new LinkedBlockingQueue<>();
        try (TriggerProcess trigger = TriggerProcess.start(batch, List.of(), keepIn(replies))) {
            trigger.send(new Command.Run(
                    "t", "usermode-count", "threads", "0", Map.of(), Duration.ofMillis(1), Duration.ofMillis(1), 1));
            assertThat(replies.poll(30, TimeUnit.SECONDS))
                    .isInstanceOfSatisfying(
                            Reply.Ready.class,
                            ready -> assertThat(ready.threads())
                                    .allSatisfy(thread ->
                                            assertThat(policy(thread.tid())).isEqualTo(SCHED_OTHER)));
        }
    }

    @Test
    void aProgramThatDoesNothingAboutItInheritsThePolicy() throws Exception {
        Process other = new ProcessBuilder("chrt", "--batch", "0", "cat").start();
        // Whoever answers has been started.
        other.outputWriter().append("x\n").flush();
        assertThat(other.inputReader().readLine()).isEqualTo("x");
        assertThat(policy(other.pid())).isEqualTo(SCHED_BATCH);
        other.outputWriter().close();
        assertThat(other.waitFor()).isZero();
    }

    private static Trigger.Listener keepIn(BlockingQueue<Reply> replies) {
        return new Trigger.Listener() {
            @Override
            public void said(Reply reply) {
                replies.add(reply);
            }

            @Override
            public void ended(String how) {
                // what it said before is what counts
            }
        };
    }

    /** Field 41 of proc_pid_stat(5); the second, the name, ends with the last parenthesis. */
    private static int policy(long tid) {
        try {
            String stat = Files.readString(Path.of("/proc/" + tid + "/stat"));
            return Integer.parseInt(stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1)[41 - 3]);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}

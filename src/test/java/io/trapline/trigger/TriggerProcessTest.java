package io.trapline.trigger;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A trigger's life and death, played by shell scripts. */
class TriggerProcessTest {
    private static final String ECHO = """
            while read -r line; do
                echo "{\\"type\\":\\"refused\\",\\"line\\":\\"$line\\",\\"error\\":\\"e\\"}"
            done
            """;

    @TempDir
    private Path directory;

    @Test
    void givesRepliesInOrderFromOneThread() throws Exception {
        Heard heard = new Heard();
        try (TriggerProcess trigger = TriggerProcess.start(Script.in(directory, ECHO), List.of(), heard)) {
            IntStream.rangeClosed(1, 50).forEach(ns -> trigger.send(new Command.Go(OptionalLong.of(ns))));
            for (int ns = 1; ns <= 50; ns++) {
                assertThat(heard.next()).isEqualTo(new Reply.Refused("go at=" + ns, "e", Optional.empty()));
            }
        }
        assertThat(heard.end()).isEqualTo("ended with status 0");
        assertThat(heard.threads).hasSize(1);
    }

    @Test
    void aTriggerOutlivesTheThreadThatAskedForIt() throws Exception {
        // As the real one does, this script dies with the thread that started it.
        Path program = Script.in(directory, "exec setpriv --pdeathsig KILL sh -c '" + ECHO + "'");
        Heard heard = new Heard();
        CompletableFuture<TriggerProcess> started = new CompletableFuture<>();
        Thread asking = new Thread(() -> {
            try {
                started.complete(TriggerProcess.start(program, List.of(), heard));
            } catch (TriggerException e) {
                started.completeExceptionally(e);
            }
        });
        asking.start();
        asking.join();
        try (TriggerProcess trigger = started.get()) {
            trigger.send(new Command.Stop());
            assertThat(heard.next()).isEqualTo(new Reply.Refused("stop", "e", Optional.empty()));
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "exit 0                     | ended with status 0",
                "exit 3                     | ended with status 3",
                "kill -SEGV $$              | ended by SIGSEGV (status 139)",
                "kill -KILL $$              | ended by SIGKILL (status 137)",
                "echo oops >&2; exit 1      | ended with status 1; its last words: oops",
                "echo hello; exec cat       | wrote what is no reply: hello",
                "echo hello; exec cat       | it was killed for that and ended by SIGKILL (status 137)",
                "echo '{\"type\":\"new\"}'  | wrote what is no reply: {\"type\":\"new\"}",
                "printf torn; exit 2        | ended with status 2",
                "exec >&-; read -r x | ended by SIGKILL (status 137)",
                "head -c 20M /dev/zero      | has no end within 16777216 bytes",
            })
    void saysHowTheTriggerEnded(String script, String end) throws Exception {
        Heard heard = new Heard();
        TriggerProcess.start(Script.in(directory, script), List.of(), heard);
        assertThat(heard.end()).contains(end);
    }

    @Test
    void keepsTheLastLinesOfStandardError() throws Exception {
        Heard heard = new Heard();
        TriggerProcess.start(Script.in(directory, "seq -f 'word%g.' 1 25 >&2; exit 1"), List.of(), heard);
        assertThat(heard.end()).contains("word6.", "word25.").doesNotContain("word5.");
    }

    @Test
    void killsATriggerThatDoesNotEndWithItsInput() throws Exception {
        Heard heard = new Heard();
        TriggerProcess trigger = TriggerProcess.start(Script.in(directory, "exec tail -f /dev/null"), List.of(), heard);
        trigger.close();
        assertThat(heard.end()).contains("SIGKILL");
    }

    @Test
    void namesAProgramThatCanNotBeStarted() throws Exception {
        Path missing = directory.resolve("missing");
        assertNotStarted(missing, "no such file", "make -C src/main/c");
        assertNotStarted(directory, "is a directory");
        Path plain = Files.writeString(directory.resolve("plain"), "x");
        assertNotStarted(plain, "may not be executed", "chmod +x");
        assertNotStarted(
                executable("#!/no/such/interpreter\n".getBytes(java.nio.charset.StandardCharsets.UTF_8)),
                "does not start");
        assertNotStarted(elf(243), "another architecture (ELF machine 243)", "make -C src/main/c");
    }

    private void assertNotStarted(Path program, String... words) {
        assertThatExceptionOfType(TriggerException.class)
                .isThrownBy(() -> TriggerProcess.start(program, List.of(), new Heard()))
                .withMessageContaining(program.toString())
                .withMessageContainingAll(words);
    }

    /** The beginning of an ELF file for a machine that is neither of ours. */
    private Path elf(int machine) throws IOException {
        ByteBuffer header = ByteBuffer.allocate(64).order(ByteOrder.LITTLE_ENDIAN);
        header.putInt(0, 0x464c457f).putShort(18, (short) machine);
        return executable(header.array());
    }

    private Path executable(byte[] content) throws IOException {
        Path file = Files.write(directory.resolve("program"), content);
        return Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
    }

    @Test
    void looksForTheProgramInTwoPlaces() throws Exception {
        Path bin = Files.createDirectories(directory.resolve("bin"));
        Path lib = Files.createDirectories(directory.resolve("lib"));
        assertThatExceptionOfType(TriggerException.class)
                .isThrownBy(() -> TriggerProgram.find(Optional.of("/no/trigger"), lib))
                .withMessageContainingAll("/no/trigger", "-Dtrapline.trigger names it");
        assertThatExceptionOfType(TriggerException.class)
                .isThrownBy(() -> TriggerProgram.find(Optional.empty(), lib))
                .withMessageContainingAll(bin.toString(), "no -Dtrapline.trigger names another");
        Path program = Files.createFile(bin.resolve("trapline-trigger"));
        assertThat(TriggerProgram.find(Optional.empty(), lib)).isEqualTo(program);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "echo '{\"type\":\"started\",\"trial\":\"t\",\"firstNs\":1,\"lastNs\":2}'; cat | it said Started",
                "exit 4                                                                   | ended with status 4",
                "echo '{\"type\":\"profile\",\"protocol\":2,\"hostname\":\"h\",\"arch\":\"a\",\"trigger\":\"t\",\"kernel\":{\"release\":\"r\",\"version\":\"v\"},\"allowed\":\"0\"}'; cat | it speaks protocol 2, this program 1",
            })
    void namesWhatCameInPlaceOfAProfile(String script, String why) throws Exception {
        Path program = Script.in(directory, "exec 3<&0; " + script);
        assertThatExceptionOfType(TriggerException.class)
                .isThrownBy(() -> ProfileQuery.ask(program, Optional.empty()))
                .withMessageContainingAll(program.toString(), why);
    }

    /** A listener that keeps what it gets. */
    private static final class Heard implements Trigger.Listener {
        private final BlockingQueue<Reply> replies = new LinkedBlockingQueue<>();
        private final CompletableFuture<String> end = new CompletableFuture<>();
        private final Set<Thread> threads = ConcurrentHashMap.newKeySet();

        @Override
        public void said(Reply reply) {
            threads.add(Thread.currentThread());
            replies.add(reply);
        }

        @Override
        public void ended(String how) {
            threads.add(Thread.currentThread());
            end.complete(how);
        }

        Reply next() throws InterruptedException {
            return replies.poll(30, TimeUnit.SECONDS);
        }

        String end() throws Exception {
            return end.get(30, TimeUnit.SECONDS);
        }
    }
}

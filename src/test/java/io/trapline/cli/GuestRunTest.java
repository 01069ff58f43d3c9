package io.trapline.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.trapline.host.Rights;
import io.trapline.host.guest.Arch;
import io.trapline.host.guest.DebianKernels;
import io.trapline.journal.RunDirectory;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardWatchEventKinds;
import java.nio.file.WatchKey;
import java.nio.file.WatchService;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Two kernels in guests from the outside: a real run, and what is said when it can't be. */
class GuestRunTest {
    @TempDir
    private Path directory;

    @BeforeEach
    void writeACampaign() throws IOException {
        Rights.needPrograms(List.of(Arch.X86_64.qemu()));
        // Linux 6.1 needs more instructions for a uprobe than 6.12: it takes two locks more.
        Files.writeString(directory.resolve("two.yaml"), """
                apiVersion: trapline/v1
                kind: Campaign
                metadata: {name: two}
                spec:
                  paths:
                    - {name: newer, kernel: 'debian:6.12/x86_64'}
                    - {name: older, kernel: 'debian:6.1/x86_64'}
                  workloads: [uprobe-nop]
                  cpus: [1]
                  timing: {exact: true, warmup: 100ms, interval: 50ms, measure: 250ms, rounds: 2}
                  gate: {slower: 1%}
                """);
    }

    @Test
    void aGuestThatIsKilledInATrialIsReplacedAndTheGateJudgesPathLengths() throws Exception {
        Path newer = Files.copy(DebianKernels.ofUser().fetch("6.12", Arch.X86_64), directory.resolve("bzImage"));

        try (TraplineProcess run =
                TraplineProcess.start(directory, "run", "two.yaml", "--path", "newer:kernel=bzImage", "--out", "o")) {
            run.awaitErr("trial 1/");
            awaitJournal("\"trial\":\"t0002\",\"attempt\":1,\"reply\":{\"type\":\"ready\"", run);
            for (ProcessHandle qemu : run.guests()) {
                TraplineProcess.kill("KILL", qemu.pid());
            }
            TraplineProcess.Ended ended = run.await(directory);

            assertThat(ended.exitCode()).as(ended.errText()).isEqualTo(3);
            assertThat(ended.errText()).contains("it is repeated");
        }
        String report = Files.readString(directory.resolve("o/report.txt"));
        assertThat(report)
                .contains("VALID", "path length, not time", "longer, gate failed")
                .contains("newer: bzImage, file " + newer)
                .contains("repeated: older uprobe-nop")
                .doesNotContain("M/s");
        assertThat(RunDirectory.read(directory.resolve("o")).hosts())
                .extracting(host ->
                        host.guest().orElseThrow().kernel().orElseThrow().sha256())
                .contains(RunDirectory.sha256(Files.readAllBytes(newer)))
                .doesNotHaveDuplicates();
        assertThat(directory.resolve("o/console-older.log")).isNotEmptyFile();
    }

    @Test
    void aKernelThatIsNoneIsRefusedBeforeAnythingIsMade() throws Exception {
        byte[] image = Files.readAllBytes(DebianKernels.ofUser().fetch("6.1", Arch.X86_64));
        Files.write(directory.resolve("cut"), Arrays.copyOf(image, image.length / 2));

        TraplineProcess.Ended ended = TraplineProcess.run(
                directory,
                "run",
                "two.yaml",
                "--path",
                "newer:kernel=cut",
                "--path",
                "older:kernel=none",
                "--out",
                "o");

        assertThat(ended.exitCode()).isEqualTo(1);
        assertThat(ended.err())
                .satisfiesExactly(
                        line -> assertThat(line)
                                .startsWith("trapline: two.yaml:6:7: the kernel of path newer: cut: is cut off"),
                        line -> assertThat(line)
                                .isEqualTo("trapline: two.yaml:7:7: the kernel of path older: none: no such file"));
        assertThat(directory.resolve("o")).doesNotExist();
    }

    @Test
    void withoutAnEmulatorItsPackageIsNamed() throws Exception {
        DebianKernels.ofUser().fetch("6.12", Arch.X86_64);
        List<String> poor = List.of("env", "PATH=" + directory);

        try (TraplineProcess run = TraplineProcess.start(directory, poor, "run", "two.yaml", "--out", "o")) {
            TraplineProcess.Ended ended = run.await(directory);

            assertThat(ended.exitCode()).as(ended.errText()).isEqualTo(5);
            assertThat(ended.errText())
                    .contains("qemu-system-x86_64: not on the PATH; install it: apt-get install qemu-system-x86");
        }
    }

    /** Reads on where it stopped, and waits for the directory to change in between. */
    private void awaitJournal(String text, TraplineProcess run) throws IOException, InterruptedException {
        Path out = directory.resolve("o");
        long deadline = System.nanoTime() + TimeUnit.MINUTES.toNanos(3);
        try (WatchService changes = out.getFileSystem().newWatchService();
                InputStream journal = Files.newInputStream(out.resolve("journal.jsonl"))) {
            out.register(changes, StandardWatchEventKinds.ENTRY_MODIFY);
            String read = "";
            while (!read.contains(text)) {
                assertThat(run.isAlive())
                        .as("the run, before its journal has " + text)
                        .isTrue();
                assertThat(System.nanoTime())
                        .as("no " + text + " in the journal")
                        .isLessThan(deadline);
                WatchKey changed = changes.poll(1, TimeUnit.SECONDS);
                if (changed != null) {
                    changed.pollEvents();
                    changed.reset();
                }
                String end = read.substring(Math.max(0, read.length() - text.length()));
                read = end + new String(journal.readAllBytes(), StandardCharsets.UTF_8);
            }
        }
    }
}

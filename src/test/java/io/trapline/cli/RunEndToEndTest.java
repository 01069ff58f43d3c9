package io.trapline.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.trapline.journal.Journal;
import io.trapline.journal.RunDirectory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The main job from the outside: real JVMs, the real trigger, real signals, killed at will. Probes need rights and are
 * in {@code RealTriggerTest}; signals need none.
 */
class RunEndToEndTest {
    @TempDir
    Path directory;

    @BeforeEach
    void writeCampaigns() throws IOException {
        Files.writeString(directory.resolve("short.yaml"), Campaigns.oneOfEach("400ms", 2));
        Files.writeString(directory.resolve("long.yaml"), Campaigns.oneOfEach("1s", 3));
    }

    @Test
    void aCampaignEndsWithAReportThatTheJournalGivesAgainByteForByte() throws Exception {
        TraplineProcess.Ended run = TraplineProcess.run(directory, "run", "short.yaml", "--out", "o");

        assertThat(run.exitCode()).as(run.errText()).isZero();
        assertThat(run.out()).isEqualTo(Files.readString(directory.resolve("o/report.txt")));
        Map<String, String> first = reports();
        assertThat(first).containsOnlyKeys("report.txt", "report.md", "report.json", "report.csv");
        for (String name : first.keySet()) {
            Files.delete(directory.resolve("o").resolve(name));
        }

        assertThat(TraplineProcess.run(directory, "report", "o").exitCode()).isZero();
        assertThat(reports()).isEqualTo(first);
    }

    @Test
    void aPipeGetsNoControlCharacters() throws Exception {
        TraplineProcess.Ended run = TraplineProcess.run(directory, "run", "short.yaml");

        assertThat(run.errText()).doesNotContainPattern("[\\x00-\\x08\\x0b-\\x1f]");
        assertThat(run.out()).doesNotContainPattern("[\\x00-\\x08\\x0b-\\x1f]");
    }

    @Test
    void aTerminatedRunWritesItsPartialReportAndIsResumedWithoutRepeatingAnything() throws Exception {
        try (TraplineProcess run = TraplineProcess.start(directory, "run", "long.yaml", "--out", "o")) {
            run.awaitErr("trial 1/").signal("TERM");
            TraplineProcess.Ended ended = run.await(directory);
            assertThat(ended.exitCode()).as(ended.errText()).isEqualTo(4);
        }
        assertThat(directory.resolve("o/report.txt")).exists();
        int measured = complete();
        assertThat(measured).isBetween(1, 5);

        TraplineProcess.Ended resumed = TraplineProcess.run(directory, "run", "long.yaml", "--out", "o", "--resume");

        assertThat(resumed.exitCode()).as(resumed.errText()).isZero();
        assertThat(resumed.errText()).contains((6 - measured) + " trials to run, " + measured + " measured before");
        assertThat(complete()).isEqualTo(6);
    }

    @Test
    void atItsDeadlineARunKeepsWhatItHasReportsItAndIsResumed() throws Exception {
        Path campaign = directory.resolve("long.yaml");
        Files.writeString(campaign, Files.readString(campaign) + "  deadline: 5s\n");

        TraplineProcess.Ended first = TraplineProcess.run(directory, "run", "long.yaml", "--out", "o");

        assertThat(first.exitCode()).as(first.errText()).isEqualTo(2);
        assertThat(first.out()).contains("deadline: the 5s that the campaign may take have passed");
        int measured = complete();
        assertThat(measured).isLessThan(6);
        TraplineProcess.run(directory, "run", "long.yaml", "--out", "o", "--resume");
        assertThat(complete()).isGreaterThan(measured);
    }

    @ParameterizedTest
    @CsvSource({"true,false", "false,true", "true,true"})
    void killedWithoutWarningItLeavesNoProcessAndAJournalToGoOnFrom(boolean trigger, boolean jvm) throws Exception {
        List<ProcessHandle> triggers;
        try (TraplineProcess run = TraplineProcess.start(directory, "run", "long.yaml", "--out", "o")) {
            run.awaitErr("trial 1/");
            triggers = triggersAtWork(run);
            if (jvm) {
                run.signal("KILL");
            }
            if (trigger) {
                TraplineProcess.kill("KILL", triggers.get(0).pid());
            }
            TraplineProcess.Ended ended = run.await(directory);
            if (jvm) {
                assertThat(ended.exitCode()).isEqualTo(137);
            } else {
                assertThat(ended.exitCode()).as(ended.errText()).isZero();
                assertThat(ended.errText()).contains("it is repeated");
            }
        }
        for (ProcessHandle process : triggers) {
            process.onExit().get(10, TimeUnit.SECONDS);
        }
        TraplineProcess.Ended resumed = TraplineProcess.run(directory, "run", "long.yaml", "--out", "o", "--resume");
        assertThat(resumed.exitCode()).as(resumed.errText()).isZero();
        assertThat(complete()).isEqualTo(6);
    }

    @Test
    void aDirectoryWithARunIsNotOverwritten() throws Exception {
        assertThat(TraplineProcess.run(directory, "run", "short.yaml", "--out", "o")
                        .exitCode())
                .isZero();
        String journal = Files.readString(directory.resolve("o/journal.jsonl"));

        TraplineProcess.Ended again = TraplineProcess.run(directory, "run", "short.yaml", "--out", "o");
        TraplineProcess.Ended other = TraplineProcess.run(directory, "run", "long.yaml", "--out", "o", "--resume");

        assertThat(again.exitCode()).isEqualTo(1);
        assertThat(again.errText()).contains("--resume");
        assertThat(other.exitCode()).isEqualTo(1);
        assertThat(other.errText()).contains("holds another campaign");
        assertThat(Files.readString(directory.resolve("o/journal.jsonl"))).isEqualTo(journal);
    }

    @Test
    void asLongAsARunMeasuresThisMachineAnotherIsRefusedByItsName() throws Exception {
        try (TraplineProcess first = TraplineProcess.start(directory, "run", "long.yaml", "--out", "o")) {
            first.awaitErr("trial 1/");

            TraplineProcess.Ended second = TraplineProcess.run(directory, "run", "short.yaml", "--out", "p");

            assertThat(second.exitCode()).as(second.errText()).isEqualTo(5);
            assertThat(second.errText())
                    .contains("this machine is taken by process")
                    .contains("a run of test");
            assertThat(directory.resolve("p")).doesNotExist();
            assertThat(first.await(directory).exitCode()).isZero();
        }
        assertThat(TraplineProcess.run(directory, "run", "short.yaml", "--out", "p")
                        .exitCode())
                .isZero();
    }

    /** As Linux does when a disk fails: no more writes, also of files that are open; a sync that was due fails with EIO. */
    @Test
    void whenTheDiskBecomesReadOnlyTheRunEndsNamingTheFileAndWhatIsOnDiskIsReported() throws Exception {
        assumeTrue(isRoot(), "only root can mount a file system for this test");
        Path disk = Files.createDirectory(directory.resolve("disk"));
        assumeTrue(
                sh("truncate -s 8M image && mkfs.ext4 -q image && mount -o loop,errors=remount-ro image disk") == 0,
                "this root can't mount a file system");
        try (TraplineProcess run = TraplineProcess.start(directory, "run", "long.yaml", "--out", "disk/o")) {
            run.awaitErr("trial 1/6");
            assertThat(sh("echo failed > /sys/fs/ext4/$(basename $(findmnt -n -o SOURCE disk))/trigger_fs_error"))
                    .isZero();
            TraplineProcess.Ended ended = run.await(directory);

            assertThat(ended.exitCode()).as(ended.errText()).isEqualTo(1);
            assertThat(ended.errText())
                    .containsPattern("disk/o/journal.jsonl: (Input/output error|Read-only file system)");
            assertThat(ended.out()).contains("signal-altstack");
            assertThat(RunDirectory.read(disk.resolve("o")).trials()).hasSize(6);
        } finally {
            sh("umount -l disk"); // a run that failed may still have it open
        }
    }

    /** The command's exit code. */
    private int sh(String command) throws IOException, InterruptedException {
        return new ProcessBuilder("sh", "-c", command)
                .directory(directory.toFile())
                .inheritIO()
                .start()
                .waitFor();
    }

    @Test
    void withoutRightsTheProbesAreNamedAsNotMeasuredAndTheSignalsAreMeasured() throws Exception {
        assumeTrue(isRoot(), "only root can give up its capabilities for this test");
        Files.writeString(
                directory.resolve("short.yaml"),
                Files.readString(directory.resolve("short.yaml"))
                        .replace("workloads: [", "workloads: [uprobe-nop, ")
                        .replace("altstack: swap}", "altstack: swap}, attach: {scope: pid}"));
        List<String> powerless = List.of("setpriv", "--inh-caps=-all", "--bounding-set=-all");

        try (TraplineProcess run = TraplineProcess.start(directory, powerless, "run", "short.yaml", "--out", "o")) {
            TraplineProcess.Ended ended = run.await(directory);

            assertThat(ended.exitCode()).as(ended.errText()).isEqualTo(4);
            assertThat(ended.out())
                    .contains("cap_sys_admin")
                    .contains("not measured: locked uprobe-nop")
                    .contains("signal-altstack");
        }
    }

    /** The trigger and its members: while there are members, a trial is in hand. */
    private static List<ProcessHandle> triggersAtWork(TraplineProcess run) {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
        List<ProcessHandle> triggers = run.triggers();
        while (triggers.size() < 2) {
            assertThat(System.nanoTime()).as("no trial is in hand").isLessThan(deadline);
            Thread.onSpinWait();
            triggers = run.triggers();
        }
        return triggers;
    }

    private static boolean isRoot() throws IOException {
        return Files.getAttribute(Path.of("/proc/self"), "unix:uid").equals(0);
    }

    private int complete() throws IOException {
        Journal journal = RunDirectory.read(directory.resolve("o"));
        return (int) journal.trials().stream()
                .filter(trial -> trial.counted().isPresent())
                .count();
    }

    private Map<String, String> reports() throws IOException {
        Map<String, String> files = new HashMap<>();
        try (var found = Files.newDirectoryStream(directory.resolve("o"), "report.*")) {
            for (Path file : found) {
                files.put(file.getFileName().toString(), Files.readString(file));
            }
        }
        return files;
    }
}

package io.trapline.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.trapline.http.RunView;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Coordinator and worker whose disks fill up while they measure. */
class DiskFullTest {
    @TempDir
    private Path directory;

    /** A small disk of its own; skips the test, and says so, where nothing can be mounted: that takes root. */
    private record Disk(Path at) implements AutoCloseable {
        static Disk mount(Path at) throws IOException {
            Assumptions.assumeTrue(
                    "root".equals(System.getProperty("user.name")), "full disks not tested: that takes root");
            Files.createDirectories(at);
            run("mount", "-t", "tmpfs", "-o", "size=512k", "tmpfs", at.toString());
            return new Disk(at);
        }

        private static void run(String... command) throws IOException {
            int code = new ProcessBuilder(command)
                    .inheritIO()
                    .start()
                    .onExit()
                    .join()
                    .exitValue();
            assertThat(code).as(String.join(" ", command)).isZero();
        }

        void fill() throws IOException {
            try (OutputStream filler = Files.newOutputStream(at.resolve("filler"))) {
                for (byte[] block = new byte[4096]; ; ) {
                    filler.write(block);
                }
            } catch (IOException full) {
                assertThat(at.toFile().getUsableSpace()).isLessThan(4096);
            }
        }

        void free() throws IOException {
            Files.delete(at.resolve("filler"));
        }

        @Override
        public void close() throws IOException {
            run("umount", "-l", at.toString());
        }
    }

    @Test
    void aFullDiskOfTheWorkerCostsNothingAndOneOfTheCoordinatorThatRunAlone() throws Exception {
        try (Disk ofCoordinator = Disk.mount(directory.resolve("data"));
                Disk ofWorker = Disk.mount(directory.resolve("w/trapline-worker"));
                TestCluster all = TestCluster.hasty(directory)) {
            TraplineProcess coordinator = all.coordinator("c");
            TraplineProcess worker = all.worker("w", "sim", "--simulated", "1");
            coordinator.awaitErr("host sim-1 is there");

            ofWorker.fill();
            RunView measured = all.awaitEnd(all.submit(Campaigns.oneOfEach("300ms", 1)));
            worker.awaitErr("results are kept in memory alone, not on disk");
            assertThat(measured.exitCode()).as("%s", measured).hasValue(0);

            Path run = all.submit(Campaigns.oneOfEach("60s", 1));
            all.awaitLoad(run, 1);
            ofCoordinator.fill();
            RunView failed = all.awaitEnd(run);
            assertThat(failed.ending()).hasValue("JOURNAL_FAILED");
            assertThat(failed.reason())
                    .hasValueSatisfying(reason -> assertThat(reason).contains("journal.jsonl", "No space left"));

            ofCoordinator.free();
            RunView after = all.awaitEnd(all.submit(Campaigns.oneOfEach("300ms", 1)));
            assertThat(after.exitCode()).as("%s", after).hasValue(0);
        }
    }
}

package io.trapline.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Coordinator and worker in processes of their own, with the real trigger: a user's day with them. */
class ClusterEndToEndTest {
    @TempDir
    private Path directory;

    private TestCluster cluster;

    @BeforeEach
    void describe() throws IOException {
        cluster = TestCluster.hasty(directory);
    }

    @Test
    void aSubmittedCampaignIsRunByTheWorkerAndItsReportPrintedToWhoSubmittedItAndAllEndWhenTold() throws Exception {
        Files.writeString(directory.resolve("test.yaml"), Campaigns.oneOfEach("400ms", 2));
        try (TestCluster all = cluster) {
            TraplineProcess coordinator = all.coordinator("c");
            TraplineProcess worker = all.worker("w", "left");
            coordinator.awaitErr("host left is there");

            TraplineProcess.Ended submitted = TraplineProcess.run(
                    directory, "submit", "test.yaml", "--to", all.uri().toString());

            assertThat(submitted.exitCode()).as(submitted.errText()).isZero();
            assertThat(submitted.out()).contains("verdict  VALID: all 4 trials");
            worker.signal("TERM");
            assertThat(all.await(worker, "w").exitCode()).isZero();
            coordinator.signal("TERM");
            assertThat(all.await(coordinator, "c"))
                    .satisfies(ended -> assertThat(ended.exitCode()).isZero())
                    .satisfies(ended -> assertThat(ended.errText()).doesNotContain("timed out"));
            assertThat(all.outbox("w")).isEmpty();
        }
    }

    @Test
    void aCampaignThatPassesItsDeadlineEndsWithWhatItHasAndTheCodeForThat() throws Exception {
        Files.writeString(directory.resolve("test.yaml"), Campaigns.oneOfEach("1s", 10) + "  deadline: 5s\n");
        try (TestCluster all = cluster) {
            TraplineProcess coordinator = all.coordinator("c");
            all.worker("w", "left");
            coordinator.awaitErr("host left is there");

            TraplineProcess.Ended submitted = TraplineProcess.run(
                    directory, "submit", "test.yaml", "--to", all.uri().toString());

            assertThat(submitted.exitCode()).as(submitted.errText()).isEqualTo(2);
            assertThat(submitted.out()).contains("verdict  INCOMPLETE", "deadline");
        }
    }

    @Test
    void aSecondCoordinatorOnItsDataAndASecondWorkerOnItsMachineAreRefusedByNameOfTheFirst() throws Exception {
        try (TestCluster all = cluster) {
            all.coordinator("c");
            TraplineProcess again =
                    all.start("c2", List.of("coordinator", "--data", all.data().toString(), "--port", "0"));
            all.worker("w", "left").awaitErr("joins");
            TraplineProcess.Ended coordinator = all.await(again, "c2");
            TraplineProcess.Ended worker = all.await(all.worker("w", "left"), "w");

            assertThat(coordinator.exitCode()).isEqualTo(1);
            assertThat(coordinator.errText()).contains("taken by the coordinator 127.0.0.1:" + all.port());
            assertThat(worker.exitCode()).isEqualTo(5);
            assertThat(worker.errText()).contains("this machine is taken by process", "a worker that joins");
        }
    }
}

package io.trapline.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.trapline.journal.Journal;
import io.trapline.journal.RunDirectory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Campaigns on hosts that are none, from the command line. */
class SimulatedEndToEndTest {
    @TempDir
    private Path directory;

    @BeforeEach
    void writeCampaign() throws IOException {
        Files.writeString(directory.resolve("campaign.yaml"), """
                apiVersion: trapline/v1
                kind: Campaign
                metadata: {name: test}
                spec:
                  paths:
                    - {name: locked,   attach: {scope: pid}}
                    - {name: lockless, attach: {scope: system}}
                  workloads: [uprobe-nop]
                  cpus: [1, 64]
                  timing: {warmup: 5ms, interval: 10ms, measure: 20ms, rounds: 2}
                """);
    }

    @Test
    void aRunOnThemEndsWellAndSaysEverywhereThatTheyAreNone() throws Exception {
        TraplineProcess.Ended ended = run("--simulated", "2");

        assertThat(ended.exitCode()).as(ended.errText()).isZero();
        assertThat(ended.out()).contains("SIMULATED: no kernel was measured", "locked on sim-1 [SIMULATED]");
        for (String file : new String[] {"report.txt", "report.md", "report.json", "report.csv"}) {
            assertThat(directory.resolve("run").resolve(file)).content().contains("SIMULATED");
        }
        assertThat(directory.resolve("run/journal.jsonl")).content().contains("\"simulation\":\"the built-in curve\"");
        assertThat(RunDirectory.read(directory.resolve("run")).trials()).hasSize(16);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{crash: 139, words: page fault, trial: 1, after: 1} | 0 | ended by SIGSEGV (status 139); its last words:"
                        + " page fault",
                "{lie: 50%, trial: 2} | 4 | hits for",
                "{jump-back: 60m, trial: 3, after: 1} | 4 | the clock did not advance"
            })
    void whatGoesWrongOnThemIsSeen(String fault, int exitCode, String inTheReport) throws Exception {
        Files.writeString(
                directory.resolve("lab.yaml"),
                "apiVersion: trapline/v1\nkind: Simulation\nspec:\n  faults:\n    - " + fault + "\n");

        TraplineProcess.Ended ended = run("--simulated", "1:lab.yaml");

        assertThat(ended.exitCode()).as(ended.out()).isEqualTo(exitCode);
        Journal journal = RunDirectory.read(directory.resolve("run"));
        assertThat(journal.hosts()).allMatch(host -> host.simulated());
        assertThat(directory.resolve("run/report.json")).content().contains(inTheReport);
    }

    @Test
    void hostsThatRunTogetherStartTogetherByClocksThatNeverAgreed() throws Exception {
        Path campaign = directory.resolve("campaign.yaml");
        Files.writeString(
                campaign, Files.readString(campaign) + "  hosts: {run: together, skew: 1s}\n  onLoss: repeat\n");
        Files.writeString(directory.resolve("lab.yaml"), """
                apiVersion: trapline/v1
                kind: Simulation
                spec:
                  faults:
                    - {crash: 139, host: 2, trial: 1, after: 1}
                """);

        TraplineProcess.Ended ended = run("--simulated", "3:lab.yaml");

        assertThat(ended.exitCode()).as(ended.errText() + ended.out()).isZero();
        assertThat(ended.out()).contains("Together\n========", "192");
        Journal journal = RunDirectory.read(directory.resolve("run"));
        assertThat(journal.joints())
                .hasSize(8)
                .allSatisfy(joint -> assertThat(joint.planned().trials()).hasSize(3));
        assertThat(journal.joints().get(0).barriers())
                .as("what one host spoils, all of them repeat")
                .hasSize(2);
        assertThat(journal.trials().subList(0, 3))
                .allSatisfy(trial ->
                        assertThat(trial.counted().orElseThrow().number()).isEqualTo(2));
    }

    @ParameterizedTest
    @CsvSource({"0, its form is N or N:FILE", "99999, N from 1 to 10000", "1:no.yaml, there is no such file"})
    void aNumberOrAFileThatIsWrongIsTold(String option, String message) throws Exception {
        TraplineProcess.Ended ended = run("--simulated", option);

        assertThat(ended.exitCode()).isEqualTo(1);
        assertThat(ended.errText()).contains(message);
    }

    private TraplineProcess.Ended run(String... options) throws IOException, InterruptedException {
        String[] all = {"run", "campaign.yaml", "--out", "run", options[0], options[1]};
        return TraplineProcess.run(directory, all);
    }
}

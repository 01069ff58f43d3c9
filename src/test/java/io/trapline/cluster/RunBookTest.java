package io.trapline.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.trapline.campaign.CampaignReader;
import io.trapline.cluster.RunEvent.Finished.Ending;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a coordinator was given outlives it. */
class RunBookTest {
    private static final String CAMPAIGN = """
            apiVersion: trapline/v1
            kind: Campaign
            metadata: {name: test}
            spec:
              paths: [{name: a, variant: {altstack: swap}}, {name: b, variant: {altstack: same}}]
              workloads: [signal-altstack]
              cpus: [1]
            """;
    private static final RunEvent.Finished DONE = new RunEvent.Finished(Ending.COMPLETE, "complete");

    @TempDir
    private Path data;

    private RunBook open() throws IOException {
        return RunBook.in(data, "test");
    }

    private static Submission add(RunBook book, String id) throws Exception {
        return book.add(id, CampaignReader.parse("test.yaml", CAMPAIGN), CAMPAIGN);
    }

    @Test
    void theNextOneFindsAllRunsAndGoesOnWithThoseUnfinishedInTheirOrder() throws Exception {
        RunBook first = open();
        for (String id : List.of("one", "two", "three")) {
            add(first, id);
        }
        first.end("two", DONE);
        first.close();

        RunBook next = open();
        assertThat(next.all()).extracting(Campaigns.Run::id).containsExactly("three", "two", "one");
        assertThat(next.find("two").flatMap(Campaigns.Run::last)).contains(DONE);
        assertThat(next.unfinished()).extracting(Submission::run).containsExactly("one", "three");
        next.close();
    }

    @Test
    void whatIsDoneIsCountedAndFailuresAreNot() throws Exception {
        RunBook book = open();
        add(book, "one");
        book.note("one", new RunEvent.TrialEnded("t1", OptionalDouble.of(1), Optional.empty(), false));
        book.note("one", new RunEvent.TrialEnded("t2", OptionalDouble.empty(), Optional.of("crashed"), true));

        assertThat(book.find("one").map(Campaigns.Run::done)).contains(1);
        book.close();
    }

    @Test
    void aCampaignThatCantBeReadAnyMoreEndsAsRefusedAndTheOthersGoOn() throws Exception {
        RunBook first = open();
        add(first, "old");
        add(first, "good");
        Path file = first.find("old").orElseThrow().directory().resolve("campaign.yaml");
        first.close();
        Files.writeString(file, CAMPAIGN.replace("workloads", "workloadz"));

        RunBook next = open();
        assertThat(next.unfinished()).extracting(Submission::run).containsExactly("good");
        assertThat(next.find("old").flatMap(Campaigns.Run::last))
                .hasValueSatisfying(
                        last -> assertThat(((RunEvent.Refused) last).problems().toString())
                                .contains("workloadz"));
        next.close();
    }

    @Test
    void aBookThatIsDamagedIsNamed() throws IOException {
        Path file = Files.writeString(data.resolve("runs.json"), "[{\"id\": \"on");

        assertThatThrownBy(this::open)
                .isInstanceOf(IOException.class)
                .hasMessageContaining(file + " is no list of runs");
    }
}

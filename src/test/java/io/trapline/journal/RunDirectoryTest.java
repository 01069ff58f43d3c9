package io.trapline.journal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RunDirectoryTest {
    private static final byte[] OTHER = "kind: Campaign # other\n".getBytes(StandardCharsets.UTF_8);

    @TempDir
    private Path temp;

    private Path out;

    @BeforeEach
    void deepDirectory() {
        out = temp.resolve("a/b");
    }

    private void recordARun() throws IOException {
        try (RunDirectory directory = open(false)) {
            for (JournalRecord record : SampleRun.of(1, 1, "locked").records()) {
                directory.journal().append(record);
            }
            directory.journal().sync();
        }
    }

    private RunDirectory open(boolean resume) throws IOException {
        return RunDirectory.open(out, "sample", SampleRun.FILE, resume);
    }

    @Test
    void keepsTheCampaignAsItWasRead() throws IOException {
        try (RunDirectory directory = open(false)) {
            assertThat(directory.earlier()).isEmpty();
            assertThat(out.resolve("campaign.yaml")).hasBinaryContent(SampleRun.FILE);
            assertThat(out.resolve("campaign.yaml.tmp")).doesNotExist();
        }
    }

    @Test
    void goesOnOnlyWhenAsked() throws IOException {
        recordARun();
        assertThatThrownBy(() -> open(false))
                .isInstanceOf(JournalException.class)
                .hasMessageContaining("holds a run of this campaign already; --resume");
        try (RunDirectory directory = open(true)) {
            assertThat(directory.earlier()).get().extracting(Journal::run).isEqualTo(SampleRun.run(1, 1, "locked"));
            directory.journal().append(SampleRun.run(1, 1, "locked"));
        }
        assertThat(RunDirectory.read(out).sessions()).hasSize(2);
    }

    @Test
    void aRunThatDiedBeforeItsFirstRecordIsStartedAnew() throws IOException {
        open(false).close();
        Files.writeString(out.resolve("journal.jsonl"), "{\"type\":\"ru");
        try (RunDirectory directory = open(false)) {
            assertThat(directory.earlier()).isEmpty();
            assertThat(directory.journal().mended()).isPresent();
        }
    }

    @Test
    void anotherCampaignsRunIsNeverTouched() throws IOException {
        recordARun();
        byte[] before = Files.readAllBytes(out.resolve("journal.jsonl"));
        for (boolean resume : new boolean[] {false, true}) {
            assertThatThrownBy(() -> RunDirectory.open(out, "other", OTHER, resume))
                    .isInstanceOf(JournalException.class)
                    .hasMessageContaining("holds another campaign")
                    .hasMessageContaining(RunDirectory.sha256(SampleRun.FILE).substring(0, 12))
                    .hasMessageContaining(
                            "that of other is " + RunDirectory.sha256(OTHER).substring(0, 12));
        }
        assertThat(out.resolve("campaign.yaml")).hasBinaryContent(SampleRun.FILE);
        assertThat(out.resolve("journal.jsonl")).hasBinaryContent(before);
    }

    @Test
    void aCampaignFileThatWasChangedInPlaceIsNoticed() throws IOException {
        recordARun();
        Files.write(out.resolve("campaign.yaml"), OTHER);
        assertThatThrownBy(() -> RunDirectory.open(out, "other", OTHER, true))
                .isInstanceOf(JournalException.class)
                .hasMessageContaining("holds another campaign");
    }

    @Test
    void foreignFilesAreNotMixedIn() throws IOException {
        Files.createDirectories(out);
        Files.writeString(out.resolve("thesis.tex"), "");
        assertThatThrownBy(() -> open(false))
                .isInstanceOf(JournalException.class)
                .hasMessageContaining("holds thesis.tex and no run");
        assertThat(out.resolve("journal.jsonl")).doesNotExist();
    }

    @Test
    void oneRunAtATime() throws IOException {
        try (RunDirectory first = open(false)) {
            assertThat(first.path()).isEqualTo(out);
            assertThatThrownBy(() -> open(true)).hasMessageContaining("is being written by another run");
        }
    }

    @Test
    void whatIsNoDirectoryOfARunIsNamed() throws IOException {
        Path file = Files.createFile(temp.resolve("file"));
        assertThatThrownBy(() -> RunDirectory.open(file, "sample", SampleRun.FILE, false))
                .hasMessageContaining(file + " is no directory");
        assertThatThrownBy(() -> RunDirectory.open(file.resolve("x"), "sample", SampleRun.FILE, false))
                .isInstanceOf(IOException.class)
                .hasMessageContaining(file.toString());
        assertThatThrownBy(() -> RunDirectory.read(file)).hasMessageContaining(file + " is no directory");
        assertThatThrownBy(() -> RunDirectory.read(temp.resolve("none"))).hasMessageContaining("no such directory");
        assertThatThrownBy(() -> RunDirectory.read(temp)).hasMessageContaining(temp + " holds no journal.jsonl");
    }
}

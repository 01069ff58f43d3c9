package io.trapline.journal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.trapline.campaign.Cell;
import io.trapline.trigger.Reply;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class JournalTest {
    private static final Cell CELL = SampleRun.cell("locked", "uprobe-nop", 2);

    @TempDir
    private Path dir;

    private SampleRun sample() {
        return SampleRun.of(3, 1, "locked", "lockless")
                .trial(CELL, 1, 1000, 1100, 1200)
                .ended();
    }

    private Path written() throws IOException {
        return sample().write(dir.resolve("journal.jsonl"));
    }

    private static void add(Path file, String text) throws IOException {
        Files.writeString(file, text, StandardOpenOption.APPEND);
    }

    @Test
    void readsWhatWasWritten() throws IOException {
        Journal journal = JournalReader.read(written());

        assertThat(journal.run()).isEqualTo(SampleRun.run(3, 1, "locked", "lockless"));
        assertThat(journal.hosts()).containsExactly(SampleRun.host("vm"));
        assertThat(journal.ended())
                .get()
                .extracting(JournalRecord.Ended::reason)
                .isEqualTo("complete");
        assertThat(journal.duplicates()).isZero();
        assertThat(journal.tornTail()).isEmpty();
        assertThat(journal.trials()).hasSize(1);
        Journal.Trial trial = journal.trials().get(0);
        assertThat(trial.planned()).isEqualTo(SampleRun.planned(CELL, 1));
        Journal.Attempt attempt = trial.counted().orElseThrow();
        List<Reply.OfTrial> said = SampleRun.replies(trial.planned().trial(), CELL, 1000, 1100, 1200);
        assertThat(attempt.ready()).get().isEqualTo(said.get(0));
        assertThat(attempt.started()).get().isEqualTo(said.get(1));
        assertThat(attempt.done()).get().isEqualTo(said.get(6));
        Readings readings = attempt.readings();
        assertThat(readings.size()).isEqualTo(4);
        assertThat(readings.seq(3)).isEqualTo(3);
        assertThat(readings.ns(3)).isEqualTo(3_500_000_000L);
        assertThat(readings.readNs(3)).isEqualTo(300);
        assertThat(readings.ops(3, 1)).isEqualTo(1000 + 1650);
        assertThat(readings.opsBetween(0, 3)).isEqualTo(3300);
    }

    @Test
    void aPersonCanReadALine() throws IOException {
        assertThat(Files.readAllLines(written()))
                .contains("{\"type\":\"said\",\"trial\":\"locked/uprobe-nop/threads/0-1/vm/1\",\"attempt\":1,\"reply\":"
                        + "{\"type\":\"interval\",\"trial\":\"locked/uprobe-nop/threads/0-1/vm/1\",\"seq\":1,"
                        + "\"ns\":1500000000,\"readNs\":300,\"ops\":[1500,1500]}}");
    }

    /** Readings have a writer of their own. */
    @ParameterizedTest
    @ValueSource(strings = {"t0001", "a/b c", "\"", "back\\slash", "tab\t", "\u007f", "größer", ""})
    void aReadingsLineIsTheGeneralOne(String trial) throws IOException {
        Path file = dir.resolve("journal.jsonl");
        JournalRecord.Said said = new JournalRecord.Said(
                trial, 12, new Reply.Interval(trial, 3, 1_500_000_000L, 300, new long[] {0, Long.MAX_VALUE}));
        try (JournalWriter writer = JournalWriter.open(file)) {
            writer.append(said);
        }

        assertThat(Files.readString(file))
                .isEqualTo(JournalJson.MAPPER.writerFor(JournalRecord.class).writeValueAsString(said) + "\n");
    }

    @Test
    void anotherOrderOfFieldsIsTheSame() throws IOException {
        Path file = written();
        String turned = Files.readString(file)
                .replace("\"seq\":1,\"ns\":1500000000,", "\"ns\":1500000000,\"seq\":1,")
                .replace("{\"type\":\"said\",", "{ \"type\" : \"said\" , ");
        Files.writeString(file, turned);

        assertThat(JournalReader.read(file)
                        .trials()
                        .get(0)
                        .counted()
                        .orElseThrow()
                        .readings())
                .usingRecursiveComparison()
                .isEqualTo(JournalReader.read(sample().write(dir.resolve("plain.jsonl")))
                        .trials()
                        .get(0)
                        .counted()
                        .orElseThrow()
                        .readings());
    }

    /** A run may die at any byte: each prefix of a journal is a journal. Those within its long head are left out. */
    @Test
    void everyPrefixIsReadableAndCanBeResumed() throws IOException {
        byte[] whole = Files.readAllBytes(SampleRun.of(1, 1, "locked")
                .trial(SampleRun.cell("locked", "signal-raise", 1), 1, 1000)
                .write(dir.resolve("whole.jsonl")));
        int first = new String(whole, StandardCharsets.UTF_8).indexOf("{\"type\":\"planned\"") - 1;
        Path file = dir.resolve("cut.jsonl");
        for (int length = first; length < whole.length; length++) {
            Files.write(file, Arrays.copyOf(whole, length));
            Journal cut = JournalReader.read(file);
            assertThat(cut.tornTail().isPresent()).isEqualTo(whole[length - 1] != '\n');
            try (JournalWriter writer = JournalWriter.open(file)) {
                assertThat(writer.mended().isPresent()).isEqualTo(cut.tornTail().isPresent());
                writer.append(new JournalRecord.Ended("cancelled", 1, 1, SampleRun.AT));
            }
            Journal mended = JournalReader.read(file);
            assertThat(mended.tornTail()).isEmpty();
            assertThat(mended.ended())
                    .get()
                    .extracting(JournalRecord.Ended::reason)
                    .isEqualTo("cancelled");
            assertThat(mended.trials()).usingRecursiveComparison().isEqualTo(cut.trials());
        }
    }

    @Test
    void aTornTailIsSaidInWords() throws IOException {
        Path file = written();
        add(file, "{\"type\":\"begun\",\"tri");

        assertThat(JournalReader.read(file).tornTail())
                .get()
                .isEqualTo("line 13 of the journal was never finished; its 20 bytes are left out");
        try (JournalWriter writer = JournalWriter.open(file)) {
            assertThat(writer.mended())
                    .get()
                    .asString()
                    .endsWith("cut off 20 bytes of a last line that was never" + " finished");
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "@@ garbage \u0007 @@ | is no journal record | @@ garbage ? @@",
                "{\"type\":\"said\",\"trial\":\"x\" | is no journal record | {\"type\":\"said\"",
                "{\"type\":\"begun\"} {} | is no journal record | {\"type\":\"begun\"}",
                "{\"type\":\"flight\"} | is no journal record | 'flight'",
                "{\"type\":\"lost\",\"trial\":\"t\",\"attempt\":1} | is no journal record | reason",
                "{\"type\":\"lost\",\"trial\":\"t\",\"reason\":\"r\"} | is no journal record | attempt",
                "{\"type\":\"lost\",\"trial\":\"t\",\"attempt\":1,\"reason\":\"r\",\"x\":1} | is no journal record | \"x\"",
                "{\"type\":\"lost\",\"trial\":\"t\",\"attempt\":1,\"reason\":\"r\"} | trial t was never planned | lost",
            })
    void garbageInTheMiddleIsNamedByLine(String garbage, String problem, String shown) throws IOException {
        Path file = written();
        List<String> lines = new ArrayList<>(Files.readAllLines(file));
        lines.add(4, garbage);
        Files.write(file, lines);

        assertThatThrownBy(() -> JournalReader.read(file))
                .isInstanceOf(JournalException.class)
                .hasMessageStartingWith(file + ":5: this line ")
                .hasMessageContaining(problem)
                .hasMessageContaining(shown);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 13})
    void aLaterFormatIsRefusedByName(int line) throws IOException {
        Path file = written();
        List<String> lines = new ArrayList<>(Files.readAllLines(file));
        lines.add(line - 1, "{\"type\":\"run\",\"format\":2,\"sparkle\":true,\"run\":\"r1\",\"version\":\"9.1.0\"}");
        Files.write(file, lines);

        assertThatThrownBy(() -> JournalReader.read(file))
                .isInstanceOf(JournalException.class)
                .hasMessageStartingWith(file + ":" + line + ": the journal is of format 2, written by trapline 9.1.0;")
                .hasMessageContaining("up to 1");
    }

    @Test
    void theFirstRecordMustBeARun() throws IOException {
        Path file = written();
        Files.write(file, Files.readAllLines(file).subList(1, 5));

        assertThatThrownBy(() -> JournalReader.read(file))
                .isInstanceOf(JournalException.class)
                .hasMessageContaining(":1: this line can't be: the first record must be of type run");
    }

    @Test
    void aJournalWithoutARecordIsRefused() throws IOException {
        Path file = Files.createFile(dir.resolve("journal.jsonl"));
        assertThatThrownBy(() -> JournalReader.read(file))
                .isInstanceOf(JournalException.class)
                .hasMessage(file + " is empty: no run was recorded in it");
        add(file, "{\"type\":\"run\"");
        assertThatThrownBy(() -> JournalReader.read(file))
                .isInstanceOf(JournalException.class)
                .hasMessageContaining("but for a line that was never finished");
        assertThatThrownBy(() -> JournalReader.read(dir.resolve("none")))
                .isInstanceOf(IOException.class)
                .hasMessageContaining(dir.resolve("none") + ": no such file");
    }

    @Test
    void anotherRunsRecordsAreRefused() throws IOException {
        SampleRun other = sample();
        JournalRecord.Run run = SampleRun.run(3, 1, "locked", "lockless");
        other.add(new JournalRecord.Run(
                1,
                "r2",
                run.campaign(),
                run.question(),
                run.sha256(),
                run.version(),
                run.at(),
                run.paths(),
                run.timing(),
                run.rounds(),
                run.gate()));

        assertThatThrownBy(other::journal)
                .hasMessageContaining("run r2 of campaign sample is not the one")
                .hasMessageContaining("r1");
    }

    /** D-06: a worker that does not hear that its readings are on disk sends them again, perhaps late. */
    @Test
    void repetitionAndOrderChangeNothing() {
        Random random = new Random(6);
        SampleRun plain = SampleRun.of(5, 2, "locked", "lockless");
        plain.trial(CELL, 1, 1000, 1100, 1200, 1300, 1400).trial(CELL, 2, 900, 1000, 1100, 1200, 1300);
        List<JournalRecord> head = plain.records().stream()
                .filter(r -> !(r instanceof JournalRecord.Said))
                .toList();
        List<JournalRecord> said = plain.records().stream()
                .filter(r -> r instanceof JournalRecord.Said)
                .toList();
        for (int run = 0; run < 50; run++) {
            List<JournalRecord> delivered = new ArrayList<>(said);
            int repeats = random.nextInt(20);
            for (int i = 0; i < repeats; i++) {
                delivered.add(said.get(random.nextInt(said.size())));
            }
            Collections.shuffle(delivered, random);
            SampleRun shuffled = new SampleRun();
            head.forEach(shuffled::add);
            delivered.forEach(shuffled::add);

            Journal journal = shuffled.journal();
            assertThat(journal.duplicates()).isEqualTo(repeats);
            assertThat(journal.trials())
                    .usingRecursiveComparison()
                    .isEqualTo(plain.journal().trials());
        }
    }

    @Test
    void twoAccountsOfTheSameThingContradict() {
        String id = SampleRun.planned(CELL, 1).trial();
        SampleRun twice = sample();
        twice.add(new JournalRecord.Said(id, 1, new Reply.Interval(id, 2, 2_500_000_000L, 300, new long[] {1, 2})));
        twice.add(new JournalRecord.Said(id, 1, new Reply.Started(id, 6, 906)));
        twice.add(new JournalRecord.Said(id, 1, new Reply.Interval(id, 4, 4_500_000_000L, 300, new long[] {1})));

        assertThat(twice.journal().trials().get(0).attempts().get(0).contradictions())
                .containsExactly(
                        "\"started\" was said twice, in two ways",
                        "reading 4 has 1 counters for 2 CPUs",
                        "reading 2 was said twice, in two ways");
    }

    @Test
    void theLastAttemptThatEndedWellCounts() {
        JournalRecord.Planned planned = SampleRun.planned(CELL, 1);
        SampleRun run = SampleRun.of(1, 1, "locked").add(planned);
        run.attempt(planned, 1, r -> r, 1000);
        run.attempt(planned, 2, r -> r, 2000);
        run.add(new JournalRecord.Begun(planned.trial(), 3, "w1", SampleRun.AT));
        run.add(new JournalRecord.Lost(planned.trial(), 3, "the worker left"));

        Journal.Trial trial = run.journal().trials().get(0);
        assertThat(trial.attempts()).hasSize(3);
        assertThat(trial.counted()).get().extracting(Journal.Attempt::number).isEqualTo(2);
    }

    @Test
    void aFullDiskIsNamedAndEndsTheJournal() throws IOException {
        Path full = Path.of("/dev/full");
        assumeThat(full).exists();
        try (JournalWriter writer = JournalWriter.open(full)) {
            JournalRecord.Ended record = new JournalRecord.Ended("complete", 1, 1, SampleRun.AT);
            assertThatThrownBy(() -> writer.append(record))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("/dev/full: No space left on device");
            assertThatThrownBy(() -> writer.append(record)).hasMessageContaining("a write that failed");
        }
    }

    @Test
    void oneWriterAtATime() throws IOException {
        Path file = written();
        JournalWriter first = JournalWriter.open(file);
        assertThatThrownBy(() -> JournalWriter.open(file))
                .isInstanceOf(JournalException.class)
                .hasMessageContaining(file + " is being written by another run");
        first.close();
        JournalWriter.open(file).close();
    }
}

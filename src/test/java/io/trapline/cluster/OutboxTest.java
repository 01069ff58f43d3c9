package io.trapline.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.trapline.trigger.Reply;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a worker keeps until it has a receipt. */
class OutboxTest {
    private static final Origin ORIGIN = new Origin("run1", new Attempt("t0001", 1), "worker-a");

    @TempDir
    Path directory;

    @Test
    void readingsInARowShareAMessageAndWordsDoNot() throws IOException {
        Outbox outbox = Outbox.inMemory();
        fill(outbox, 3);

        List<Delivery> due = outbox.due("run1", false);

        assertThat(due).extracting(Delivery::first).containsExactly(0L, 1L, 4L);
        assertThat(due.get(1)).isInstanceOf(Delivery.Readings.class);
        assertThat(due.get(1).replies()).hasSize(3);
        assertThat(outbox.due("run1", false)).isEmpty();
    }

    @Test
    void noMessageIsLargerThanItsLimit() {
        Outbox outbox = Outbox.inMemory();
        for (int seq = 0; seq < 100; seq++) {
            outbox.add(ORIGIN, reading(seq, 500));
        }

        List<Delivery> due = outbox.due("run1", false);

        assertThat(due)
                .allSatisfy(delivery ->
                        assertThat(new KryoSerializer().toBinary(delivery)).hasSizeLessThan(Delivery.Readings.LIMIT));
        assertThat(due.stream().mapToInt(d -> d.replies().size()).sum()).isEqualTo(100);
    }

    @Test
    void withoutReceiptsNoMoreThanTheWindowIsUnderWay() {
        Outbox outbox = Outbox.inMemory();
        for (int seq = 0; seq < Outbox.WINDOW + 10; seq++) {
            outbox.add(ORIGIN, reading(seq, 1));
        }

        List<Delivery> due = outbox.due("run1", false);
        long end = due.get(due.size() - 1).end();
        assertThat(end).isEqualTo(Outbox.WINDOW);

        outbox.settle(new Receipt(ORIGIN, 10));
        assertThat(outbox.due("run1", false)).extracting(Delivery::end).containsExactly((long) Outbox.WINDOW + 10);
    }

    @Test
    void whatHasNoReceiptOutlivesTheWorkerAndWhatHasOneLeavesNothing() throws IOException {
        Outbox first = Outbox.in(directory);
        fill(first, 2);
        first.settle(new Receipt(ORIGIN, 2));

        Outbox second = Outbox.in(directory);
        assertThat(second.runs()).containsExactly("run1");
        assertThat(second.due("run1", true).stream().flatMap(d -> d.replies().stream()))
                .extracting(Reply.OfTrial::trial)
                .hasSize(4);

        second.settle(new Receipt(ORIGIN, 4));
        assertThat(second.runs()).isEmpty();
        assertThat(files()).isEmpty();
    }

    @Test
    void aRecordThatWasBeingWrittenWhenTheWorkerDiedIsLeftOut() throws IOException {
        fill(Outbox.in(directory), 2);
        Files.writeString(files().get(0), "{\"type\":\"int", StandardOpenOption.APPEND);

        assertThat(Outbox.in(directory).due("run1", true).stream()
                        .mapToLong(Delivery::end)
                        .max())
                .hasValue(4);
    }

    @Test
    void aFileThatIsNoOutboxIsRefusedByName() throws IOException {
        Path file = directory.resolve("x.jsonl");
        Files.writeString(file, "hello\n");

        assertThatThrownBy(() -> Outbox.in(directory)).hasMessageContaining(file.toString());
    }

    @Test
    void aDiskThatTakesNothingStopsNoMeasurement() throws IOException {
        Path outboxes = directory.resolve("outbox");
        Outbox outbox = Outbox.in(outboxes);
        Files.delete(outboxes);

        fill(outbox, 2);

        assertThat(outbox.complaint()).hasValueSatisfying(c -> assertThat(c).contains(outboxes.toString()));
        assertThat(outbox.complaint()).isEmpty();
        assertThat(outbox.due("run1", false)).last().extracting(Delivery::end).isEqualTo(4L);
    }

    @Test
    void aForgottenRunLeavesNothing() throws IOException {
        Outbox outbox = Outbox.in(directory);
        fill(outbox, 2);

        outbox.forget("run1");

        assertThat(outbox.runs()).isEmpty();
        assertThat(files()).isEmpty();
    }

    /** Started, so many readings, and the last word. */
    private static void fill(Outbox outbox, int readings) {
        outbox.add(ORIGIN, new Reply.Started("t0001", 1, 2));
        for (int seq = 0; seq < readings; seq++) {
            outbox.add(ORIGIN, reading(seq, 2));
        }
        outbox.add(ORIGIN, Samples.failed("t0001"));
    }

    private static Reply.Interval reading(long seq, int cpus) {
        return new Reply.Interval(
                "t0001",
                seq,
                100_000_000 * seq,
                50,
                LongStream.range(0, cpus).map(cpu -> seq * 1_000_000 + cpu).toArray());
    }

    private List<Path> files() throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            return new ArrayList<>(files.toList());
        }
    }
}

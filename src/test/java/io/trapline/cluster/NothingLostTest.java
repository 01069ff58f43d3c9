package io.trapline.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.trapline.trigger.Reply;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Whatever happens between a worker and the journal (messages lost, doubled, out of order; either side killed), in the
 * end the journal has each record that the worker ever had, once and in order.
 */
class NothingLostTest {
    private static final int STEPS = 600;
    private static final Map<String, Integer> LENGTHS = Map.of("t0001", 40, "t0002", 5, "t0003", 120);

    @TempDir
    Path directory;

    private final List<Delivery> wayThere = new ArrayList<>();
    private final List<Receipt> wayBack = new ArrayList<>();
    private final Map<Attempt, List<Long>> produced = new HashMap<>();
    private final List<Line> journal = new ArrayList<>();
    private Random random = new Random(0);
    private Outbox outbox = Outbox.inMemory();
    private Ledger ledger = new Ledger("run1");
    private int incarnation;
    private int onDisk;
    private long mark;

    private record Line(Attempt attempt, long value) {}

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20})
    void theJournalHasEveryRecordOnceAndInOrder(long seed) throws IOException {
        random = new Random(seed);
        outbox = Outbox.in(directory);
        for (int step = 0; step < STEPS; step++) {
            anything();
        }
        outbox.complete();
        while (!outbox.runs().isEmpty()) {
            outbox.rewind("run1");
            wayThere.addAll(outbox.due("run1", true));
            wayThere.forEach(this::take);
            wayThere.clear();
            sync();
            wayBack.forEach(outbox::settle);
            wayBack.clear();
        }
        Map<Attempt, List<Long>> kept = new HashMap<>();
        journal.forEach(line ->
                kept.computeIfAbsent(line.attempt(), a -> new ArrayList<>()).add(line.value()));
        assertThat(kept).isEqualTo(produced);
    }

    private void anything() throws IOException {
        switch (random.nextInt(12)) {
            case 0, 1, 2 -> measure();
            case 3, 4 -> wayThere.addAll(outbox.due("run1", random.nextBoolean()));
            case 5, 6 -> arrive();
            case 7 -> sync();
            case 8 -> Collections.shuffle(wayThere, random);
            case 9 -> {
                outbox.rewind("run1");
                wayBack.removeIf(receipt -> random.nextBoolean());
                wayBack.forEach(outbox::settle);
                wayBack.clear();
            }
            case 10 -> killWorker();
            default -> killCoordinator();
        }
    }

    /** The next record of some attempt that is not over; a new attempt after its worker was killed. */
    private void measure() {
        String trial = LENGTHS.keySet().stream().sorted().toList().get(random.nextInt(LENGTHS.size()));
        Attempt attempt = new Attempt(trial, incarnation + 1);
        List<Long> values = produced.getOrDefault(attempt, new ArrayList<>());
        if (values.isEmpty()) {
            ledger.open(attempt, "worker-" + incarnation, 0);
        }
        int length = LENGTHS.get(trial);
        if (values.size() < length) {
            long value = values.size();
            values.add(value);
            produced.put(attempt, values);
            outbox.add(
                    new Origin("run1", attempt, "worker-" + incarnation),
                    value == length - 1
                            ? Samples.done(trial, false)
                            : new Reply.Interval(trial, value, 1000 * value, 10, new long[] {value}));
        }
    }

    private void arrive() {
        if (!wayThere.isEmpty()) {
            int index = random.nextInt(Math.min(3, wayThere.size()));
            Delivery delivery = wayThere.get(index);
            switch (random.nextInt(4)) {
                case 0 -> wayThere.remove(index); // lost
                case 1 -> take(delivery); // and once more later
                default -> {
                    wayThere.remove(index);
                    take(delivery);
                }
            }
        }
    }

    private void take(Delivery delivery) {
        Attempt attempt = delivery.origin().attempt();
        ledger.take(delivery).forEach(reply -> journal.add(new Line(attempt, value(reply))));
    }

    private static long value(Reply.OfTrial reply) {
        return reply instanceof Reply.Interval reading ? reading.seq() : LENGTHS.get(reply.trial()) - 1;
    }

    private void sync() {
        ledger.seal(++mark);
        onDisk = journal.size();
        wayBack.addAll(ledger.onDisk(mark));
    }

    private void killWorker() throws IOException {
        outbox = Outbox.in(directory);
        incarnation++;
    }

    /** What was not on disk is there in part, and all that was on its way is lost with the connection. */
    private void killCoordinator() {
        int kept = onDisk + random.nextInt(journal.size() - onDisk + 1);
        journal.subList(kept, journal.size()).clear();
        onDisk = kept;
        wayThere.clear();
        wayBack.clear();
        ledger = new Ledger("run1");
        produced.keySet()
                .forEach(attempt -> ledger.open(
                        attempt,
                        "worker-" + (attempt.number() - 1),
                        journal.stream()
                                .filter(l -> l.attempt().equals(attempt))
                                .count()));
    }
}

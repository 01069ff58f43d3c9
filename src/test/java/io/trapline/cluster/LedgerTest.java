package io.trapline.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.trapline.trigger.Reply;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What a run takes in: each record once, in order, from the worker that was asked. */
class LedgerTest {
    private static final Attempt ATTEMPT = new Attempt("t0001", 1);
    private static final Origin ORIGIN = new Origin("run1", ATTEMPT, "worker-a");

    private final Ledger ledger = new Ledger("run1");
    private final List<Long> taken = new ArrayList<>();

    @Test
    void aDeliveryThatComesTwiceCountsOnce() {
        ledger.open(ATTEMPT, "worker-a", 0);

        deliver(ORIGIN, 0, 3);
        deliver(ORIGIN, 0, 3);
        deliver(ORIGIN, 2, 5);

        assertThat(taken).containsExactly(0L, 1L, 2L, 3L, 4L);
        assertThat(ledger.duplicates()).isEqualTo(4);
    }

    @Test
    void whatLiesBeyondAGapIsNamedAndTakenOnlyWhenTheGapIsFilled() {
        ledger.open(ATTEMPT, "worker-a", 0);

        deliver(ORIGIN, 0, 2);
        deliver(ORIGIN, 4, 6);
        assertThat(taken).containsExactly(0L, 1L);
        assertThat(ledger.gap(ATTEMPT)).contains("its records from number 2 on never came, although number 5 did");

        deliver(ORIGIN, 2, 6);
        assertThat(taken).containsExactly(0L, 1L, 2L, 3L, 4L, 5L);
        assertThat(ledger.gap(ATTEMPT)).isEmpty();
    }

    @Test
    void aReceiptIsGivenOnlyForWhatWasTakenBeforeTheMarkThatIsOnDisk() {
        ledger.open(ATTEMPT, "worker-a", 0);
        deliver(ORIGIN, 0, 2);
        ledger.seal(1);
        deliver(ORIGIN, 2, 5);
        ledger.seal(2);

        assertThat(ledger.onDisk(1)).containsExactly(new Receipt(ORIGIN, 2));
        assertThat(ledger.onDisk(2)).containsExactly(new Receipt(ORIGIN, 5));
        assertThat(ledger.onDisk(2)).isEmpty();
    }

    @Test
    void whatIsDeliveredAgainGetsItsReceiptAgain() {
        ledger.open(ATTEMPT, "worker-a", 5);

        deliver(ORIGIN, 0, 3);
        ledger.seal(1);

        assertThat(taken).isEmpty();
        assertThat(ledger.onDisk(1)).containsExactly(new Receipt(ORIGIN, 5));
    }

    @Test
    void recordsOfAnotherWorkerRunOrAttemptAreCountedAndNotKeptFromTheirWorkersRest() {
        ledger.open(ATTEMPT, "worker-a", 0);
        Origin other = new Origin("run1", ATTEMPT, "worker-b");

        deliver(other, 0, 3);
        deliver(new Origin("run2", ATTEMPT, "worker-a"), 0, 2);
        deliver(new Origin("run1", new Attempt("t0001", 2), "worker-a"), 0, 1);
        ledger.seal(1);

        assertThat(taken).isEmpty();
        assertThat(ledger.strangers()).isEqualTo(6);
        assertThat(ledger.onDisk(1)).hasSize(3).contains(new Receipt(other, 3));
    }

    private void deliver(Origin origin, long from, long to) {
        List<Reply.Interval> readings = new ArrayList<>();
        for (long seq = from; seq < to; seq++) {
            readings.add(new Reply.Interval("t0001", seq, 1000 * seq, 10, new long[] {seq}));
        }
        ledger.take(new Delivery.Readings(origin, from, false, readings))
                .forEach(reply -> taken.add(((Reply.Interval) reply).seq()));
    }
}

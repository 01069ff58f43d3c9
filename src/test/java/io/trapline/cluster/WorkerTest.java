package io.trapline.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import akka.actor.testkit.typed.javadsl.BehaviorTestKit;
import akka.actor.testkit.typed.javadsl.TestInbox;
import io.trapline.host.CpuSet;
import io.trapline.host.Host;
import io.trapline.host.HostProfile;
import io.trapline.host.Method;
import io.trapline.host.Model;
import io.trapline.host.Timing;
import io.trapline.host.TrialSpec;
import io.trapline.host.Workload;
import io.trapline.journal.SampleRun;
import io.trapline.trigger.Reply;
import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;
import java.util.function.Consumer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** How a worker passes on what its host says. Its mailbox is emptied by hand, so that it's known what came together. */
class WorkerTest {
    private static final Attempt ATTEMPT = new Attempt("t1", 1);
    private static final TrialSpec SPEC = new TrialSpec(
            "t1",
            Workload.named("syscall-count"),
            Model.THREADS,
            CpuSet.of(0),
            Method.DEFAULT,
            new Timing(Duration.ofMillis(10), Duration.ofMillis(10), 7));

    private final SaidHost host = new SaidHost();
    private final TestInbox<CampaignRun.Command> run = TestInbox.create();
    private BehaviorTestKit<Worker.Command> worker;

    @BeforeEach
    void hasATrialInHand() {
        worker = BehaviorTestKit.create(
                Worker.create(new Worker.Setup(host, host.profile(), "incarnation", Outbox.inMemory(), reason -> {})));
        worker.run(new Worker.Attach("run1", run.getRef()));
        worker.run(new Worker.Prepare("run1", ATTEMPT, SPEC));
    }

    @Test
    void readingsThatCameTogetherShareAMessage() {
        say(reading(0), reading(1), reading(2));
        work();
        assertThat(seqs(delivered())).containsExactly(List.of(0L, 1L, 2L));

        say(reading(3));
        work();
        say(reading(4), reading(5));
        work();
        assertThat(seqs(delivered())).containsExactly(List.of(3L), List.of(4L, 5L));
    }

    @Test
    void theLastWordStandsBehindAllReadingsAndNothingComesTwice() {
        say(reading(0), reading(1), Samples.done("t1", false));
        work();

        List<Delivery> delivered = delivered();
        assertThat(delivered).extracting(Delivery::first).containsExactly(0L, 2L);
        assertThat(delivered.get(0).replies()).hasSize(2);
        assertThat(delivered.get(1).replies()).singleElement().isInstanceOf(Reply.Done.class);
    }

    @Test
    void aFollowerThatComesLateGetsWhatWasGathered() {
        say(reading(0));
        worker.runOne(); // it's in the outbox, and not delivered yet
        assertThat(delivered()).isEmpty();

        worker.run(new Worker.Attach("run1", run.getRef()));
        work();

        assertThat(seqs(delivered())).containsExactly(List.of(0L));
    }

    @Test
    void aTrialThatIsAskedForAgainIsBegunOnceAlsoWhenItIsOver() {
        worker.run(new Worker.Prepare("run1", ATTEMPT, SPEC));
        say(Samples.done("t1", false));
        work();
        worker.run(new Worker.Prepare("run1", ATTEMPT, SPEC));
        assertThat(host.begun).isEqualTo(1);

        worker.run(new Worker.Prepare("run1", new Attempt(ATTEMPT.trial(), ATTEMPT.number() + 1), SPEC));
        assertThat(host.begun).isEqualTo(2);
    }

    @Test
    void aClockIsReadWithTheQuestionThatItAnswers() {
        worker.run(new Worker.ReadClock("vm", ATTEMPT, 7, run.getRef()));

        assertThat(run.receiveMessage()).isEqualTo(new CampaignRun.Clock("vm", ATTEMPT, 7, SaidHost.CLOCK));
    }

    private void say(Reply.OfTrial... replies) {
        List.of(replies).forEach(host.listener);
    }

    private void work() {
        while (worker.selfInbox().hasMessages()) {
            worker.runOne();
        }
    }

    private List<Delivery> delivered() {
        return run.getAllReceived().stream().map(Delivery.class::cast).toList();
    }

    private static List<List<Long>> seqs(List<Delivery> deliveries) {
        return deliveries.stream()
                .map(d -> d.replies().stream()
                        .map(reply -> ((Reply.Interval) reply).seq())
                        .toList())
                .toList();
    }

    private static Reply.Interval reading(long seq) {
        return new Reply.Interval("t1", seq, 1000 * seq, 10, new long[] {seq});
    }

    /** Says what the test says. */
    private static final class SaidHost implements Host {
        private static final long CLOCK = 42;

        private Consumer<Reply.OfTrial> listener = reply -> {};
        private int begun;

        @Override
        public long clock() {
            return CLOCK;
        }

        @Override
        public HostProfile profile() {
            return SampleRun.host("vm");
        }

        @Override
        public Trial begin(TrialSpec spec, Consumer<Reply.OfTrial> said) {
            listener = said;
            begun++;
            return new Trial() {
                @Override
                public void go(OptionalLong atNs) {}

                @Override
                public void stop() {}
            };
        }

        @Override
        public void close() {}
    }
}

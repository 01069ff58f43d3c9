package io.trapline.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import akka.actor.testkit.typed.javadsl.ActorTestKit;
import akka.actor.testkit.typed.javadsl.ManualTime;
import akka.actor.testkit.typed.javadsl.TestProbe;
import akka.actor.typed.ActorRef;
import akka.actor.typed.javadsl.Behaviors;
import io.trapline.journal.SampleRun;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Whom the coordinator takes in, and whom not. */
class CoordinatorTest {
    private final Door door = new Door();
    private ActorTestKit kit;
    private ActorRef<Coordinator.Command> coordinator;

    @BeforeEach
    void start() {
        kit = ActorTestKit.create(ManualTime.config().withFallback(Kits.config()));
        coordinator = kit.spawn(Coordinator.create(false, door));
    }

    @AfterEach
    void stop() {
        kit.shutdownTestKit();
    }

    private static Coordinator.Hello hello(
            int protocol, String table, String incarnation, ActorRef<Worker.Command> worker) {
        return new Coordinator.Hello(
                protocol, table, SampleRun.host("rack-b-1"), incarnation, Set.of("forgotten"), worker);
    }

    private static Coordinator.Hello hello(String incarnation, ActorRef<Worker.Command> worker) {
        return hello(Coordinator.PROTOCOL, KryoTable.HASH, incarnation, worker);
    }

    private List<Campaigns.Member> members() {
        TestProbe<List<Campaigns.Member>> asking = kit.createTestProbe();
        coordinator.tell(new Coordinator.Ask(asking.ref()));
        return asking.receiveMessage();
    }

    @Test
    void aWorkerOfAnotherVersionIsRefusedByBothVersionsAndCounted() {
        List<Coordinator.Hello> skewed = List.of(
                hello(
                        Coordinator.PROTOCOL - 1,
                        KryoTable.HASH,
                        "older",
                        kit.createTestProbe(Worker.Command.class).ref()),
                hello(
                        Coordinator.PROTOCOL + 1,
                        KryoTable.HASH,
                        "newer",
                        kit.createTestProbe(Worker.Command.class).ref()),
                hello(
                        Coordinator.PROTOCOL,
                        "0badcafe",
                        "other",
                        kit.createTestProbe(Worker.Command.class).ref()));
        for (Coordinator.Hello hello : skewed) {
            TestProbe<Worker.Command> worker = kit.createTestProbe();
            coordinator.tell(hello(hello.protocol(), hello.table(), hello.incarnation(), worker.ref()));

            assertThat(worker.expectMessageClass(Worker.Dismiss.class).reason())
                    .contains("this coordinator speaks protocol " + Coordinator.PROTOCOL + " with the table "
                            + KryoTable.HASH)
                    .contains("the worker speaks " + hello.protocol() + " with " + hello.table())
                    .contains("run the same version of trapline on both");
        }
        assertThat(members()).isEmpty();
        assertThat(door.callers().refusedWorkers()).isEqualTo(skewed.size());
    }

    @Test
    void aWorkerThatIsTakenInHearsBeatsAndWhatItMayForget() {
        TestProbe<Worker.Command> worker = kit.createTestProbe();
        coordinator.tell(hello("one", worker.ref()));
        worker.expectMessage(new Worker.Forget("forgotten"));
        ManualTime.get(kit.system()).timePasses(Duration.ofSeconds(2));

        worker.expectMessage(new Worker.Beat());
        assertThat(members()).singleElement().satisfies(m -> {
            assertThat(m.profile().name()).isEqualTo("rack-b-1");
            assertThat(m.reachable()).isTrue();
        });
    }

    @Test
    void anotherWorkerForTheSameHostTakesThePlaceOfTheFirstWhichIsToldSo() {
        TestProbe<Worker.Command> first = kit.createTestProbe();
        TestProbe<Worker.Command> second = kit.createTestProbe();
        coordinator.tell(hello("one", first.ref()));
        coordinator.tell(hello("two", second.ref()));

        first.expectMessage(new Worker.Forget("forgotten"));
        assertThat(first.expectMessageClass(Worker.Dismiss.class).reason())
                .contains("another worker for the host rack-b-1 took its place");
        assertThat(members())
                .singleElement()
                .satisfies(m -> assertThat(m.incarnation()).isEqualTo("two"));
    }

    @Test
    void aLateWordOfAWorkerThatIsGoneBringsItNotBackButAnotherOneOfItsHostIsWelcome() {
        ActorRef<Worker.Command> worker = kit.spawn(Behaviors.ignore());
        coordinator.tell(hello("one", worker));
        assertThat(members())
                .singleElement()
                .satisfies(m -> assertThat(m.reachable()).isTrue());
        TestProbe<Worker.Command> watching = kit.createTestProbe();
        kit.stop(worker);
        watching.expectTerminated(worker, Duration.ofSeconds(3));
        TestProbe<Worker.Command> replaced = kit.createTestProbe();

        coordinator.tell(hello("one", worker));
        coordinator.tell(hello("one", worker));
        assertThat(members())
                .singleElement()
                .satisfies(m -> assertThat(m.reachable()).isFalse());
        coordinator.tell(hello("two", replaced.ref()));
        assertThat(members())
                .singleElement()
                .satisfies(m -> assertThat(m.reachable()).isTrue());
    }
}

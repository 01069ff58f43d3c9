package io.trapline.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import akka.actor.testkit.typed.javadsl.ActorTestKit;
import akka.actor.typed.ActorRef;
import akka.serialization.Serialization;
import akka.serialization.SerializationExtension;
import akka.serialization.Serializers;
import io.trapline.host.CpuSet;
import io.trapline.host.HostProfile;
import io.trapline.host.Method;
import io.trapline.host.Model;
import io.trapline.host.Timing;
import io.trapline.host.Topology;
import io.trapline.host.TrialSpec;
import io.trapline.host.Workload;
import io.trapline.trigger.Reply;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What crosses machines comes out as it went in, and nothing else crosses. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class WireTest {
    private static final Origin ORIGIN = new Origin("run1", new Attempt("t0001", 2), "worker-a");

    private ActorTestKit kit;
    private Serialization serialization;

    @BeforeAll
    void start() {
        kit = ActorTestKit.create("wire", Kits.config());
        serialization = SerializationExtension.get(kit.system());
    }

    @AfterAll
    void stop() {
        kit.shutdownTestKit();
    }

    Stream<Object> messages() {
        ActorRef<Worker.Command> worker = kit.<Worker.Command>createTestProbe().getRef();
        ActorRef<CampaignRun.Command> run =
                kit.<CampaignRun.Command>createTestProbe().getRef();
        Attempt attempt = ORIGIN.attempt();
        TrialSpec spec = new TrialSpec(
                "t0001",
                Workload.named("signal-raise"),
                Model.THREADS,
                CpuSet.parse("0-3,8"),
                Method.DEFAULT,
                new Timing(Duration.ofMillis(500), Duration.ofMillis(100), 20));
        return Stream.of(
                new Coordinator.Hello(
                        1,
                        KryoTable.HASH,
                        host(2).labelled(Map.of("rack", "b")),
                        "worker-a",
                        Set.of("run1", "run2"),
                        worker),
                new Worker.Prepare("run1", attempt, spec),
                new Worker.Go("run1", attempt, OptionalLong.of(5)),
                new Worker.ReadClock("vm", attempt, 7, run),
                new CampaignRun.Clock("vm", attempt, 7, -9),
                new Worker.Stop("run1", attempt),
                new Worker.Attach("run1", run),
                new Worker.Acknowledge(new Receipt(ORIGIN, Long.MAX_VALUE)),
                new Worker.Forget("run1"),
                new Worker.Beat(),
                new Worker.Dismiss("another version"),
                new Delivery.Word(ORIGIN, 0, true, Samples.ready("t0001")),
                new Delivery.Word(ORIGIN, 1, false, new Reply.Started("t0001", 5, 7)),
                new Delivery.Word(ORIGIN, 2, false, Samples.done("t0001", false)),
                new Delivery.Word(ORIGIN, 3, false, Samples.failed("t0001")));
    }

    @ParameterizedTest
    @MethodSource("messages")
    void aControlMessageComesOutAsItWentIn(Object message) {
        assertThat(roundTrip(message)).isEqualTo(message);
        assertThat(serialization.findSerializerFor(message).getClass().getSimpleName())
                .contains("Jackson");
    }

    @Test
    void everyControlMessageIsTriedHere() {
        Set<Class<?>> tried =
                Set.copyOf(messages().map(Object::getClass).distinct().toList());
        List<Class<?>> declared = Stream.of(Worker.class, Coordinator.class, Delivery.class, CampaignRun.class)
                .flatMap(c -> Arrays.stream(c.getDeclaredClasses()))
                .filter(c -> Wire.class.isAssignableFrom(c))
                .<Class<?>>map(c -> c)
                .toList();

        assertThat(declared).isNotEmpty().allMatch(tried::contains);
    }

    @Test
    void readingsComeOutAsTheyWentInWithAllOf64Bits() {
        long[][] counters = {{0, Long.MAX_VALUE, -1}, {5_000_000_000L, Long.MIN_VALUE, 0}, {7, 8, Long.MAX_VALUE}};
        List<Reply.Interval> readings = new ArrayList<>();
        for (int i = 0; i < counters.length; i++) {
            readings.add(new Reply.Interval("t0001-a2", i, Long.MAX_VALUE - 5 + i, 1 << i, counters[i]));
        }

        Delivery.Readings out = (Delivery.Readings) roundTrip(new Delivery.Readings(ORIGIN, 17, true, readings));

        assertThat(out.origin()).isEqualTo(ORIGIN);
        assertThat(out.first()).isEqualTo(17);
        assertThat(out.urgent()).isTrue();
        assertThat(out.replies()).usingRecursiveComparison().isEqualTo(readings);
    }

    @Test
    void theIdTableIsFrozen() {
        // Two programs with different tables refuse each other. A change here is a change of the protocol.
        assertThat(KryoTable.HASH).isEqualTo("ca1c4157");
    }

    @Test
    void aClassThatIsNotInTheTableIsRefused() {
        assertThatThrownBy(() -> new KryoSerializer().toBinary(new ArrayList<>(List.of("x"))))
                .hasMessageContaining("not registered");
    }

    @Test
    void bytesThatAreNoMessageAreRefusedWithoutMemoryForWhatTheyClaim() {
        KryoSerializer kryo = new KryoSerializer();
        byte[] whole = kryo.toBinary(new Delivery.Readings(
                ORIGIN, 0, false, List.of(new Reply.Interval("t0001", 0, 1, 1, new long[] {1, 2, 3}))));

        for (int length = 0; length < whole.length; length++) {
            byte[] cut = Arrays.copyOf(whole, length);
            assertThatThrownBy(() -> kryo.fromBinary(cut, "k1")).hasMessageContaining("no message");
        }
        assertThatThrownBy(() -> kryo.fromBinary(whole, "k2")).hasMessageContaining("k2");
    }

    @Test
    void aMessageWithoutTheMarkDoesNotCross() {
        assertThatThrownBy(() -> serialization
                        .serialize(new Coordinator.Cancel("run1", "no"))
                        .get())
                .hasMessageContaining("No configured serialization-bindings");
    }

    @Test
    void theProfileOfALargeHostFitsAMessage() {
        Coordinator.Hello hello = new Coordinator.Hello(
                1,
                KryoTable.HASH,
                host(1024),
                "worker-a",
                Set.of(),
                kit.<Worker.Command>createTestProbe().getRef());

        assertThat(serialization.serialize(hello).get()).hasSizeLessThan(64 << 10);
    }

    private Object roundTrip(Object message) {
        byte[] bytes = serialization.serialize(message).get();
        int id = serialization.findSerializerFor(message).identifier();
        String manifest = Serializers.manifestFor(serialization.findSerializerFor(message), message);
        return serialization.deserialize(bytes, id, manifest).get();
    }

    private static HostProfile host(int cpus) {
        List<Topology.Cpu> all = IntStream.range(0, cpus)
                .mapToObj(id -> new Topology.Cpu(
                        id,
                        id / 64,
                        OptionalInt.of(0),
                        OptionalInt.of(id / 2),
                        CpuSet.of(id, id ^ 1),
                        CpuSet.of(IntStream.range(id & ~7, (id & ~7) + 8)),
                        Topology.Core.UNKNOWN,
                        OptionalLong.of(3_000_000)))
                .toList();
        CpuSet set = CpuSet.of(IntStream.range(0, cpus));
        Topology topology = new Topology(
                set, set, set, all, List.of(new Topology.NumaNode(0, set, List.of(10), OptionalLong.of(1 << 20))));
        return new HostProfile(
                "vm",
                "x86_64",
                new HostProfile.Kernel("6.12.1", "#1 SMP", Optional.of("quiet")),
                Optional.of("glibc 2.36"),
                Optional.empty(),
                Optional.of("kvm"),
                OptionalLong.of(1 << 20),
                topology,
                CpuSet.EMPTY,
                true,
                List.of(new HostProfile.Ability("uprobe-bpf", false, Optional.of("bpf: EPERM"), Optional.of("root"))),
                List.of(new HostProfile.Noise("SMT is on", Optional.empty())));
    }
}

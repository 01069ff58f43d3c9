package io.trapline.host;

import static org.assertj.core.api.Assertions.assertThat;

import io.trapline.host.simulated.Curve;
import io.trapline.host.simulated.Fault;
import io.trapline.host.simulated.Simulation;
import io.trapline.trigger.Reply;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Hosts that are none: by the same protocol, on one thread, and wrong when they are told to be. */
class SimulatedHostTest {
    private static final int INTERVALS = 3;

    private final BlockingQueue<Reply.OfTrial> heard = new LinkedBlockingQueue<>();

    @Test
    void aTrialSaysAllThatATriggerSaysAndClaimsNoTarget() throws InterruptedException {
        try (Host host = open()) {
            Host.Trial trial = host.begin(spec(4), heard::add);
            Reply.Ready ready = (Reply.Ready) next();
            assertThat(ready.bytes()).isEmpty();
            assertThat(ready.threads()).extracting(Reply.ThreadPlace::cpu).containsExactly(0, 1, 2, 3);
            trial.go(OptionalLong.empty());

            Reply.Started started = (Reply.Started) next();
            List<Reply.Interval> readings = readings();
            Reply.Done done = (Reply.Done) next();

            assertThat(readings)
                    .hasSize(INTERVALS + 1)
                    .extracting(Reply.Interval::seq)
                    .containsExactly(0L, 1L, 2L, 3L);
            // 2 M/s on 4 CPUs, of the time that has passed.
            assertThat(readings)
                    .allSatisfy(reading -> assertThat(reading.ops())
                            .hasSize(4)
                            .containsOnly(Math.round((reading.ns() - started.lastNs()) / 1e9 * 2e6 / 4)));
            assertThat(done.hits()).hasValue(done.operations());
            assertThat(done.stopped()).isFalse();
        }
    }

    @Test
    void hostsHaveNamesClocksAndTheMarkOfTheirOwn() throws InterruptedException {
        List<Host> hosts = SimulatedHost.open(simulation(), "lab", 3);
        List<Long> starts = new ArrayList<>();
        for (Host host : hosts) {
            starts.add(start(host, OptionalLong.empty()));
            assertThat(host.profile().mark()).hasValue(HostProfile.Mark.SIMULATED);
            assertThat(host.profile().labels()).containsEntry("rack", "b");
            host.close();
        }
        assertThat(hosts).extracting(h -> h.profile().name()).containsExactly("lab-1", "lab-2", "lab-3");
        assertThat(starts.get(1) - starts.get(0))
                .isGreaterThan(Duration.ofMinutes(10).toNanos());
    }

    @Test
    void goAtAnInstantOfItsOwnClockStartsThenAndAtOnePassedFailsAsLate() throws InterruptedException {
        try (Host host = open()) {
            long now = start(host, OptionalLong.empty());
            long at = now + Duration.ofSeconds(1).toNanos();
            assertThat(start(host, OptionalLong.of(at))).isGreaterThanOrEqualTo(at);

            Host.Trial late = host.begin(spec(1), heard::add);
            assertThat(next()).isInstanceOf(Reply.Ready.class);
            late.go(OptionalLong.of(now));
            assertThat(next()).isInstanceOfSatisfying(Reply.Failed.class, failed -> {
                assertThat(failed.call()).isEqualTo("go");
                assertThat(failed.error()).isEqualTo("late");
            });
        }
    }

    @ParameterizedTest
    @CsvSource({"-1, 0", "0, 0", "2, 2"})
    void aCrashSaysItsStatusAndItsLastWordsAndTheNextTrialHasANewTrigger(int after, int readings) throws Exception {
        try (Host host = open(fault(after, new Fault.Crash(139, "page fault")))) {
            List<Reply.OfTrial> said = run(host);

            assertThat(said).filteredOn(Reply.Interval.class::isInstance).hasSize(readings);
            assertThat(said.get(said.size() - 1))
                    .isInstanceOfSatisfying(
                            Reply.Failed.class,
                            failed -> assertThat(failed.error())
                                    .isEqualTo("ended by SIGSEGV (status 139); its last words: page fault"));
            assertThat(last(run(host))).isInstanceOf(Reply.Done.class);
        }
    }

    @Test
    void aHangRunsIntoTheHostsOwnDeadline() throws InterruptedException {
        try (Host host = open(fault(1, new Fault.Hang()))) {
            assertThat(last(run(host))).isInstanceOfSatisfying(Reply.Failed.class, failed -> {
                assertThat(failed.call()).isEqualTo("done");
                assertThat(failed.error()).contains("did not answer within");
            });
            assertThat(last(run(host))).isInstanceOf(Reply.Done.class);
        }
    }

    @Test
    void aLieIsFewerHitsThanOperations() throws InterruptedException {
        try (Host host = open(fault(0, new Fault.Lie(0.5)))) {
            Reply.Done done = (Reply.Done) last(run(host));
            assertThat(done.hits().orElseThrow()).isBetween(done.operations() / 2 - 1, done.operations() / 2 + 1);
        }
    }

    @Test
    void aClockThatJumpsShowsInTheStampsAlone() throws InterruptedException {
        try (Host host = open(fault(2, new Fault.Jump(Duration.ofHours(-1))))) {
            List<Reply.Interval> readings = run(host).stream()
                    .filter(Reply.Interval.class::isInstance)
                    .map(Reply.Interval.class::cast)
                    .toList();
            assertThat(readings.get(2).ns()).isLessThan(readings.get(1).ns());
            assertThat(readings.get(2).ops()[0]).isGreaterThan(readings.get(1).ops()[0]);
        }
    }

    @Test
    void aTrialThatIsStoppedIsDoneEarly() throws InterruptedException {
        try (Host host = open()) {
            Host.Trial trial = host.begin(spec(1), heard::add);
            assertThat(next()).isInstanceOf(Reply.Ready.class);
            trial.stop();
            assertThat(next())
                    .isInstanceOfSatisfying(
                            Reply.Done.class, done -> assertThat(done.stopped()).isTrue());
        }
    }

    @ParameterizedTest
    @CsvSource({"1, 500", "2, 1000", "3, 1500", "4, 2000", "6, 2500", "8, 3000", "64, 3000"})
    void aCurveIsStraightBetweenItsPointsAndFlatBeyond(int cpus, double rate) {
        assertThat(new Curve(new TreeMap<>(Map.of(2, 1000.0, 4, 2000.0, 8, 3000.0))).rate(cpus))
                .isEqualTo(rate);
    }

    /** Starts a trial, waits for its end, and says when its threads started. */
    private long start(Host host, OptionalLong at) throws InterruptedException {
        Host.Trial trial = host.begin(spec(1), heard::add);
        assertThat(next()).isInstanceOf(Reply.Ready.class);
        trial.go(at);
        long started = ((Reply.Started) next()).firstNs();
        readings();
        assertThat(next()).isInstanceOf(Reply.Done.class);
        return started;
    }

    private List<Reply.OfTrial> run(Host host) throws InterruptedException {
        Host.Trial trial = host.begin(spec(1), heard::add);
        List<Reply.OfTrial> said = new ArrayList<>();
        do {
            said.add(next());
            if (last(said) instanceof Reply.Ready) {
                trial.go(OptionalLong.empty());
            }
        } while (!(last(said) instanceof Reply.Done || last(said) instanceof Reply.Failed));
        return said;
    }

    private static Reply.OfTrial last(List<Reply.OfTrial> said) {
        return said.get(said.size() - 1);
    }

    private List<Reply.Interval> readings() throws InterruptedException {
        List<Reply.Interval> readings = new ArrayList<>();
        while (readings.size() <= INTERVALS) {
            readings.add((Reply.Interval) next());
        }
        return readings;
    }

    private Reply.OfTrial next() throws InterruptedException {
        Reply.OfTrial reply = heard.poll(30, TimeUnit.SECONDS);
        assertThat(reply).as("a reply within 30 s").isNotNull();
        return reply;
    }

    private static Fault fault(int after, Fault.What what) {
        OptionalInt readings = after < 0 ? OptionalInt.empty() : OptionalInt.of(after);
        return new Fault(OptionalInt.of(1), OptionalInt.of(1), readings, what);
    }

    private static Host open(Fault... faults) {
        return SimulatedHost.open(simulation(faults), "sim", 1).get(0);
    }

    private static Simulation simulation(Fault... faults) {
        return new Simulation(
                "test",
                "x86_64",
                "6.12.0",
                8,
                2,
                Map.of("rack", "b"),
                new Curve(new TreeMap<>(Map.of(1, 1e6, 4, 2e6))),
                List.of(faults));
    }

    private static TrialSpec spec(int cpus) {
        return new TrialSpec(
                "t0001",
                Workload.named("uprobe-nop"),
                Model.THREADS,
                CpuSet.parse("0-" + (cpus - 1)),
                Method.DEFAULT,
                new Timing(Duration.ofMillis(5), Duration.ofMillis(5), INTERVALS));
    }
}

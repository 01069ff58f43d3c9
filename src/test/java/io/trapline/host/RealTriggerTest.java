package io.trapline.host;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.trapline.trigger.Reply;
import io.trapline.trigger.TriggerException;
import io.trapline.trigger.TriggerProgram;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The real trigger with real probes and signals on this machine. What is checked is evidence, never speed. Where the
 * rights for probes are missing those tests are skipped, and say so; with TRAPLINE_REQUIRE_PROBES=1 they fail.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class RealTriggerTest {
    // The warm-up is long enough for each thread to get its turn on a machine that is busy with other things.
    private static final Timing SHORT = new Timing(Duration.ofMillis(50), Duration.ofMillis(10), 5);
    private static final Timing LONG = new Timing(Duration.ofMillis(50), Duration.ofMillis(10), 100_000);
    private static final Workload NOP = Workload.named("uprobe-nop");
    private static final boolean X86 = System.getProperty("os.arch").equals("amd64");

    private final BlockingQueue<Reply.OfTrial> heard = new LinkedBlockingQueue<>();
    private Optional<Host.Trial> inHand = Optional.empty();

    /** One for all tests: whatever they do to it, the next one must find it fit. */
    private LocalHost host;

    @BeforeAll
    void open() throws TriggerException {
        host = LocalHost.open(TriggerProgram.find());
    }

    /** Ends what a test has left running. */
    @AfterEach
    void finish() throws InterruptedException {
        inHand.ifPresent(Host.Trial::stop);
        while (inHand.isPresent()) {
            next(Reply.OfTrial.class);
        }
    }

    @AfterAll
    void close() {
        host.close();
    }

    /** A way of measuring. */
    record Way(Workload workload, Model model, Method method) {
        @Override
        public String toString() {
            return workload + " " + model.spelling() + " "
                    + method.keys(workload).values();
        }
    }

    static Stream<Way> ways() {
        List<Way> ways = new ArrayList<>();
        for (Workload workload : Workload.all()) {
            for (Model model : Model.values()) {
                methods()
                        .filter(method -> isFirstOfItsKind(workload, method))
                        .forEach(method -> ways.add(new Way(workload, model, method)));
            }
        }
        return ways.stream();
    }

    private static Stream<Method> methods() {
        return Arrays.stream(Method.Attach.values())
                .flatMap(attach -> Arrays.stream(Method.Scope.values())
                        .flatMap(scope -> Arrays.stream(Method.Altstack.values())
                                .flatMap(altstack -> Arrays.stream(Method.Call.values())
                                        .map(call -> new Method(attach, scope, altstack, call)))));
    }

    /** Many methods are one and the same to a workload; the first of them stands for all. */
    private static boolean isFirstOfItsKind(Workload workload, Method method) {
        return methods()
                .filter(other -> other.keys(workload).equals(method.keys(workload)))
                .findFirst()
                .orElseThrow()
                .equals(method);
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("ways")
    void provesWhatItMeasured(Way way) throws InterruptedException {
        Rights.need(host, way.workload(), way.method());
        CpuSet cpus = host.profile().topology().usable();
        Host.Trial trial = begin(new TrialSpec("t", way.workload(), way.model(), cpus, way.method(), SHORT));

        checkReady(next(Reply.Ready.class), way, cpus);
        trial.go(OptionalLong.empty());
        Reply.Started started = next(Reply.Started.class);
        assertThat(started.firstNs()).isPositive().isLessThanOrEqualTo(started.lastNs());
        List<Reply.Interval> readings = new ArrayList<>();
        for (int seq = 0; seq <= SHORT.intervals(); seq++) {
            readings.add(next(Reply.Interval.class));
        }
        checkReadings(readings, started);
        checkDone(next(Reply.Done.class), way.workload(), readings.get(SHORT.intervals()));
    }

    @Test
    void aThreadThatSomebodyMovesToAnotherCpuFailsItsTrial() throws Exception {
        CpuSet cpus = host.profile().topology().usable();
        assumeTrue(cpus.size() > 1, "on one CPU nothing can be moved");
        Workload workload = Workload.named("syscall-count");
        Host.Trial trial = begin(new TrialSpec("t", workload, Model.THREADS, cpus, Method.DEFAULT, SHORT));
        List<Reply.ThreadPlace> threads = next(Reply.Ready.class).threads();

        String first = Integer.toString(threads.get(0).cpu());
        String moved = Long.toString(threads.get(1).tid());
        assertThat(new ProcessBuilder("taskset", "-p", "-c", first, moved)
                        .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                        .start()
                        .waitFor())
                .isZero();
        trial.go(OptionalLong.empty());

        Reply.OfTrial last = next(Reply.OfTrial.class);
        while (!(last instanceof Reply.Failed || last instanceof Reply.Done)) {
            last = next(Reply.OfTrial.class);
        }
        assertThat(last)
                .isInstanceOfSatisfying(
                        Reply.Failed.class,
                        failed -> assertThat(failed.error()).contains("but the mask reads \"" + first + "\""));
    }

    private void checkReady(Reply.Ready ready, Way way, CpuSet cpus) {
        assertThat(ready.threads().stream().map(Reply.ThreadPlace::mask))
                .as("each thread is pinned to its CPU")
                .containsExactlyElementsOf(
                        cpus.stream().mapToObj(Integer::toString).toList());
        long processes =
                ready.threads().stream().map(Reply.ThreadPlace::pid).distinct().count();
        assertThat(processes)
                .isEqualTo(
                        switch (way.model()) {
                            case THREADS -> 1;
                            case PROCESSES -> cpus.size();
                            case PER_NUMA_NODE ->
                                host.profile().topology().cpus().stream()
                                        .filter(cpu -> cpus.contains(cpu.id()))
                                        .map(Topology.Cpu::node)
                                        .distinct()
                                        .count();
                        });
        if (!way.workload().kind().isProbe()) {
            assertThat(ready.bytes()).isEmpty();
            assertThat(ready.attached()).isEmpty();
            return;
        }
        assertThat(ready.attached()).isPresent().isNotEqualTo(ready.bytes());
        assertThat(ready.consumers()).isPresent();
        if (X86) {
            assertThat(ready.bytes().orElseThrow())
                    .startsWith(firstByte(way.workload().name()));
            assertThat(ready.attached().orElseThrow()).as("int3").startsWith("cc");
        }
    }

    private static String firstByte(String workload) {
        return switch (workload.substring(workload.indexOf('-') + 1)) {
            case "nop" -> "90";
            case "push" -> "55";
            case "ret" -> "c3";
            default -> throw new IllegalArgumentException(workload + " has no target that this test knows");
        };
    }

    private static void checkReadings(List<Reply.Interval> readings, Reply.Started started) {
        Reply.Interval first = readings.get(0);
        Reply.Interval last = readings.get(readings.size() - 1);
        assertThat(first.ns()).isGreaterThan(started.lastNs());
        assertThat(readings).extracting(Reply.Interval::ns).isSorted().doesNotHaveDuplicates();
        for (int cpu = 0; cpu < first.ops().length; cpu++) {
            int at = cpu;
            assertThat(readings).extracting(reading -> reading.ops()[at]).isSorted();
            assertThat(last.ops()[at]).as("every CPU works").isPositive();
        }
    }

    private static void checkDone(Reply.Done done, Workload workload, Reply.Interval last) {
        assertThat(done.stopped()).isFalse();
        assertThat(done.inFlight()).as("all threads have ended").isZero();
        assertThat(done.opsByCpu().stream().mapToLong(n -> n).sum()).isEqualTo(done.operations());
        for (int cpu = 0; cpu < last.ops().length; cpu++) {
            assertThat(done.opsByCpu().get(cpu)).isGreaterThanOrEqualTo(last.ops()[cpu]);
        }
        if (workload.kind() == Workload.Kind.BASELINE) {
            assertThat(done.hits()).isEmpty();
        } else {
            assertThat(done.hits()).as("each operation was a hit").hasValue(done.operations());
            assertThat(done.hitsByCpu()).isEqualTo(done.opsByCpu());
        }
    }

    @Test
    void startsAtTheInstantAskedFor() throws InterruptedException {
        Host.Trial trial = begin("usermode-count", SHORT);
        next(Reply.Ready.class);
        long at = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(30);
        trial.go(OptionalLong.of(at));
        assertThat(next(Reply.Started.class).firstNs()).isGreaterThanOrEqualTo(at);
    }

    @Test
    void failsWhenTheInstantHasPassed() throws InterruptedException {
        Host.Trial trial = begin("usermode-count", SHORT);
        next(Reply.Ready.class);
        trial.go(OptionalLong.of(System.nanoTime()));
        Reply.Failed failed = next(Reply.Failed.class);
        assertThat(failed).extracting(Reply.Failed::call, Reply.Failed::error).containsExactly("go", "late");
        isFitForAnotherTrial();
    }

    @Test
    void failsOnACpuThatIsNotThereAndNamesIt() throws InterruptedException {
        begin(spec("usermode-count", CpuSet.of(CpuSet.MAX_ID), SHORT));
        assertThat(next(Reply.Failed.class).toString()).contains(Integer.toString(CpuSet.MAX_ID));
        isFitForAnotherTrial();
    }

    @Test
    void stopsBeforeGo() throws InterruptedException {
        Host.Trial trial = begin("signal-raise", LONG);
        next(Reply.Ready.class);
        trial.stop();
        assertThat(next(Reply.Done.class).stopped()).isTrue();
        isFitForAnotherTrial();
    }

    @Test
    void stopsWhileItRunsWithEachOperationCounted() throws InterruptedException {
        Rights.need(host, NOP, Method.DEFAULT);
        Host.Trial trial = begin(NOP.name(), LONG);
        next(Reply.Ready.class);
        trial.go(OptionalLong.empty());
        next(Reply.Started.class);
        next(Reply.Interval.class);
        trial.stop();
        Reply.OfTrial reply = next(Reply.OfTrial.class);
        while (reply instanceof Reply.Interval) {
            reply = next(Reply.OfTrial.class);
        }
        assertThat(reply).isInstanceOfSatisfying(Reply.Done.class, done -> {
            assertThat(done.stopped()).isTrue();
            assertThat(done.hits()).hasValue(done.operations());
        });
        isFitForAnotherTrial();
    }

    @Test
    void aProbeOfSomebodyElseOnTheTargetIsFoundOut() throws Exception {
        Rights.need(host, NOP, Method.DEFAULT);
        begin(NOP.name(), LONG);
        next(Reply.Ready.class);
        BlockingQueue<Reply.OfTrial> second = new LinkedBlockingQueue<>();
        try (LocalHost other = LocalHost.open(TriggerProgram.find())) {
            other.begin(spec(NOP.name(), host.profile().topology().usable(), SHORT), second::add);
            assertThat(second.poll(30, TimeUnit.SECONDS))
                    .isInstanceOfSatisfying(
                            Reply.Failed.class,
                            failed -> assertThat(failed.error()).contains("another probe"));
        }
    }

    /** The trigger serves on, and finds its targets without a probe. */
    private void isFitForAnotherTrial() throws InterruptedException {
        String workload = host.profile().whyNot(NOP, Method.DEFAULT).isEmpty() ? NOP.name() : "signal-raise";
        Host.Trial trial = begin(workload, SHORT);
        next(Reply.Ready.class);
        trial.go(OptionalLong.empty());
        next(Reply.Started.class);
        for (int seq = 0; seq <= SHORT.intervals(); seq++) {
            next(Reply.Interval.class);
        }
        next(Reply.Done.class);
    }

    private Host.Trial begin(String workload, Timing timing) {
        return begin(spec(workload, host.profile().topology().usable(), timing));
    }

    private Host.Trial begin(TrialSpec spec) {
        Host.Trial trial = host.begin(spec, heard::add);
        inHand = Optional.of(trial);
        return trial;
    }

    private static TrialSpec spec(String workload, CpuSet cpus, Timing timing) {
        return new TrialSpec("t", Workload.named(workload), Model.THREADS, cpus, Method.DEFAULT, timing);
    }

    private <T extends Reply.OfTrial> T next(Class<T> type) throws InterruptedException {
        Reply.OfTrial reply = heard.poll(30, TimeUnit.SECONDS);
        if (reply == null || reply instanceof Reply.Done || reply instanceof Reply.Failed) {
            inHand = Optional.empty();
        }
        assertThat(reply).isInstanceOf(type);
        return type.cast(reply);
    }
}

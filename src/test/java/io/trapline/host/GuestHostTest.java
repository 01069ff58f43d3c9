package io.trapline.host;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.trapline.host.guest.Accelerator;
import io.trapline.host.guest.Arch;
import io.trapline.host.guest.DebianKernels;
import io.trapline.host.guest.Guest;
import io.trapline.host.guest.GuestException;
import io.trapline.host.guest.GuestSpec;
import io.trapline.host.guest.GuestSpec.KernelSource;
import io.trapline.host.guest.GuestSpec.Wanted;
import io.trapline.host.guest.KernelUsed;
import io.trapline.trigger.Reply;
import io.trapline.trigger.TriggerException;
import io.trapline.trigger.TriggerProgram;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Real guests: Debian's kernels under QEMU, with real probes and signals. What is checked is evidence and, where
 * instructions are counted, that two guests count alike. Without QEMU they are skipped, and say so; with
 * TRAPLINE_REQUIRE_PROBES=1 they fail.
 */
class GuestHostTest {
    private static final Timing SHORT = new Timing(Duration.ofMillis(200), Duration.ofMillis(50), 5);
    private static final Timing ENDLESS = new Timing(Duration.ofMillis(50), Duration.ofMillis(50), 100_000);
    private static final Workload NOP = Workload.named("uprobe-nop");
    private static final Workload COUNT = Workload.named("usermode-count");
    private static final double AGREE = 0.005;
    private static final Pattern CONSOLE = Pattern.compile("The console's last lines \\(all are in (.*)\\):");
    private static final Pattern SILENT =
            Pattern.compile("the guest seems to hang: its console has been silent for ([0-9.]+) s");

    private final BlockingQueue<Reply.OfTrial> heard = new LinkedBlockingQueue<>();

    @TempDir
    private Path directory;

    @BeforeAll
    static void needsQemu() {
        Rights.needPrograms(List.of(Arch.X86_64.qemu(), Arch.AARCH64.qemu()));
    }

    @ParameterizedTest
    @ValueSource(strings = {"6.1", "6.12"})
    void measuresOnTwoNodesOfAnX86Guest(String version) throws Exception {
        GuestSpec spec = new GuestSpec(
                new KernelSource.Debian(version, Optional.of(Arch.X86_64)),
                4,
                640,
                List.of(
                        new GuestSpec.Node(CpuSet.of(0, 1), 256),
                        new GuestSpec.Node(CpuSet.of(2, 3), 256),
                        new GuestSpec.Node(CpuSet.EMPTY, 128)),
                List.of(new GuestSpec.Distance(0, 1, 31), new GuestSpec.Distance(2, 0, 51)),
                "",
                Wanted.EMULATION,
                false);
        try (GuestHost host = open(spec)) {
            HostProfile profile = host.profile();
            assertThat(profile.kernel().release()).startsWith(version + ".");
            assertThat(profile.topology().nodes())
                    .extracting(node -> node.cpus().toString())
                    .containsExactly("0-1", "2-3", "");
            assertThat(profile.topology().distance(0, 1)).isEqualTo(31);
            assertThat(profile.topology().distance(0, 2)).isEqualTo(51);
            assertThat(profile.guest().orElseThrow().machine()).isEqualTo("here");
            for (String workload : List.of("uprobe-nop", "uretprobe-push", "signal-raise")) {
                checkEvidence(host, Workload.named(workload), CpuSet.of(0, 1, 2, 3));
            }
        }
    }

    @Test
    void measuresInAnArm64GuestOfAPackedImage() throws Exception {
        Path packed = directory.resolve("Image.gz");
        Path image = DebianKernels.ofUser().fetch("6.12", Arch.AARCH64);
        try (OutputStream out = new GZIPOutputStream(Files.newOutputStream(packed))) {
            Files.copy(image, out);
        }
        try (GuestHost host = open(spec(new KernelSource.Image(packed), 2, "", false))) {
            assertThat(host.profile().arch()).isEqualTo("aarch64");
            KernelUsed kernel = host.profile().guest().orElseThrow().kernel().orElseThrow();
            assertThat(kernel.file()).isEqualTo(packed.toString());
            assertThat(kernel.banner().orElseThrow())
                    .startsWith(host.profile().kernel().release() + " (");
            assertThat(checkEvidence(host, NOP, CpuSet.of(0, 1)).bytes())
                    .hasValueSatisfying(bytes -> assertThat(bytes).startsWith("1f2003d5"));
            assertThat(checkEvidence(host, Workload.named("uprobe-ret"), CpuSet.of(0))
                            .bytes())
                    .hasValueSatisfying(bytes -> assertThat(bytes).startsWith("c0035fd6"));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"6.1", "6.12"})
    void countsTheSameInstructionsInEachGuest(String version) throws Exception {
        Map<String, Double> first = pathLengths(version);
        Map<String, Double> second = pathLengths(version);
        assertThat(first).containsOnlyKeys(second.keySet()).hasSameSizeAs(Workload.all());
        first.forEach((workload, instructions) ->
                assertThat(second.get(workload)).as(workload).isCloseTo(instructions, within(instructions * AGREE)));
    }

    private Map<String, Double> pathLengths(String version) throws Exception {
        Map<String, Double> lengths = new LinkedHashMap<>();
        GuestSpec spec = spec(new KernelSource.Debian(version, Optional.of(Arch.X86_64)), 1, "", true);
        try (GuestHost host = open(spec)) {
            HostProfile.Guest guest = host.profile().guest().orElseThrow();
            assertThat(guest.accelerator()).isEqualTo(Accelerator.COUNTED);
            for (Workload workload : Workload.all()) {
                List<Reply.OfTrial> said = run(host, workload, CpuSet.of(0));
                lengths.put(
                        workload.name(), median(said) / guest.nsPerInstruction().orElseThrow());
            }
        }
        return lengths;
    }

    /** Nanoseconds an operation, of the middle interval. */
    private static double median(List<Reply.OfTrial> said) {
        List<Reply.Interval> readings = said.stream()
                .filter(Reply.Interval.class::isInstance)
                .map(Reply.Interval.class::cast)
                .toList();
        List<Double> each = new ArrayList<>();
        for (int i = 1; i < readings.size(); i++) {
            Reply.Interval from = readings.get(i - 1);
            Reply.Interval to = readings.get(i);
            each.add((to.ns() - from.ns()) / (double) (to.ops()[0] - from.ops()[0]));
        }
        return each.stream().sorted().toList().get(each.size() / 2);
    }

    /** Under KVM where that works; where it is there and does not, emulation follows. */
    @Test
    void bootsAFreshGuestAfterOneDied() throws Exception {
        GuestSpec spec = new GuestSpec(
                new KernelSource.Debian("6.1", Optional.of(Arch.X86_64)),
                1,
                512,
                List.of(),
                List.of(),
                "",
                Wanted.BEST,
                false);
        try (GuestHost host = open(spec)) {
            Host.Trial trial = host.begin(trial("dies", COUNT, CpuSet.of(0), ENDLESS), heard::add);
            next(Reply.Ready.class);
            trial.go(OptionalLong.empty());
            next(Reply.Interval.class);
            qemu().destroyForcibly();
            String why = next(Reply.Failed.class).error();
            assertThat(why).contains("SIGKILL").containsPattern(CONSOLE);
            Path console = Path.of(
                    CONSOLE.matcher(why).results().findFirst().orElseThrow().group(1));
            byte[] ofTheDead = Files.readAllBytes(console);
            assertThat(ofTheDead).isNotEmpty();
            checkEvidence(host, Workload.named("signal-raise"), CpuSet.of(0));
            assertThat(console).hasBinaryContent(ofTheDead);
        }
        assertThat(qemus()).isEmpty();
    }

    @Test
    void tellsWhyAKernelDoesNotComeUp() throws Exception {
        GuestSpec spec =
                spec(new KernelSource.Debian("6.1", Optional.of(Arch.X86_64)), 1, "rdinit=/nonexistent", false);
        assertThatThrownBy(() -> open(spec))
                .isInstanceOf(GuestException.class)
                .hasMessageContaining("did not come up under emulation")
                .hasMessageContaining("its kernel ended: VFS: Unable to mount root fs")
                .hasMessageContaining(directory.resolve("console.log").toString());
        assertThat(qemus()).isEmpty();
    }

    /** A guest that speaks on its console in place of its port: it comes up, and then nothing more comes. */
    @Test
    void tellsSoonThatAGuestHangs() throws Exception {
        GuestSpec spec = spec(new KernelSource.Debian("6.1", Optional.of(Arch.X86_64)), 1, "trapline.port=ttyS0", true);
        List<String> told = new ArrayList<>();
        Thread boots = Thread.currentThread();
        GuestHost.Order order = order(spec, directory.resolve("console.log"), line -> {
            told.add(line);
            boots.interrupt(); // it would wait for half a minute more
        });
        assertThatThrownBy(() -> GuestHost.open(order)).hasMessageContaining("interrupted");
        assertThat(Thread.interrupted()).isTrue();
        assertThat(told).singleElement().asString().contains("\"type\":\"profile\"");
        Matcher silent = SILENT.matcher(told.get(0));
        assertThat(silent.find()).as(told.get(0)).isTrue();
        assertThat(Double.parseDouble(silent.group(1))).isGreaterThanOrEqualTo(4);
        assertThat(qemus()).isEmpty();
    }

    @Test
    void leavesNoGuestBehindWhenItsBootFailsUnforeseen() throws Exception {
        GuestSpec spec = spec(new KernelSource.Debian("6.1", Optional.of(Arch.X86_64)), 1, "trapline.port=ttyS0", true);
        GuestHost.Order order = order(spec, directory.resolve("console.log"), line -> {
            assertThat(qemus()).hasSize(1);
            throw new IllegalStateException("nobody listens");
        });
        assertThatThrownBy(() -> GuestHost.open(order)).hasMessage("nobody listens");
        assertThat(qemus()).isEmpty();
    }

    /** An image whose header is right and whose kernel is not. */
    @Test
    void tellsThatAKernelIsDamaged() throws Exception {
        Path damaged = directory.resolve("damaged");
        byte[] image = Files.readAllBytes(DebianKernels.ofUser().fetch("6.1", Arch.X86_64));
        for (int i = image.length / 2; i < image.length / 2 + 4096; i++) {
            image[i] ^= 0x55;
        }
        Files.write(damaged, image);
        assertThatThrownBy(() -> open(spec(new KernelSource.Image(damaged), 1, "", false)))
                .isInstanceOf(GuestException.class)
                .hasMessageContaining(damaged + "")
                .hasMessageContaining("System halted");
        assertThat(qemus()).isEmpty();
    }

    @Test
    void leavesNoGuestBehindWhenTheJvmIsKilled() throws Exception {
        Process jvm = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-D" + TriggerProgram.PROPERTY + "=" + TriggerProgram.find(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        GuestHolder.class.getName(),
                        directory.resolve("console.log").toString())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        try (BufferedReader said =
                new BufferedReader(new InputStreamReader(jvm.getInputStream(), StandardCharsets.UTF_8))) {
            assertThat(said.readLine()).isEqualTo("booted");
            List<ProcessHandle> guests = jvm.toHandle().descendants().toList();
            assertThat(guests).isNotEmpty();
            jvm.toHandle().destroyForcibly();
            for (ProcessHandle guest : guests) {
                guest.onExit().get(10, TimeUnit.SECONDS);
            }
        } finally {
            jvm.destroyForcibly();
        }
    }

    /** A program with a guest, to be killed. */
    static final class GuestHolder {
        private GuestHolder() {}

        public static void main(String[] args) throws Exception {
            GuestSpec spec = spec(new KernelSource.Debian("6.1", Optional.of(Arch.X86_64)), 1, "", false);
            try (GuestHost host = GuestHost.open(order(spec, Path.of(args[0])))) {
                System.out.println("booted");
                System.in.read(); // for ever: nobody writes
                System.out.println(host.profile().name());
            }
        }
    }

    private static GuestSpec spec(KernelSource kernel, int cpus, String append, boolean exact) {
        return new GuestSpec(kernel, cpus, 512, List.of(), List.of(), append, Wanted.EMULATION, exact);
    }

    private static GuestHost.Order order(GuestSpec spec, Path console) throws TriggerException {
        return order(spec, console, line -> {});
    }

    private static GuestHost.Order order(GuestSpec spec, Path console, Consumer<String> say) throws TriggerException {
        Guest.Parts parts =
                new Guest.Parts(spec, TriggerProgram.find(), DebianKernels.ofUser(), console, Optional.empty(), say);
        return new GuestHost.Order("before", "here", parts);
    }

    private GuestHost open(GuestSpec spec) throws GuestException, TriggerException {
        return GuestHost.open(order(spec, directory.resolve("console.log")));
    }

    private static TrialSpec trial(String id, Workload workload, CpuSet cpus, Timing timing) {
        return new TrialSpec(id, workload, Model.THREADS, cpus, Method.DEFAULT, timing);
    }

    /** Runs a trial to its end. */
    private List<Reply.OfTrial> run(Host host, Workload workload, CpuSet cpus) throws InterruptedException {
        Host.Trial trial = host.begin(trial(workload.name(), workload, cpus, SHORT), heard::add);
        List<Reply.OfTrial> said = new ArrayList<>();
        while (said.isEmpty() || !isLast(said.get(said.size() - 1))) {
            said.add(next(Reply.OfTrial.class));
            if (said.size() == 1) {
                trial.go(OptionalLong.empty());
            }
        }
        return said;
    }

    private static boolean isLast(Reply.OfTrial reply) {
        return reply instanceof Reply.Done || reply instanceof Reply.Failed;
    }

    private Reply.Ready checkEvidence(Host host, Workload workload, CpuSet cpus) throws InterruptedException {
        List<Reply.OfTrial> said = run(host, workload, cpus);
        assertThat(said.get(said.size() - 1)).isInstanceOfSatisfying(Reply.Done.class, done -> {
            assertThat(done.operations()).isPositive();
            assertThat(done.hits().orElseThrow()).isEqualTo(done.operations());
            assertThat(done.opsByCpu()).hasSize(cpus.size()).allMatch(ops -> ops > 0);
        });
        return (Reply.Ready) said.get(0);
    }

    private <T extends Reply.OfTrial> T next(Class<T> type) throws InterruptedException {
        while (true) {
            Reply.OfTrial reply = heard.poll(5, TimeUnit.MINUTES);
            assertThat(reply).as("what the guest said next").isNotNull();
            if (type.isInstance(reply)) {
                return type.cast(reply);
            }
            assertThat(reply).as("instead of " + type).isNotInstanceOf(Reply.Failed.class);
        }
    }

    private static List<ProcessHandle> qemus() {
        return ProcessHandle.current()
                .children()
                .filter(p -> p.info().command().orElse("").contains("qemu-system"))
                .toList();
    }

    private static ProcessHandle qemu() throws IOException {
        assertThat(qemus()).hasSize(1);
        return qemus().get(0);
    }
}

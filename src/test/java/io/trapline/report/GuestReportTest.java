package io.trapline.report;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.trapline.analysis.Analysis;
import io.trapline.analysis.GateResult;
import io.trapline.analysis.Results;
import io.trapline.campaign.Cell;
import io.trapline.host.CpuSet;
import io.trapline.host.HostProfile;
import io.trapline.host.Model;
import io.trapline.host.Workload;
import io.trapline.host.guest.Accelerator;
import io.trapline.host.guest.KernelUsed;
import io.trapline.journal.JournalRecord;
import io.trapline.journal.SampleRun;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Reports of kernels that were booted in guests. */
class GuestReportTest {
    private static final int NS_EACH = 2;

    @Test
    void countedInstructionsArePathLengthsAndNoTimes() throws IOException {
        SampleRun run = guests(3, Accelerator.COUNTED);
        // Three intervals: the middle one counts, whatever disturbed the others.
        run.trial(cell("before", 1), 1, 400_000, 250_000, 500_000);
        run.trial(cell("after", 1), 1, 500_000, 500_000, 100_000);

        assertThat(text(run))
                .contains("mark      path length, not time: instructions of guests were counted.")
                .contains("before@box: Linux 6.18.15 #1 SMP, x86_64")
                .contains("booted for path before under instruction-counted emulation")
                .contains("uprobe-nop: after against before is shorter (-250.0 instructions/op, -20.0%).")
                .contains("""
                        workload    path    instructions/op  difference  change  finding
                        uprobe-nop  before           1250.0           -       -  -
                        """)
                .contains("after            1000.0      -250.0  -20.0%  shorter")
                .doesNotContain("M/s", "EMULATED");
        JsonNode cell = json(run).path("cells").path(0);
        assertThat(cell.path("instructionsPerOperation").asDouble()).isEqualTo(1250.0);
        assertThat(cell.path("marks").path(0).asText()).isEqualTo("path length, not time");
        assertThat(render(new CsvReport(), run)).contains(",1250.0,\"path length, not time\"\n");
    }

    @ParameterizedTest
    @CsvSource({"400000, 398000, false", "400000, 370000, true"})
    void theGateJudgesPathLengths(double before, double after, boolean failed) {
        SampleRun run = guests(gated(), Accelerator.COUNTED);
        run.trial(cell("before", 1), 1, before);
        run.trial(cell("after", 1), 1, after);
        Results results = Analysis.of(run.journal());
        assertThat(results.comparisons().get(0).gate()).hasValue(failed ? GateResult.FAILED : GateResult.PASSED);
        assertThat(results.outcome().exitCode()).isEqualTo(failed ? 3 : 0);
    }

    @Test
    void emulatedTimesAreMarkedEverywhereAndSayNothingOfScaling() throws IOException {
        SampleRun run = guests(1, Accelerator.EMULATION);
        for (String path : List.of("before", "after")) {
            for (int cpus : new int[] {1, 2}) {
                run.trial(cell(path, cpus), 1, 1000.0 * cpus);
            }
        }
        assertThat(text(run).replaceAll("\\s+", " "))
                .contains("before under emulation (not KVM: /dev/kvm can't be opened)")
                .contains(
                        "kernels before: debian:6.1, package linux-image-before 6.1.192-3, file /cache/vmlinuz-before,"
                                + " SHA-256 5f3e, x86_64, 6.1.0-57 (builder) #1 SMP after: ");
        JsonNode guest = json(run).path("hosts").findValue("guest");
        assertThat(guest.path("kernel").path("sha256").asText()).isEqualTo("5f3e");
        assertThat(guest.path("noKvm").asText()).isEqualTo("/dev/kvm can't be opened");
        String marked = "EMULATED: times of emulated guests are not hardware times";
        for (ReportFormat format : List.of(new TextReport(), new MarkdownReport())) {
            assertThat(render(format, run).replace("\\", ""))
                    .contains(marked)
                    .contains("exact: true")
                    .contains("before [EMULATED]\n")
                    .contains("after against before [EMULATED]:")
                    .contains("uprobe-nop [EMULATED]: ")
                    .contains("( 2 cpus):")
                    .doesNotContain("x2.00");
        }
        assertThat(json(run).path("cells"))
                .allSatisfy(
                        cell -> assertThat(cell.path("marks").path(0).asText()).isEqualTo("EMULATED"));
        assertThat(render(new CsvReport(), run).lines().skip(1)).allMatch(line -> line.endsWith(",EMULATED"));
    }

    @Test
    void timesUnderKvmAreTimes() {
        SampleRun run = guests(1, Accelerator.KVM);
        for (int cpus : new int[] {1, 2}) {
            run.trial(cell("before", cpus), 1, 1000.0 * cpus);
        }
        assertThat(text(run))
                .contains("under kvm, pinned to CPUs 0-1,4", "x2.00")
                .doesNotContain("EMULATED");
    }

    private static SampleRun guests(int intervals, Accelerator accelerator) {
        return guests(SampleRun.run(intervals, 1, "before", "after"), accelerator);
    }

    private static SampleRun guests(JournalRecord.Run first, Accelerator accelerator) {
        SampleRun run = SampleRun.of(first);
        OptionalInt nsEach = accelerator == Accelerator.COUNTED ? OptionalInt.of(NS_EACH) : OptionalInt.empty();
        for (String path : List.of("before", "after")) {
            KernelUsed kernel = new KernelUsed(
                    "debian:6.1",
                    "/cache/vmlinuz-" + path,
                    "5f3e",
                    "x86_64",
                    Optional.of("6.1.0-57 (builder) #1 SMP"),
                    Optional.of("linux-image-" + path + " 6.1.192-3"));
            HostProfile.Guest guest = new HostProfile.Guest(
                    "box", path, accelerator, nsEach, noKvm(accelerator), Optional.of(kernel), pinned(accelerator));
            run.add(new JournalRecord.HostSeen(SampleRun.host("(none)").asGuest(path + "@box", guest)));
        }
        return run;
    }

    private static Optional<CpuSet> pinned(Accelerator accelerator) {
        return accelerator == Accelerator.KVM ? Optional.of(CpuSet.of(0, 1, 4)) : Optional.empty();
    }

    private static Optional<String> noKvm(Accelerator accelerator) {
        return accelerator == Accelerator.EMULATION ? Optional.of("/dev/kvm can't be opened") : Optional.empty();
    }

    /** The first record of a run that may be 3 % slower. */
    private static JournalRecord.Run gated() {
        JournalRecord.Run run = SampleRun.run(1, 1, "before", "after");
        return new JournalRecord.Run(
                run.format(),
                run.run(),
                run.campaign(),
                run.question(),
                run.sha256(),
                run.version(),
                run.at(),
                run.paths(),
                run.timing(),
                run.rounds(),
                Optional.of(0.03));
    }

    private static Cell cell(String path, int cpus) {
        return new Cell(path, Workload.named("uprobe-nop"), Model.THREADS, SampleRun.first(cpus), path + "@box");
    }

    private static String text(SampleRun run) {
        return render(new TextReport(), run);
    }

    private static JsonNode json(SampleRun run) throws IOException {
        return new ObjectMapper().readTree(render(new JsonReport(), run));
    }

    private static String render(ReportFormat format, SampleRun run) {
        return new String(format.render(Report.of(Analysis.of(run.journal()))), StandardCharsets.UTF_8);
    }
}

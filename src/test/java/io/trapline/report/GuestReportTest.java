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
        assertThat(text(run).replaceAll("\\s+", " "))
                .contains("Instructions are counted by the emulator", "in flight.")
                .doesNotContain("geometric means", "Student's t", "CLOCK_MONOTONIC", "slowest reading", "faster");
        JsonNode report = json(run);
        assertThat(report.path("method").asText()).startsWith("Instructions are counted");
        assertThat(report.path("marks").toString()).isEqualTo("[\"path length, not time\"]");
        JsonNode comparison = report.path("comparisons").path(0);
        assertThat(comparison.path("marks").path(0).asText()).isEqualTo("path length, not time");
        assertThat(comparison.path("finding").asText()).isEqualTo("shorter");
        assertThat(comparison.path("ratio").asDouble()).isEqualTo(0.8);
        assertThat(report.findValue("rate")).isNull();
        assertThat(report.findValue("rates")).isNull();
        JsonNode cell = report.path("cells").path(0);
        assertThat(cell.path("trials").path(0).path("instructionsPerOperation").asDouble())
                .isEqualTo(1250.0);
        assertThat(cell.path("instructionsPerOperation").asDouble()).isEqualTo(1250.0);
        assertThat(cell.path("marks").path(0).asText()).isEqualTo("path length, not time");
        assertThat(render(new CsvReport(), run))
                .contains(",VALID,1,1,3,,,,,,,,,,,,1250.0,\"path length, not time\"\n")
                .contains(",VALID,1,1,3,,,,before,after@box,0.800000,0.796000,0.804000,shorter,,,1000.0,");
    }

    @ParameterizedTest
    @CsvSource({
        "0.03, 0.5, PASSED, 0",
        "0.03, 1, PASSED, 0",
        "0.03, 1.0248, PASSED, 0",
        "0.03, 1.0251, UNDECIDED, 4",
        "0.03, 1.0351, UNDECIDED, 4",
        "0.03, 1.0353, FAILED, 3",
        "0.094, 1.098, UNDECIDED, 4",
        "0.09, 1.098, FAILED, 3",
        "0.5, 1.6, FAILED, 3",
    })
    void theGateJudgesInstructions(double slower, double longer, GateResult expected, int exitCode) {
        SampleRun run = guests(gated(slower), Accelerator.COUNTED);
        run.trial(cell("before", 1), 1, 400_000 * longer);
        run.trial(cell("after", 1), 1, 400_000);
        Results results = Analysis.of(run.journal());
        assertThat(results.comparisons().get(0).gate()).hasValue(expected);
        assertThat(results.outcome().exitCode()).isEqualTo(exitCode);
    }

    @Test
    void theGateOfPathLengthsSaysWhatItJudgesAndAsksForNoMoreRounds() {
        SampleRun run = guests(gated(0.094), Accelerator.COUNTED);
        run.trial(cell("before", 1), 1, 439_200);
        run.trial(cell("after", 1), 1, 400_000);
        assertThat(text(run).replaceAll("\\s+", " "))
                .contains("UNDECIDED: in every row of path lengths instructions/op must be at most 9.4% above those of"
                        + " before; counts agree to 0.5 % only, so a row within 0.5 % of that limit is undecided")
                .contains(
                        "undecided, within 0.5 % of 9.4% above: counts agree to 0.5 % only: after uprobe-nop at 1 CPU")
                .contains("longer, gate undecided")
                .doesNotContain("more rounds", "0.906");
    }

    @Test
    void noGatePassesOnEmulatedTimes() {
        SampleRun run = guests(gated(0.03), Accelerator.EMULATION);
        run.trial(cell("before", 1), 1, 1000);
        run.trial(cell("after", 1), 1, 2000);
        assertThat(Analysis.of(run.journal()).outcome().exitCode()).isEqualTo(4);
        assertThat(text(run).replaceAll("\\s+", " "))
                .contains("undecided, emulated times say nothing of hardware; use timing: {exact: true}")
                .contains("uprobe-nop 1 2.000 - +100.0% vs before not judged undecided 1+1 trials")
                .doesNotContain("is faster");
    }

    /** One path on the machine itself, one in a guest that counts. */
    @Test
    void timesAndPathLengthsOfOneMachineStandApart() throws IOException {
        SampleRun run = guests(1, Accelerator.COUNTED);
        run.add(new JournalRecord.HostSeen(SampleRun.host("box")));
        Cell timed = new Cell("before", Workload.named("uprobe-nop"), Model.THREADS, SampleRun.first(1), "box");
        run.trial(timed, 1, 3_000_000);
        run.trial(cell("after", 1), 1, 500_000);
        assertThat(text(run).replaceAll("\\s+", " "))
                .contains("uprobe-nop after 1000.0 - - not comparable")
                .contains("Instructions are counted", "geometric means", "CLOCK_MONOTONIC", "slowest reading")
                .contains("3.000")
                .doesNotContain("0.500", "EMULATED");
        assertThat(json(run).path("marks").toString()).isEqualTo("[\"path length, not time\"]");
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
        JsonNode report = json(run);
        assertThat(report.path("marks").toString()).isEqualTo("[\"EMULATED\"]");
        for (String rows : List.of("cells", "comparisons")) {
            assertThat(report.path(rows)).isNotEmpty().allSatisfy(row -> {
                assertThat(row.path("marks").path(0).asText()).isEqualTo("EMULATED");
                assertThat(row.path("notes").path(0).asText()).contains("use timing: {exact: true}");
            });
        }
        assertThat(report.path("comparisons").path(0).path("finding").asText()).isEqualTo("not judged");
        assertThat(render(new CsvReport(), run).lines().skip(1))
                .allMatch(line -> line.endsWith(",EMULATED"))
                .allMatch(line -> line.contains("exact: true"));
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

    /** The first record of a run with that gate. */
    private static JournalRecord.Run gated(double slower) {
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
                Optional.of(slower));
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

package io.trapline.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.trapline.analysis.Analysis;
import io.trapline.campaign.Cell;
import io.trapline.campaign.Plan;
import io.trapline.host.HostProfile;
import io.trapline.host.Model;
import io.trapline.host.Workload;
import io.trapline.journal.JournalRecord;
import io.trapline.journal.SampleRun;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.TimeZone;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ReportTest {
    private static final List<ReportFormat> FORMATS =
            List.of(new TextReport(), new MarkdownReport(), new JsonReport(), new CsvReport());

    /** Two workloads on 1 and 2 CPUs, three rounds: one faster at 2 CPUs, the other the same. */
    private static SampleRun sample() {
        SampleRun run = SampleRun.of(2, 3, "locked", "lockless");
        for (int round = 1; round <= 3; round++) {
            for (String workload : List.of("signal-raise", "uprobe-nop")) {
                for (int cpus = 1; cpus <= 2; cpus++) {
                    double rate = 1e6 * cpus + 100 * round;
                    double faster = workload.equals("uprobe-nop") && cpus == 2 ? 1.1 : 1.001;
                    run.trial(SampleRun.cell("locked", workload, cpus), round, rate, rate + 3000);
                    run.trial(SampleRun.cell("lockless", workload, cpus), round, rate * faster, rate * faster + 3000);
                }
            }
        }
        return run.ended();
    }

    private static Report report(SampleRun run) {
        return Report.of(Analysis.of(run.journal()));
    }

    private static String text(SampleRun run) {
        return render(new TextReport(), run);
    }

    private static String render(ReportFormat format, SampleRun run) {
        return new String(format.render(report(run)), StandardCharsets.UTF_8);
    }

    @Test
    void theAnswerComesFirst() {
        assertThat(text(sample())).startsWith("""
                        sample
                        ======

                        question  Does it scale?
                        verdict   VALID: all 24 trials; exit code 0
                        host      vm: Linux 6.18.15 #1 SMP, x86_64, Hi1616, 64 CPUs in 4 NUMA nodes, no SMT, bare metal
                        paths     locked: attach bpf, scope system, call direct
                                  lockless: attach bpf, scope system, call direct
                        cpus      1 on 0; 2 on 0-1
                        timing    3 rounds; a trial has 2 intervals of 1 s after 500 ms of warm-up

                        Answer
                        ======

                        - uprobe-nop: lockless against locked is faster at 2 CPUs (+10.0%), same within 1% at 1 CPU.
                          From 1 to 2 CPUs (linear is x2.00): locked x2.00 (2.00 .. 2.00), lockless x2.20 (2.20 ..
                          2.20).
                        - signal-raise: lockless against locked is same within 1% at 1 and 2 CPUs. From 1 to 2 CPUs
                          (linear is x2.00): locked x2.00 (2.00 .. 2.00), lockless x2.00 (2.00 .. 2.00).
                        """);
    }

    @Test
    void eachPercentageNamesItsBaseline() {
        assertThat(text(sample())).contains("""
                        workload      cpus  ratio    95% interval            change  finding         basis
                        uprobe-nop       1  1.001  1.001 .. 1.001   +0.1% vs locked  same within 1%  3 pairs
                        uprobe-nop       2  1.100  1.100 .. 1.100  +10.0% vs locked  faster          3 pairs
                        """);
    }

    @Test
    void whatIsNotComparableSaysWhyInEachFormat() {
        SampleRun run = SampleRun.of(1, 2, "locked", "lockless");
        for (int round = 1; round <= 2; round++) {
            for (int cpus = 1; cpus <= 2; cpus++) {
                JournalRecord.Planned planned = SampleRun.planned(SampleRun.cell("locked", "uprobe-nop", cpus), round);
                run.add(planned).attempt(planned, 1, SampleRun.withConsumers(cpus), 1e6);
                run.trial(SampleRun.cell("lockless", "uprobe-nop", cpus), round, 1.1e6);
            }
        }
        assertThat(text(run)).contains("""
                        workload    cpus  ratio    95% interval            change  finding         basis
                        uprobe-nop     1  1.100  1.100 .. 1.100  +10.0% vs locked  faster          2 pairs
                        uprobe-nop     2      -               -                 -  not comparable  -

                        - lockless uprobe-nop at 2 CPUs: locked has 2 consumers at each hit, lockless 1 consumer: each
                          costs every hit time, so the rates differ by more than the path
                        """, """
                        - uprobe-nop: lockless against locked is faster at 1 CPU (+10.0%), not comparable at 2 CPUs
                          (they differ in more than the path: see Comparison).""");
        String why = "locked has 2 consumers at each hit, lockless 1 consumer: each costs every hit time";
        assertThat(List.of(new MarkdownReport(), new JsonReport(), new CsvReport()))
                .allSatisfy(format -> assertThat(render(format, run)).contains("not comparable", why));
    }

    @Test
    void theGateNamesTheRowsThatDidNotPass() {
        SampleRun run = SampleRun.gated(0.03, 1, 3, "locked", "lockless");
        double[][] changes = {{1.1, 1.1, 1.1}, {0.9, 0.9, 0.9}, {0.9, 1, 1.1}};
        for (int row = 0; row < changes.length; row++) {
            for (int round = 1; round <= 3; round++) {
                run.trial(SampleRun.cell("locked", "uprobe-nop", 1 << row), round, 1e6)
                        .trial(
                                SampleRun.cell("lockless", "uprobe-nop", 1 << row),
                                round,
                                1e6 * changes[row][round - 1]);
            }
        }
        assertThat(text(run.ended())).contains("""
                        verdict   VALID: the gate failed in 1 of 3 comparisons; exit code 3
                        gate      FAILED: in every row all of the interval must be at or above 0.97, which is 3% slower
                                    than locked
                                  failed, all of the interval is below 0.97: lockless uprobe-nop at 2 CPUs
                                  undecided, the interval reaches below 0.97 (more rounds narrow it): lockless
                                    uprobe-nop at 4 CPUs
                        """, """
                        uprobe-nop     1  1.100  1.100 .. 1.100  +10.0% vs locked  faster     passed     3 pairs
                        uprobe-nop     2  0.900  0.900 .. 0.900  -10.0% vs locked  slower     failed     3 pairs
                        uprobe-nop     4  0.997  0.777 .. 1.279   -0.3% vs locked  undecided  undecided  3 pairs
                        """);
    }

    /** What a small virtual machine measures: no peak is made of noise, and what is open is called open. */
    @Test
    void theAnswerSaysHowSureItIsOfScaling() {
        SampleRun run = SampleRun.of(1, 3, "locked", "lockless");
        double[][] rates = {{1.0, 1.1, 0.9}, {1.9, 1.2, 1.5}, {1.4, 0.7, 1.6}};
        for (int row = 0; row < rates.length; row++) {
            for (int round = 1; round <= 3; round++) {
                double rate = 1e6 * rates[row][round - 1];
                run.trial(SampleRun.cell("locked", "uprobe-nop", 1 << row), round, rate)
                        .trial(SampleRun.cell("lockless", "uprobe-nop", 1 << row), round, 1e6 * (row == 1 ? 5 : 4));
            }
        }
        assertThat(text(run)).contains("""
                        From 1 to 4 CPUs (linear is x4.00): locked x1.17 (0.31 .. 4.43, undecided), lockless
                          x1.00 (1.00 .. 1.00, same within 1%; peak 5.000M/s at 2).
                        """);
    }

    @Test
    void aComparisonAcrossHostsNamesBoth() {
        SampleRun run = SampleRun.of(1, 2, "locked", "lockless").add(new JournalRecord.HostSeen(SampleRun.host("vm2")));
        Cell here = SampleRun.cell("locked", "uprobe-nop", 1);
        Cell there = new Cell("lockless", here.workload(), here.model(), here.cpus(), "vm2");
        for (int round = 1; round <= 2; round++) {
            run.trial(here, round, 1e6).trial(there, round, 1.1e6);
        }
        assertThat(text(run)).contains("""
                        - uprobe-nop on vm2: lockless against locked (on vm, so the hosts differ as well as the path) is
                          faster at 1 CPU (+10.0%).
                        """, """
                        lockless on vm2 against locked on vm:

                        workload    cpus  ratio    95% interval            change  finding  basis
                        uprobe-nop     1  1.100  1.100 .. 1.100  +10.0% vs locked  faster   2+2 trials

                        - lockless uprobe-nop on vm2 at 1 CPU: locked ran on vm, lockless on vm2: whatever else these
                          hosts differ in is part of the ratio, as well as the path
                        """);
        assertThat(render(new CsvReport(), run)).contains(",locked,vm,1.1");
    }

    @Test
    void evidenceStandsBesideTheFigures() {
        assertThat(text(sample())).contains("""
                        locked    uprobe-nop    nop 90 -> cc               1       6    18029400  18029400
                        """, """
                        A signal needs no probe, so there is no instruction and no consumer to name: its hits were
                        counted by the handler, in the thread that the signal went to.
                        """);
        SampleRun swapped = SampleRun.of(1, 1, "locked").trial(SampleRun.cell("locked", "signal-altstack", 1), 1, 1e6);
        assertThat(text(swapped)).contains("""
                        counted by the handler, in the thread that the signal went to. In signal-altstack each handler
                        found the alternate stack that the one before it had left in force: the same one with altstack:
                        same, the other of two with altstack: swap.
                        """);
        SampleRun probes = SampleRun.of(1, 1, "locked").trial(SampleRun.cell("locked", "uprobe-nop", 1), 1, 1e6);
        assertThat(text(probes)).doesNotContain("A signal");
    }

    /** Two rounds that disagree give bounds of which neither can be believed. */
    @Test
    void anIntervalThatSaysNothingIsNotPrinted() {
        SampleRun run = SampleRun.of(1, 2, "locked", "lockless");
        double[][] ratios = {{0.5, 2}, {1000, 1500}, {0.001, 0.0015}, {0.0001, 0.0001}};
        for (int row = 0; row < ratios.length; row++) {
            for (int round = 1; round <= 2; round++) {
                run.trial(SampleRun.cell("locked", "uprobe-nop", 1 << row), round, 1e6)
                        .trial(SampleRun.cell("lockless", "uprobe-nop", 1 << row), round, 1e6 * ratios[row][round - 1]);
            }
        }
        assertThat(text(run)).contains("""
                        workload    cpus     ratio            95% interval                change  finding    basis
                        uprobe-nop     1     1.000  too few rounds to tell        0.0% vs locked  undecided  2 pairs
                        uprobe-nop     2  1224.745            above 93.179  +122374.5% vs locked  faster     2 pairs
                        uprobe-nop     4     0.001             below 0.016      -99.9% vs locked  slower     2 pairs
                        uprobe-nop     8    0.0001        0.0001 .. 0.0001     -100.0% vs locked  slower     2 pairs
                        """, "lockless x0.0001 (below 0.67; peak");
    }

    /** Only what is missing makes a reader look for what is wrong. */
    @Test
    void whatIsNoGapIsARemark() {
        SampleRun run = sample().add(new JournalRecord.Clipped(new Plan.Clipped("vm", List.of(128), 64)));
        assertThat(text(run)).doesNotContain("Missing and invalid").contains("""
                        Remarks
                        =======

                        - clip leaves out the CPU count 128 on vm, where 64 CPUs are usable
                        """);
    }

    @ParameterizedTest
    @CsvSource({"0.0004, 3, 0.0004", "0.00049, 2, 0.0005", "0.5, 0, 0.5", "1.2345, 3, 1.234", "0, 3, 0.000"})
    void aRatioIsNeverZero(double ratio, int decimals, String expected) {
        assertThat(Figures.ratio(ratio, decimals)).isEqualTo(expected);
    }

    @Test
    void aReportIsTheSameToTheByteOnAnyMachine() {
        Locale locale = Locale.getDefault();
        TimeZone zone = TimeZone.getDefault();
        try {
            for (ReportFormat format : FORMATS) {
                Locale.setDefault(Locale.ROOT);
                TimeZone.setDefault(TimeZone.getTimeZone("UTC"));
                String here = render(format, sample());
                Locale.setDefault(Locale.forLanguageTag("ar-EG-u-nu-arab"));
                TimeZone.setDefault(TimeZone.getTimeZone("Asia/Kathmandu"));
                assertThat(render(format, sample())).isEqualTo(here);
            }
        } finally {
            Locale.setDefault(locale);
            TimeZone.setDefault(zone);
        }
    }

    @Test
    void whatWasNotMeasuredIsNoZero() {
        SampleRun run = SampleRun.of(1, 2, "locked", "lockless")
                .add(new JournalRecord.Unmeasured(
                        SampleRun.cell("locked", "uprobe-nop", 2), "perf_event_open: Permission denied"))
                .add(new JournalRecord.Unmeasured(
                        SampleRun.cell("lockless", "uprobe-nop", 2), "perf_event_open: Permission denied"))
                .trial(SampleRun.cell("locked", "signal-raise", 2), 1, 2e6)
                .trial(SampleRun.cell("locked", "signal-raise", 2), 2, 2e6)
                .trial(SampleRun.cell("lockless", "signal-raise", 2), 1, 2e6)
                .add(SampleRun.planned(SampleRun.cell("lockless", "signal-raise", 2), 2));
        String text = text(run);

        assertThat(text)
                .contains(
                        "verdict   INCOMPLETE: 1 of 4 trials incomplete; 2 of 4 rows were not measured; exit code 4\n",
                        "uprobe-nop      ( 2 cpus):    not measured\n",
                        "signal-raise    ( 2 cpus):    2.000 ± 0.000M/s  (  1.000M/s/cpu)  (1 of 2 trials)\n",
                        "- not measured: locked uprobe-nop at 2 CPUs; lockless uprobe-nop at 2 CPUs: perf_event_open:\n",
                        "- incomplete: lockless signal-raise, 2 CPUs, round 2: it was never begun\n",
                        "- the run has no end in the journal: it was killed, or goes on\n");
        assertThat(text.lines().filter(line -> line.startsWith("uprobe-nop ")).toList())
                .containsExactly(
                        "uprobe-nop      ( 2 cpus):    not measured",
                        "uprobe-nop      ( 2 cpus):    not measured",
                        "uprobe-nop       2      -             -               -  not compared  -");
    }

    /** Hosts and models are shown apart, and named only where there are several. */
    @Test
    void hostsAndModelsStandApart() {
        SampleRun run = SampleRun.of(1, 1, "locked", "lockless");
        run.add(new JournalRecord.HostSeen(SampleRun.host("vm2")));
        for (String path : List.of("locked", "lockless")) {
            for (String host : List.of("vm", "vm2")) {
                for (Model model : List.of(Model.THREADS, Model.PROCESSES)) {
                    run.trial(new Cell(path, Workload.named("uprobe-nop"), model, SampleRun.first(1), host), 1, 1e6);
                }
            }
        }
        assertThat(text(run).lines().filter(line -> line.contains(" on vm") && !line.startsWith("- ")))
                .containsSubsequence(
                        "locked, threads on vm",
                        "lockless, threads on vm",
                        "locked, processes on vm",
                        "lockless, processes on vm",
                        "locked, threads on vm2");
    }

    /** A mail's reader has 80 columns or little more; long names and large machines widen a table as a whole. */
    @Test
    void largeMachinesAndFastOperationsStayAligned() {
        SampleRun run = SampleRun.of(2, 1, "locked", "lockless");
        for (int cpus : new int[] {1, 128}) {
            run.trial(SampleRun.cell("locked", "usermode-count", cpus), 1, 8e8 * cpus, 9e8 * cpus);
        }
        assertThat(text(run)).contains("""
                        usermode-count  (  1 cpus):    850.000 ±   70.711M/s  (850.000M/s/cpu)
                        usermode-count  (128 cpus): 108800.000 ± 9050.967M/s  (850.000M/s/cpu)
                        """);
    }

    /** A host may be named by someone else: no escape sequence, no change of writing direction, no mark-up. */
    @Test
    void namesCannotTakeOverAPage() {
        HostProfile vm = SampleRun.host("vm");
        SampleRun run = sample();
        run.add(new JournalRecord.HostSeen(new HostProfile(
                "vm",
                vm.arch(),
                new HostProfile.Kernel("6.18\u001b[2J\u202e", "a\r\n\u0000| <b>*x*</b>", Optional.empty()),
                vm.libc(),
                vm.cpuModel(),
                vm.virtualization(),
                vm.memKiB(),
                vm.topology(),
                vm.isolated(),
                vm.smt(),
                vm.abilities(),
                vm.noise())));
        for (ReportFormat format : List.of(new TextReport(), new MarkdownReport(), new CsvReport())) {
            assertThat(render(format, run).codePoints())
                    .noneMatch(c -> c != '\n'
                            && (Character.getType(c) == Character.CONTROL || Character.getType(c) == Character.FORMAT));
        }
        assertThat(render(new MarkdownReport(), run))
                .contains("\\| \\<b\\>\\*x\\*\\</b\\>")
                .doesNotContain("<b>");
    }

    @Test
    void jsonHasEverythingAtFullPrecision() throws IOException {
        JsonNode json = new ObjectMapper().readTree(render(new JsonReport(), sample()));

        assertThat(json.path("verdict").asText()).isEqualTo("VALID");
        assertThat(json.path("exitCode").asInt(-1)).isZero();
        assertThat(json.path("cells")).hasSize(8);
        JsonNode cell = json.path("cells").path(0);
        assertThat(cell.path("workload").asText()).isEqualTo("uprobe-nop");
        assertThat(cell.path("rates").path("mean").asDouble()).isEqualTo(1_001_700);
        assertThat(cell.path("trials")).hasSize(3);
        JsonNode trial = cell.path("trials").path(0);
        assertThat(trial.path("rate").asDouble()).isEqualTo(1_001_600);
        assertThat(trial.path("hits").asLong())
                .isEqualTo(trial.path("operations").asLong());
        assertThat(trial.path("stealMs").isMissingNode()).isFalse();
        assertThat(json.path("comparisons")).hasSize(4);
        assertThat(json.path("comparisons").path(1).path("finding").asText()).isEqualTo("faster");
        assertThat(json.path("comparisons").path(1).path("low").asDouble()).isGreaterThan(1.09);
        assertThat(json.path("hosts").path(0).path("kernel").path("release").asText())
                .isEqualTo("6.18.15");
    }

    @Test
    void csvHasALineForEachCell() {
        List<String> lines = render(new CsvReport(), sample()).lines().toList();
        assertThat(lines).hasSize(9);
        assertThat(lines.get(0)).startsWith("host,model,path,workload,cpus,cpu_list,verdict");
        assertThat(lines.get(2))
                .isEqualTo("vm,threads,locked,uprobe-nop,2,0-1,VALID,3,3,6,2001700.000,1645.600,1000850.000,,,,,,,,,,");
        assertThat(lines.get(6))
                .startsWith("vm,threads,lockless,uprobe-nop,2,0-1,VALID,3,3,6,")
                .endsWith(",faster,,,,");
    }

    @Test
    void markdownKeepsTheTablesForCommitMessages() {
        assertThat(render(new MarkdownReport(), sample()))
                .contains("\n    locked\n    ------\n    uprobe-nop      ( 1 cpus):    1.002 ± 0.002M/s  (")
                .contains("| workload | cpus | ratio | 95% interval | change | finding | basis |\n")
                .contains("| uprobe-nop | 2 | 1.100 | ");
    }

    @Test
    void filesAreWrittenWhole(@TempDir Path dir) throws IOException {
        Report report = Report.of(Analysis.of(sample().journal()));
        Files.writeString(dir.resolve("report.txt"), "older");

        ReportFiles.write(dir, report);

        try (var files = Files.list(dir)) {
            assertThat(files.map(f -> f.getFileName().toString()))
                    .containsExactlyInAnyOrder("report.txt", "report.md", "report.json", "report.csv");
        }
        assertThat(dir.resolve("report.txt")).hasBinaryContent(new TextReport().render(report));
        assertThatThrownBy(() -> ReportFiles.write(dir.resolve("none"), report))
                .isInstanceOf(IOException.class)
                .hasMessageContaining(dir.resolve("none/report.txt") + ": no such file");
    }

    @ParameterizedTest
    @CsvSource({"0.82250, 3, 0.823", "0.0005, 3, 0.001", "2.5, 0, 2", "0.8865, 3, 0.886", "1234567.5, 1, 1234567.5"})
    void figuresRoundAsPrintfDoes(double value, int decimals, String expected) {
        assertThat(Figures.fixed(value, decimals)).isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource({"1.0862, +8.6%", "0.881, -11.9%", "1.00004, 0.0%", "0.99996, 0.0%", "7.883, +688.3%"})
    void changes(double ratio, String expected) {
        assertThat(Figures.change(ratio)).isEqualTo(expected);
    }
}

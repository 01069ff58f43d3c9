package io.trapline.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.trapline.analysis.Analysis;
import io.trapline.analysis.JointResult;
import io.trapline.analysis.Results;
import io.trapline.analysis.Verdict;
import io.trapline.campaign.Cell;
import io.trapline.host.Model;
import io.trapline.host.Workload;
import io.trapline.journal.JournalRecord;
import io.trapline.journal.SampleRun;
import io.trapline.trigger.Reply;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What hosts did together is a sum of all of them, or nothing. */
class TogetherReportTest {
    private static final long LIMIT = 5_000_000;
    private static final Map<String, Long> AHEAD = Map.of("left", 1_000_000_000_000L, "right", -7_000_000_000L);

    private final SampleRun run = SampleRun.of(SampleRun.run(1, 1, "before", "after"));

    @Test
    void theRowIsTheSumWithEachHostsShareAndTheSkew() {
        part("left", 3000, 1, 0);
        part("right", 1000, 1, 200_000);
        together(1, 40_000);

        JointResult row = row();
        assertThat(row.verdict()).isEqualTo(Verdict.VALID);
        assertThat(row.cpus()).isEqualTo(4);
        assertThat(row.rates().orElseThrow().mean()).isCloseTo(4000, within(1e-6));
        JointResult.Round round = row.rounds().get(0);
        assertThat(round.skewNs().orElseThrow()).isBetween(200_000L, 202_000L);
        assertThat(round.uncertaintyNs()).hasValue(80_000);
        assertThat(text())
                .contains("Together\n========")
                .contains("left (2 CPUs) 0.003M/s, 75.0%; right (2 CPUs) 0.001M/s, 25.0%")
                .contains("± 80.0 us")
                .contains("onLoss: repeat.");
        assertThat(render(new CsvReport())).contains("left+right,threads,before,uprobe-nop,4,,VALID,1,1,,4000.000");
        assertThat(render(new JsonReport())).contains("\"together\"", "\"uncertaintyNs\" : 80000");
        assertThat(Analysis.validTrials(run.journal())).hasSize(2);
    }

    @ParameterizedTest
    @CsvSource({"6000000, 1000", "0, 2600000", "3000000, 1100000"})
    void startsThatMayHaveBeenFurtherApartThanAllowedMakeTheRowInvalid(long later, long uncertainty) {
        part("left", 3000, 1, 0);
        part("right", 1000, 1, later);
        together(1, uncertainty);

        JointResult row = row();
        assertThat(row.verdict()).isEqualTo(Verdict.INVALID);
        assertThat(row.rates()).isEmpty();
        assertThat(row.rounds().get(0).reasons()).singleElement().asString().contains("5000000 ns are allowed");
        assertThat(results().outcome().exitCode()).isEqualTo(4);
        assertThat(Analysis.validTrials(run.journal()))
                .as("all are measured again")
                .isEmpty();
    }

    @Test
    void withoutOneOfItsHostsNothingIsPublishedAsAllOfThem() {
        part("left", 3000, 1, 0);
        JournalRecord.Planned planned = SampleRun.planned(cell("right"), 1);
        run.add(new JournalRecord.HostSeen(SampleRun.host("right")));
        run.add(planned);
        run.add(new JournalRecord.Begun(planned.trial(), 1, "w1", SampleRun.AT));
        run.add(new JournalRecord.Lost(planned.trial(), 1, "host right was lost"));
        together(1, 1000);

        JointResult row = row();
        assertThat(row.verdict()).isEqualTo(Verdict.INCOMPLETE);
        assertThat(row.rates()).isEmpty();
        assertThat(row.rounds().get(0).reasons()).anyMatch(reason -> reason.contains("host right was lost"));
        assertThat(text()).contains("INCOMPLETE", "left (2 CPUs) -; right (2 CPUs) -");
    }

    @Test
    void partsOfDifferentAttemptsAreNoSum() {
        part("left", 3000, 1, 0);
        part("right", 1000, 2, 0);
        together(1, 1000);
        together(2, 1000);

        assertThat(row().verdict()).isEqualTo(Verdict.INCOMPLETE);
        assertThat(row().rounds().get(0).reasons()).anyMatch(reason -> reason.contains("one and the same attempt"));
    }

    /** A host's part, whose threads start that much later than they could. */
    private void part(String host, double rate, int attempt, long later) {
        JournalRecord.Planned planned = SampleRun.planned(cell(host), 1);
        UnaryOperator<Reply.OfTrial> inItsTime = reply -> {
            if (reply instanceof Reply.Started s) {
                return new Reply.Started(
                        s.trial(), s.firstNs() + AHEAD.get(host) + later, s.lastNs() + AHEAD.get(host) + later);
            }
            if (reply instanceof Reply.Interval i) {
                return new Reply.Interval(i.trial(), i.seq(), i.ns() + AHEAD.get(host) + later, i.readNs(), i.ops());
            }
            return reply;
        };
        run.add(new JournalRecord.HostSeen(SampleRun.host(host)));
        run.add(planned);
        run.attempt(planned, attempt, inItsTime, rate);
    }

    private void together(int attempt, long uncertainty) {
        List<String> trials = List.of(
                SampleRun.planned(cell("right"), 1).trial(),
                SampleRun.planned(cell("left"), 1).trial());
        run.add(new JournalRecord.Joint("j0001", trials, LIMIT, "repeat"));
        run.add(new JournalRecord.Barrier(
                "j0001",
                attempt,
                List.of(
                        new JournalRecord.HostClock(trials.get(0), AHEAD.get("right"), uncertainty, 8),
                        new JournalRecord.HostClock(trials.get(1), AHEAD.get("left"), 10, 8))));
    }

    private static Cell cell(String host) {
        return new Cell("before", Workload.named("uprobe-nop"), Model.THREADS, SampleRun.first(2), host);
    }

    private Results results() {
        return Analysis.of(run.journal());
    }

    private JointResult row() {
        assertThat(results().joints()).hasSize(1);
        return results().joints().get(0);
    }

    private String text() {
        return render(new TextReport()).replaceAll("\\s*\n  +", " ");
    }

    private String render(ReportFormat format) {
        return new String(format.render(Report.of(results())), StandardCharsets.UTF_8);
    }
}

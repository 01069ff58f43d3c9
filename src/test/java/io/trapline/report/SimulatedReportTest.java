package io.trapline.report;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.trapline.analysis.Analysis;
import io.trapline.analysis.Finding;
import io.trapline.analysis.Results;
import io.trapline.campaign.Cell;
import io.trapline.host.Model;
import io.trapline.host.Workload;
import io.trapline.journal.JournalRecord;
import io.trapline.journal.SampleRun;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Reports of hosts that are none: no reader may take their figures for a kernel's. */
class SimulatedReportTest {

    @Test
    void everyFormatSaysThatNoKernelWasMeasuredAndNoneSpeaksOfScaling() throws IOException {
        SampleRun run = SampleRun.of(SampleRun.run(1, 1, "before", "after"));
        simulated(run, "sim-1");
        for (String path : List.of("before", "after")) {
            for (int cpus : new int[] {1, 2}) {
                run.trial(cell(path, cpus, "sim-1"), 1, 1000.0 * cpus);
            }
        }
        for (ReportFormat format : List.of(new TextReport(), new MarkdownReport())) {
            assertThat(render(format, run).replace("\\", ""))
                    .contains("VALID of a simulation, in which no kernel was measured: all 4 trials")
                    .contains("SIMULATED: no kernel was measured.")
                    .contains("SIMULATED by lab.yaml")
                    .contains("before [SIMULATED]\n")
                    .contains("after against before [SIMULATED]:")
                    .contains("uprobe-nop [SIMULATED]: ")
                    .contains("SIMULATED: no thread ran")
                    .doesNotContain("x2.00", "affinity was read back");
        }
        JsonNode json = new ObjectMapper().readTree(render(new JsonReport(), run));
        assertThat(json.path("hosts").path(1).path("simulation").asText()).isEqualTo("lab.yaml");
        assertThat(json.path("scalings")).isEmpty();
        assertThat(json.path("cells"))
                .allSatisfy(
                        cell -> assertThat(cell.path("marks").path(0).asText()).isEqualTo("SIMULATED"));
        assertThat(render(new CsvReport(), run).lines().skip(1)).allMatch(line -> line.endsWith(",SIMULATED"));
    }

    @Test
    void aSimulatedHostIsNeverComparedWithAMachine() {
        SampleRun run = SampleRun.of(SampleRun.run(1, 1, "before", "after"));
        run.add(new JournalRecord.HostSeen(SampleRun.host("box")));
        simulated(run, "sim-1");
        run.trial(cell("before", 1, "box"), 1, 1000.0);
        run.trial(cell("after", 1, "sim-1"), 1, 2000.0);

        Results results = Analysis.of(run.journal());

        assertThat(results.comparisons().get(0).finding()).isEqualTo(Finding.NOT_COMPARABLE);
        assertThat(results.comparisons().get(0).notes()).anyMatch(note -> note.contains("is simulated"));
    }

    private static void simulated(SampleRun run, String name) {
        run.add(new JournalRecord.HostSeen(SampleRun.host(name).asSimulated("lab.yaml")));
    }

    private static Cell cell(String path, int cpus, String host) {
        return new Cell(path, Workload.named("uprobe-nop"), Model.THREADS, SampleRun.first(cpus), host);
    }

    private static String render(ReportFormat format, SampleRun run) {
        return new String(format.render(Report.of(Analysis.of(run.journal()))), StandardCharsets.UTF_8);
    }
}

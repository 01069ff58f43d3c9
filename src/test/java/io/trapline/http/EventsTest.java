package io.trapline.http;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.type.TypeReference;
import io.trapline.cluster.Campaigns;
import io.trapline.cluster.RunEvent;
import io.trapline.journal.SampleRun;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Who follows a run hears all of it once, in whatever pieces. */
class EventsTest {
    @TempDir
    private Path data;

    /** An event with its id. */
    private record Told(String id, ApiEvent event) {}

    @Test
    void whoComesLateHearsAllButPastRates() throws Exception {
        try (Served served = Served.start(data)) {
            String run = served.halfRun();
            List<Told> told = read(served.stream(events(run)), 5);

            assertThat(told)
                    .extracting(t -> t.event().getClass().getSimpleName())
                    .containsExactly("Accepted", "TrialBegun", "TrialEnded", "TrialBegun", "TrialEnded");
            assertThat(told.get(0).event()).isEqualTo(new ApiEvent.Accepted(4, 4, List.of()));
            assertThat(((ApiEvent.TrialEnded) told.get(2).event()).opsPerSecond())
                    .hasValue(905_000);
        }
    }

    @Test
    void whoComesBackHearsWhatFollowedTheLastIdAndNothingTwice() throws Exception {
        try (Served served = Served.start(data)) {
            String run = served.halfRun();
            List<Told> before = read(served.stream(events(run)), 2);
            List<Told> after = read(
                    served.stream(events(run), "Last-Event-ID", before.get(1).id()), 3);
            List<Told> all = read(served.stream(events(run)), 5);

            assertThat(Stream.concat(before.stream(), after.stream()).toList()).isEqualTo(all);
        }
    }

    @Test
    void anIdOfAnotherStartOfTheServerIsNoIdOfThisOne() throws Exception {
        FakeCampaigns campaigns = new FakeCampaigns(data);
        String run;
        String id;
        try (Served first = Served.start(campaigns, Served.settings(Optional.empty(), Duration.ofSeconds(10)))) {
            run = first.halfRun();
            id = read(first.stream(events(run)), 5).get(4).id();
        }
        try (Served second = Served.start(campaigns, Served.settings(Optional.empty(), Duration.ofSeconds(10)))) {
            second.get("/api/v1/runs");
            List<Told> told = read(second.stream(events(run), "Last-Event-ID", id), 1);

            assertThat(told.get(0).event()).isEqualTo(new ApiEvent.Accepted(4, 3, List.of()));
        }
    }

    @Test
    void afterARestartTheCurveStartsWithWhatTheJournalHolds() throws Exception {
        FakeCampaigns campaigns = new FakeCampaigns(data);
        Path directory = Files.createDirectories(data.resolve("run9"));
        SampleRun.of(2, 1, "locked", "lockless")
                .trial(SampleRun.cell("locked", "uprobe-nop", 1), 1, 900_000, 910_000)
                .write(directory.resolve("journal.jsonl"));
        campaigns.put(new Campaigns.Run(
                "run9", "kept", Campaigns.State.RUNNING, SampleRun.AT, 1, 4, Optional.empty(), directory));
        try (Served served = Served.start(campaigns, Served.settings(Optional.empty(), Duration.ofSeconds(10)))) {
            assertThat(cellsOf(served, "run9", 1))
                    .containsExactly(new CellRate(CellName.of(SampleRun.cell("locked", "uprobe-nop", 1)), 1, 905_000));
        }
    }

    @Test
    void theLastEventComesAfterTheReportsAreWritten() throws Exception {
        try (Served served = Served.start(data)) {
            String run = served.halfRun();
            BufferedReader stream = served.stream(events(run));
            served.finish(run);
            List<String> lines = stream.lines().toList();

            assertThat(lines)
                    .contains(
                            "data: {\"type\":\"finished\",\"ending\":\"COMPLETE\",\"reason\":\"complete\",\"exitCode\":0}");
            assertThat(data.resolve(run).resolve("report.txt")).exists();
            assertThat(read(served.stream(events(run)), 1).get(0).event())
                    .isEqualTo(new ApiEvent.Finished("COMPLETE", "complete", 0));
        }
    }

    @Test
    void reportsThatAKilledCoordinatorOwesAreWrittenAtTheNextStart() throws Exception {
        FakeCampaigns campaigns = new FakeCampaigns(data);
        try (Served first = Served.start(campaigns, Served.settings(Optional.empty(), Duration.ofSeconds(10)))) {
            first.post(Served.CAMPAIGN);
        }
        try (Served second = Served.start(
                new FakeCampaigns(data.resolve("other")), Served.settings(Optional.empty(), Duration.ofSeconds(10)))) {
            Campaigns.Run run =
                    campaigns.run("run1").toCompletableFuture().join().orElseThrow();
            SampleRun.of(1, 1, "locked", "lockless")
                    .ended()
                    .write(run.directory().resolve("journal.jsonl"));
            second.campaigns()
                    .put(new Campaigns.Run(
                            "run1",
                            "kept",
                            Campaigns.State.ENDED,
                            SampleRun.AT,
                            0,
                            0,
                            Optional.of(new RunEvent.Finished(RunEvent.Finished.Ending.CANCELLED, "stopped")),
                            run.directory()));

            assertThat(second.get("/api/v1/runs/run1/report.txt").statusCode()).isEqualTo(404);
            assertThat(second.get("/api/v1/runs").body())
                    .contains("\"ending\":\"CANCELLED\",\"reason\":\"stopped\",\"exitCode\":4");
            assertThat(second.get("/api/v1/runs/run1/report.txt").statusCode()).isEqualTo(200);
        }
    }

    @Test
    void theOverviewTellsHostsAndRunsWheneverTheyChange() throws Exception {
        try (Served served = Served.start(data);
                BufferedReader stream = served.stream("/api/v1/events")) {
            assertThat(next(stream, "event: hosts")).contains("\"name\":\"rack-b-1\"", "\"state\":\"IDLE\"");
            assertThat(next(stream, "event: runs")).isEqualTo("data: []");
            served.campaigns().hosts(FakeCampaigns.member("rack-b-1", false, Optional.empty()));
            assertThat(next(stream, "event: hosts")).contains("\"state\":\"LOST\"");
            served.halfRun();
            assertThat(next(stream, "event: runs")).contains("\"campaign\":\"two-paths\"");
        }
    }

    private static String events(String run) {
        return "/api/v1/runs/" + run + "/events";
    }

    /** The next so many events. */
    private static List<Told> read(BufferedReader stream, int count) throws IOException {
        List<Told> told = new ArrayList<>();
        try (stream) {
            while (told.size() < count) {
                String id = next(stream, "id: ");
                told.add(new Told(
                        id, Json.read(stream.readLine().substring("data: ".length()), new TypeReference<>() {})));
            }
        }
        return told;
    }

    /** What follows that beginning of a line; of one that is all of the line, the next line. */
    private static String next(BufferedReader stream, String beginning) throws IOException {
        for (String line = stream.readLine(); line != null; line = stream.readLine()) {
            if (line.startsWith(beginning)) {
                return line.equals(beginning) ? stream.readLine() : line.substring(beginning.length());
            }
        }
        throw new AssertionError("the stream ended before " + beginning);
    }

    /** The cells of a run, once there are so many. */
    private static List<CellRate> cellsOf(Served served, String run, int count) throws Exception {
        List<CellRate> cells = List.of();
        while (cells.size() < count) {
            RunView.Detail detail = Json.read(served.get("/api/v1/runs/" + run).body(), new TypeReference<>() {});
            cells = detail.cells();
        }
        return cells;
    }
}

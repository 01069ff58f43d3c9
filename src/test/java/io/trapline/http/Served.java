package io.trapline.http;

import io.trapline.campaign.Campaign;
import io.trapline.campaign.CampaignReader;
import io.trapline.campaign.Plan;
import io.trapline.campaign.Planner;
import io.trapline.cluster.Campaigns;
import io.trapline.cluster.RunEvent;
import io.trapline.journal.SampleRun;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** A server over {@link FakeCampaigns}, and ways to ask it. */
public final class Served implements AutoCloseable {
    /** A campaign of two paths and one workload on 1 and 2 CPUs: four trials. */
    public static final String CAMPAIGN = """
            apiVersion: trapline/v1
            kind: Campaign
            metadata: {name: two-paths}
            spec:
              paths: [{name: locked, attach: {scope: pid}}, {name: lockless, attach: {scope: system}}]
              workloads: [uprobe-nop]
              cpus: [1, 2]
              timing: {warmup: 100ms, interval: 100ms, measure: 1s, rounds: 1}
            """;

    private static final HttpSettings ANY_PORT = settings(Optional.empty(), Duration.ofSeconds(10));

    private final FakeCampaigns campaigns;
    private final HttpServer server;
    private final HttpClient client = HttpClient.newHttpClient();

    private Served(FakeCampaigns campaigns, HttpServer server) {
        this.campaigns = campaigns;
        this.server = server;
    }

    /** On any port, with nothing in {@code data} yet. */
    public static Served start(Path data) throws IOException {
        return start(new FakeCampaigns(data), ANY_PORT);
    }

    /** Over these campaigns. */
    public static Served start(FakeCampaigns campaigns, HttpSettings settings) throws IOException {
        return new Served(campaigns, HttpServer.start(campaigns, settings));
    }

    /** Loopback, any free port. */
    public static HttpSettings settings(Optional<Path> tokenFile, Duration patience) {
        return new HttpSettings("127.0.0.1", 0, tokenFile, Optional.empty(), false, patience);
    }

    /** What the same campaign is planned as, on the host that is there. */
    static Plan plan() throws Exception {
        Campaign campaign = CampaignReader.parse("two.yaml", CAMPAIGN);
        return Planner.plan(campaign, List.of(SampleRun.host("rack-b-1")));
    }

    /** What is served. */
    public FakeCampaigns campaigns() {
        return campaigns;
    }

    /** Where. */
    public URI uri() {
        return server.uri();
    }

    /** Method and template of all that it answers. */
    Set<String> routes() {
        return server.routes().table().stream()
                .map(route -> route.method() + " " + route.template())
                .collect(Collectors.toCollection(TreeSet::new));
    }

    HttpResponse<String> get(String path, String... headers) throws IOException, InterruptedException {
        return ask("GET", path, "", headers);
    }

    HttpResponse<String> post(String campaign, String... headers) throws IOException, InterruptedException {
        List<String> all = new ArrayList<>(List.of(headers));
        all.addAll(List.of("Content-Type", "application/yaml"));
        return ask("POST", "/api/v1/campaigns?file=two.yaml", campaign, all.toArray(String[]::new));
    }

    HttpResponse<String> ask(String method, String path, String body, String... headers)
            throws IOException, InterruptedException {
        HttpRequest.Builder request = HttpRequest.newBuilder(uri().resolve(path))
                .method(
                        method,
                        body.isEmpty()
                                ? HttpRequest.BodyPublishers.noBody()
                                : HttpRequest.BodyPublishers.ofString(body));
        return client.send((headers.length == 0 ? request : request.headers(headers)).build(), BodyHandlers.ofString());
    }

    /** The lines of a stream of events, as they come. */
    BufferedReader stream(String path, String... headers) throws IOException, InterruptedException {
        HttpRequest.Builder request = HttpRequest.newBuilder(uri().resolve(path));
        return new BufferedReader(new InputStreamReader(
                client.send(
                                (headers.length == 0 ? request : request.headers(headers)).build(),
                                BodyHandlers.ofInputStream())
                        .body(),
                StandardCharsets.UTF_8));
    }

    /** A connection, to send what no client would. */
    Socket connect() throws IOException {
        return new Socket(uri().getHost(), uri().getPort());
    }

    /** Submits the campaign and lets its first two trials run. */
    String halfRun() throws Exception {
        post(CAMPAIGN);
        String run = "run" + campaigns.runs().toCompletableFuture().join().size();
        firstHalf(run);
        return run;
    }

    /** Plans the campaign and lets its first two trials run: the first ends well, the second fails. */
    public void firstHalf(String run) throws Exception {
        Plan plan = plan();
        Plan.Trial first = plan.trials().get(0);
        Plan.Trial second = plan.trials().get(1);
        campaigns.tell(run, new RunEvent.Accepted(plan, plan.trials().size()));
        campaigns.tell(run, new RunEvent.TrialBegun(first.id(), 1, first.cell(), 1, Duration.ofSeconds(4)));
        campaigns.tell(run, new RunEvent.Rate(first.id(), 900_000));
        campaigns.tell(run, new RunEvent.Rate(first.id(), 910_000));
        campaigns.tell(run, new RunEvent.TrialEnded(first.id(), OptionalDouble.of(905_000), Optional.empty(), false));
        campaigns.tell(run, new RunEvent.TrialBegun(second.id(), 1, second.cell(), 2, Duration.ofSeconds(3)));
        campaigns.tell(
                run,
                new RunEvent.TrialEnded(
                        second.id(), OptionalDouble.empty(), Optional.of("perf_event_open: EPERM"), true));
    }

    /** Lets the campaign's third trial run. */
    public void third(String run) throws Exception {
        Plan.Trial third = plan().trials().get(2);
        campaigns.tell(run, new RunEvent.TrialBegun(third.id(), 1, third.cell(), 3, Duration.ofSeconds(2)));
        campaigns.tell(run, new RunEvent.Rate(third.id(), 1_900_000));
        campaigns.tell(run, new RunEvent.TrialEnded(third.id(), OptionalDouble.of(1_900_000), Optional.empty(), false));
    }

    /** Ends a run, whose journal then holds a comparison. */
    public void finish(String run) throws IOException {
        Campaigns.Run kept = campaigns.run(run).toCompletableFuture().join().orElseThrow();
        SampleRun.of(3, 2, "locked", "lockless")
                .trial(SampleRun.cell("locked", "uprobe-nop", 1), 1, 900_000, 905_000, 910_000)
                .trial(SampleRun.cell("lockless", "uprobe-nop", 1), 1, 930_000, 935_000, 940_000)
                .trial(SampleRun.cell("lockless", "uprobe-nop", 1), 2, 931_000, 936_000, 941_000)
                .trial(SampleRun.cell("locked", "uprobe-nop", 1), 2, 901_000, 906_000, 911_000)
                .ended()
                .write(kept.directory().resolve("journal.jsonl"));
        campaigns.tell(run, new RunEvent.Finished(RunEvent.Finished.Ending.COMPLETE, "complete"));
    }

    /** The same, once its reports are written. */
    void finishAndAwait(String run) throws IOException, InterruptedException {
        finish(run);
        get("/api/v1/runs/" + run + "/events");
    }

    @Override
    public void close() {
        server.close();
    }
}

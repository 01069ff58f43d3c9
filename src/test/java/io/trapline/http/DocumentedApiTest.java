package io.trapline.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.trapline.cluster.RunEvent;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The server does what {@code openapi.yaml} says, all of it, and nothing else. */
class DocumentedApiTest {
    @TempDir
    private Path data;

    private OpenApi document;

    /** What an answer was: status, content type, body. */
    private record Got(int status, String type, String body) {
        static Got of(HttpResponse<String> response) {
            return new Got(
                    response.statusCode(),
                    response.headers().firstValue("Content-Type").orElse(""),
                    response.body());
        }
    }

    private interface Asking {
        Got ask() throws Exception;
    }

    @BeforeEach
    void readDocument() throws IOException {
        try (InputStream in = HttpServer.class.getResourceAsStream("openapi.yaml")) {
            document = OpenApi.parse(new String(in.readAllBytes(), StandardCharsets.UTF_8));
        }
    }

    @Test
    void everyRouteIsDocumentedAndEveryDocumentedOneIsThere() throws Exception {
        try (Served served = Served.start(data)) {
            Set<String> documented = new TreeSet<>();
            document.answers().forEach(a -> documented.add(a.method() + " " + a.path()));

            assertThat(documented).isEqualTo(served.routes());
        }
    }

    @Test
    void everyDocumentedAnswerIsGivenInItsDocumentedShape() throws Exception {
        try (Served served = Served.start(data);
                Served guarded = guarded();
                Served silent = silent();
                Served impatient = impatient()) {
            Map<OpenApi.Answer, Asking> askings = askings(served, guarded, silent);
            askings.putAll(askingsToSubmit(served, impatient));

            assertThat(askings.keySet()).containsExactlyInAnyOrderElementsOf(document.answers());
            for (Map.Entry<OpenApi.Answer, Asking> asking : askings.entrySet()) {
                Got got = asking.getValue().ask();
                assertThat(got.status())
                        .as("%s: %s", asking.getKey(), got.body())
                        .isEqualTo(asking.getKey().status());
                assertThat(document.check(asking.getKey(), got.type(), got.body()))
                        .as("%s: %s", asking.getKey(), got.body())
                        .isEmpty();
            }
        }
    }

    /** How to be given the answers that many routes have, and those of single ones but for submitting. */
    private Map<OpenApi.Answer, Asking> askings(Served served, Served guarded, Served silent) throws Exception {
        String ended = served.halfRun();
        served.finishAndAwait(ended);
        String running = served.halfRun();
        Map<OpenApi.Answer, Asking> askings = new LinkedHashMap<>();
        for (OpenApi.Answer answer : document.answers()) {
            String template = answer.path().replace("{file}", "report.json");
            String known = template.replace("{run}", ended);
            String unknown = template.replace("{run}", "nope");
            switch (answer.status()) {
                case 200 ->
                    askings.put(
                            answer,
                            () -> known.equals("/api/v1/events")
                                    ? firstEvent(served, known)
                                    : Got.of(served.get(known)));
                case 401 -> askings.put(answer, () -> asked(guarded, answer.method(), unknown));
                case 404 -> askings.put(answer, () -> asked(served, answer.method(), unknown));
                case 503 -> askings.put(answer, () -> asked(silent, answer.method(), unknown));
                default -> {}
            }
        }
        String run = "/api/v1/runs/{run}";
        askings.put(
                new OpenApi.Answer("GET", "/", 421), () -> raw(served, "GET / HTTP/1.1\r\nHost: evil.example\r\n\r\n"));
        askings.put(
                new OpenApi.Answer("DELETE", run, 202), () -> asked(served, "DELETE", run.replace("{run}", running)));
        askings.put(new OpenApi.Answer("DELETE", run, 409), () -> asked(served, "DELETE", run.replace("{run}", ended)));
        return askings;
    }

    private static Map<OpenApi.Answer, Asking> askingsToSubmit(Served served, Served impatient) {
        String path = "/api/v1/campaigns";
        String slow = "POST " + path + " HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/yaml\r\n"
                + "Content-Length: 100\r\n\r\nkind:";
        Map<Integer, Asking> byStatus = Map.of(
                201, () -> Got.of(served.post(Served.CAMPAIGN)),
                400, () -> Got.of(served.post("kind: Campaign\nspec: {pathes: []}\n")),
                408, () -> raw(impatient, slow),
                409, () -> taken(served, path + "?run=taken"),
                413, () -> Got.of(served.post("#".repeat((1 << 20) + 1))),
                415, () -> Got.of(served.ask("POST", path, "x", "Content-Type", "text/html")));
        Map<OpenApi.Answer, Asking> askings = new LinkedHashMap<>();
        byStatus.forEach((status, asking) -> askings.put(new OpenApi.Answer("POST", path, status), asking));
        return askings;
    }

    private static Got taken(Served served, String path) throws IOException, InterruptedException {
        served.ask("POST", path, Served.CAMPAIGN, "Content-Type", "application/yaml");
        return Got.of(served.ask("POST", path, Served.CAMPAIGN + "\n", "Content-Type", "application/yaml"));
    }

    private static Got asked(Served served, String method, String path) throws IOException, InterruptedException {
        return Got.of(method.equals("POST") ? served.post(Served.CAMPAIGN) : served.ask(method, path, ""));
    }

    @Test
    void everyKindOfEventHasItsDocumentedShape() throws Exception {
        try (Served served = Served.start(data)) {
            String run = served.halfRun();
            BufferedReader stream = served.stream("/api/v1/runs/" + run + "/events");
            served.campaigns()
                    .tell(
                            run,
                            new RunEvent.TrialBegun(
                                    "t", 1, Served.plan().trials().get(0).cell(), 3, Duration.ofSeconds(1)));
            served.campaigns().tell(run, new RunEvent.Rate("t", 1e6));
            served.finish(run);
            String refused = served.halfRun();
            served.campaigns().tell(refused, new RunEvent.Refused(RunEvent.Refused.Cause.NO_HOSTS, List.of("none")));
            List<String> events = new ArrayList<>(data(stream.lines().toList()));
            events.addAll(data(served.get("/api/v1/runs/" + refused + "/events")
                    .body()
                    .lines()
                    .toList()));

            for (String event : events) {
                assertThat(document.check("Event", event)).as(event).isEmpty();
            }
            assertThat(events.stream()
                            .map(e -> e.replaceFirst(".*\"type\":\"(\\w+)\".*", "$1"))
                            .collect(Collectors.toSet()))
                    .containsExactlyInAnyOrder("accepted", "trialBegun", "rate", "trialEnded", "refused", "finished");
        }
    }

    @Test
    void onlyWhatIsDocumentedAsOpenIsAnsweredWithoutAToken() throws Exception {
        try (Served guarded = guarded()) {
            for (OpenApi.Answer answer : document.answers()) {
                int status = guarded.ask(answer.method(), answer.path().replaceAll("[{}]", ""), "")
                        .statusCode();
                assertThat(status == 401).as(answer.toString()).isEqualTo(!document.isOpen(answer));
            }
        }
    }

    private static List<String> data(List<String> lines) {
        return lines.stream()
                .filter(line -> line.startsWith("data: "))
                .map(line -> line.substring("data: ".length()))
                .toList();
    }

    private static Got firstEvent(Served served, String path) throws IOException, InterruptedException {
        try (BufferedReader stream = served.stream(path)) {
            return new Got(200, "text/event-stream", stream.readLine());
        }
    }

    private static Got raw(Served served, String request) throws IOException {
        try (Socket socket = served.connect()) {
            socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
            socket.getOutputStream().flush();
            StringBuilder answer = new StringBuilder();
            for (int c = socket.getInputStream().read();
                    c >= 0 && c != '}';
                    c = socket.getInputStream().read()) {
                answer.append((char) c);
            }
            String[] parts = (answer + "}").split("\r\n\r\n", 2);
            return new Got(Integer.parseInt(parts[0].substring(9, 12)), "application/json", parts[1]);
        }
    }

    private Served guarded() throws IOException {
        Path token = Files.writeString(data.resolve("token"), "a-token-of-some-length\n");
        return Served.start(
                new FakeCampaigns(data.resolve("guarded")),
                Served.settings(Optional.of(token), Duration.ofSeconds(10)));
    }

    private Served silent() throws IOException {
        FakeCampaigns campaigns = new FakeCampaigns(data.resolve("silent"));
        campaigns.fallSilent();
        return Served.start(campaigns, Served.settings(Optional.empty(), Duration.ofSeconds(10)));
    }

    private Served impatient() throws IOException {
        return Served.start(
                new FakeCampaigns(data.resolve("impatient")),
                Served.settings(Optional.empty(), Duration.ofMillis(500)));
    }
}

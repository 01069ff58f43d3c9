package io.trapline.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Strangers, nonsense and excess are turned away, counted, and disturb nobody. */
@Timeout(60)
class RefusalsTest {
    private static final String UNREAD = "trapline_http_connections_without_request_total";

    @TempDir
    private Path data;

    @Test
    void allProblemsOfACampaignAreToldAtOnceWithTheirPlaces() throws Exception {
        try (Served served = Served.start(data)) {
            HttpResponse<String> answer = served.post(
                    Served.CAMPAIGN.replace("locked,", "locked, colour: red,").replace("uprobe-nop", "uprobe-nip"));

            assertThat(answer.statusCode()).isEqualTo(400);
            assertThat(answer.body())
                    .contains(
                            "\"message\":\"the campaign has 2 problems\"",
                            "\"place\":\"two.yaml:5:",
                            "\"place\":\"two.yaml:6:",
                            "uprobe-nop");
        }
    }

    @ParameterizedTest
    @CsvSource({
        "GET, /nothing, 404, there is no /nothing",
        "POST, /api/v1/runs, 405, 'only with GET'",
        "GET, /api/v1/runs/../../etc/passwd, 404, there is no",
        "GET, /api/v1/runs/run1/..%2Fcampaign.yaml, 404, 'only campaign.yaml, journal.jsonl'",
        "GET, /api/v1/runs/run1/report.txt, 404, the run has no report.txt yet"
    })
    void whatIsNotThereIsRefusedInWords(String method, String path, int status, String words) throws Exception {
        try (Served served = Served.start(data)) {
            served.post(Served.CAMPAIGN);
            HttpResponse<String> answer = served.ask(method, path, "");

            assertThat(answer.statusCode()).isEqualTo(status);
            assertThat(answer.body()).contains(words);
        }
    }

    @Test
    void onlyTheWholeTokenOpens() throws Exception {
        Path token = Files.writeString(data.resolve("token"), "0123456789abcdefXYZ\n");
        try (Served served =
                Served.start(new FakeCampaigns(data), Served.settings(Optional.of(token), Duration.ofSeconds(10)))) {
            for (String wrong :
                    new String[] {"Bearer 0123456789abcdefXY", "Bearer ", "0123456789abcdefXYZ", "Basic x"}) {
                HttpResponse<String> refused = served.get("/api/v1/hosts", "Authorization", wrong);
                assertThat(refused.statusCode()).as(wrong).isEqualTo(401);
                assertThat(refused.headers().firstValue("WWW-Authenticate")).isPresent();
            }
            String right = "Bearer 0123456789abcdefXYZ";
            assertThat(served.get("/api/v1/hosts", "Authorization", right).statusCode())
                    .isEqualTo(200);
            assertThat(served.get("/metrics", "Authorization", right).body())
                    .contains("route=\"/api/v1/hosts\",status=\"401\"} 4.0");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "short", "with a blank in the middle of it"})
    void aTokenFileWithoutATokenIsRefusedAtTheStart(String content) throws Exception {
        Path token = Files.writeString(data.resolve("token"), content);

        assertThatThrownBy(() -> Served.start(
                        new FakeCampaigns(data), Served.settings(Optional.of(token), Duration.ofSeconds(10))))
                .isInstanceOf(IOException.class)
                .hasMessageContainingAll(token.toString(), "openssl rand");
    }

    @Test
    void otherMachinesAreLetInOnlyWithTlsAndATokenOrByName() throws Exception {
        HttpSettings open =
                new HttpSettings("0.0.0.0", 0, Optional.empty(), Optional.empty(), false, Duration.ofSeconds(10));

        assertThatThrownBy(() -> HttpServer.start(new FakeCampaigns(data), open))
                .isInstanceOf(IOException.class)
                .hasMessageContainingAll("0.0.0.0", "without TLS and a token", "--http-token-file", "--insecure");
        HttpSettings insecure =
                new HttpSettings("0.0.0.0", 0, Optional.empty(), Optional.empty(), true, Duration.ofSeconds(10));
        try (HttpServer server = HttpServer.start(new FakeCampaigns(data), insecure)) {
            assertThat(server.uri().getPort()).isPositive();
        }
    }

    @Test
    void anAddressThatIsTakenIsNamed() throws Exception {
        try (Served served = Served.start(data)) {
            HttpSettings taken = new HttpSettings(
                    "127.0.0.1",
                    served.uri().getPort(),
                    Optional.empty(),
                    Optional.empty(),
                    false,
                    Duration.ofSeconds(10));

            assertThatThrownBy(() -> HttpServer.start(new FakeCampaigns(data), taken))
                    .isInstanceOf(IOException.class)
                    .hasMessageContainingAll("127.0.0.1:" + served.uri().getPort(), "--http HOST:PORT");
        }
    }

    @Test
    void randomBytesAreRefusedAndCountedAndOthersServed() throws Exception {
        byte[] bytes = new byte[4096];
        new Random(1).nextBytes(bytes);
        try (Served served = Served.start(data)) {
            try (Socket socket = served.connect()) {
                socket.getOutputStream().write(bytes);
                readToEnd(socket);
            }
            assertThat(counted(served, UNREAD)).isEqualTo(1);
        }
    }

    @Test
    void aHalfOpenConnectionIsClosedAndCounted() throws Exception {
        try (Served served =
                Served.start(new FakeCampaigns(data), Served.settings(Optional.empty(), Duration.ofMillis(200)))) {
            try (Socket socket = served.connect()) {
                socket.getOutputStream()
                        .write("GET /api/v1/hosts HTTP/1.1\r\nHost: loc".getBytes(StandardCharsets.US_ASCII));
                readToEnd(socket);
            }
            assertThat(counted(served, UNREAD)).isEqualTo(1);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"Content-Length: 1073741824", "Transfer-Encoding: chunked"})
    void aBodyWithoutEndIsRefusedBeforeItsEnd(String how) throws Exception {
        try (Served served = Served.start(data);
                Socket socket = served.connect()) {
            String head = "POST /api/v1/campaigns HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/yaml\r\n"
                    + how + "\r\n\r\n";
            socket.getOutputStream().write(head.getBytes(StandardCharsets.US_ASCII));
            byte[] chunk = ("10000\r\n" + "#".repeat(0x10000) + "\r\n").getBytes(StandardCharsets.US_ASCII);
            for (int sent = 0; sent <= 1 << 20; sent += 0x10000) {
                socket.getOutputStream().write(chunk);
            }
            byte[] status = socket.getInputStream().readNBytes("HTTP/1.1 413".length());

            assertThat(new String(status, StandardCharsets.US_ASCII)).isEqualTo("HTTP/1.1 413");
        }
    }

    @Test
    void headersWithoutEndAreRefused() throws Exception {
        try (Served served = Served.start(data);
                Socket socket = served.connect()) {
            socket.getOutputStream()
                    .write(("GET / HTTP/1.1\r\nHost: localhost\r\nX: " + "y".repeat(20_000))
                            .getBytes(StandardCharsets.US_ASCII));

            assertThat(new String(socket.getInputStream().readNBytes(12), StandardCharsets.US_ASCII))
                    .isEqualTo("HTTP/1.1 431");
        }
    }

    private static void readToEnd(Socket socket) throws IOException {
        try (InputStream in = socket.getInputStream()) {
            in.transferTo(java.io.OutputStream.nullOutputStream());
        } catch (IOException reset) {
            // an end as well
        }
    }

    private static double counted(Served served, String metric) throws Exception {
        return served.get("/metrics")
                .body()
                .lines()
                .filter(line -> line.startsWith(metric + " "))
                .mapToDouble(line -> Double.parseDouble(line.substring(metric.length() + 1)))
                .sum();
    }
}

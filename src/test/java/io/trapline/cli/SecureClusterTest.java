package io.trapline.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.trapline.http.CallersView;
import io.trapline.http.CoordinatorClient;
import io.trapline.http.HostView;
import io.trapline.tls.TestKeys;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Coordinator and worker as processes that know each other by keys of {@code deploy/certificates}, and strangers. */
class SecureClusterTest {
    private static final String TOKEN = "a-token-of-some-length";
    private static final int PATIENCE_MS = 60_000;

    @TempDir
    private Path directory;

    private Path keys;
    private TestCluster cluster;

    @BeforeEach
    void makeKeys() throws Exception {
        keys = directory.resolve("keys");
        TestKeys.certificates(keys, "coordinator.example,127.0.0.1", "worker.example,127.0.0.1");
        cluster = TestCluster.hasty(directory).with("trapline.tls.reload-every", "500ms");
    }

    private TraplineProcess coordinator(String name) throws Exception {
        Path token = Files.writeString(directory.resolve("token"), TOKEN);
        List<String> options = new ArrayList<>(List.of("--http-token-file", token.toString()));
        options.addAll(List.of(files("coordinator.example", "--")));
        options.addAll(List.of(files("coordinator.example", "--http-")).subList(0, 4));
        return cluster.coordinator(name, options.toArray(String[]::new));
    }

    private TraplineProcess worker(String name, String host, String keysOf) throws IOException {
        return cluster.worker(name, host, files(keysOf, "--"));
    }

    private String[] files(String host, String prefix) {
        Path own = keys.resolve(host);
        return new String[] {
            prefix + "cert",
            own.resolve("tls.crt").toString(),
            prefix + "key",
            own.resolve("tls.key").toString(),
            prefix + "ca",
            own.resolve("ca.crt").toString()
        };
    }

    private CoordinatorClient client() throws IOException {
        return CoordinatorClient.of(
                URI.create("https://127.0.0.1:" + cluster.httpPort()),
                Optional.of(directory.resolve("token")),
                Optional.of(keys.resolve("ca.crt")));
    }

    @Test
    void strangersAtEitherPortAreRefusedAndCountedAndNothingOfTheOthersIsReset() throws Exception {
        Path others = directory.resolve("others");
        TestKeys.certificates(others, "worker.example,127.0.0.1");
        try (TestCluster all = cluster;
                TraplineProcess coordinator = coordinator("c");
                Socket halfOpen = new Socket(InetAddress.getLoopbackAddress(), all.port())) {
            TraplineProcess worker = worker("w", "left", "worker.example");
            coordinator.awaitErr("host left is there");
            List<HostView> before = client().hosts();
            long known = client().callers().strangers();

            keys = others;
            TraplineProcess foreign = worker("foreign", "foreign", "worker.example");
            TraplineProcess plain = all.worker("plain", "plain");
            keys = directory.resolve("keys");
            Map<String, byte[]> strangers = strangers();
            for (Map.Entry<String, byte[]> stranger : strangers.entrySet()) {
                for (int port : List.of(all.port(), all.httpPort())) {
                    assertThat(answer(port, stranger.getValue()))
                            .as("%s at port %d", stranger.getKey(), port)
                            .doesNotContain("AKKA", "left");
                }
            }
            withoutCertificate(all.port());
            foreign.awaitErr("joins 127.0.0.1");
            plain.awaitErr("joins 127.0.0.1");

            CallersView callers = client().callers();
            assertThat(callers.strangers() - known).isGreaterThanOrEqualTo(strangers.size() + 1);
            assertThat(callers.members()).isPositive();
            assertThat(client().hosts()).isEqualTo(before);
            assertThat(halfOpen.isConnected()).isTrue();

            client().submit(Optional.empty(), "test.yaml", Campaigns.oneOfEach("200ms", 1));
            coordinator.awaitErr("has ended; report:");
            assertThat(worker.isAlive()).isTrue();
            assertThat(coordinator.said()).doesNotContain("was lost", "foreign", "host plain");
        }
    }

    private static Map<String, byte[]> strangers() {
        byte[] random = new byte[4096];
        new Random(1).nextBytes(random);
        byte[] akka = "AKKA".getBytes(StandardCharsets.US_ASCII);
        byte[] giant = ByteBuffer.allocate(4 + 1 + 4 + 1024)
                .order(java.nio.ByteOrder.LITTLE_ENDIAN)
                .put(akka)
                .put((byte) 1)
                .putInt(1 << 30)
                .array();
        byte[] giantTls =
                ByteBuffer.allocate(1 << 16).put(new byte[] {22, 3, 1, -1, -1}).array();
        Map<String, byte[]> strangers = new LinkedHashMap<>();
        strangers.put("random bytes", random);
        strangers.put("HTTP", "GET / HTTP/1.1\r\nHost: left\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
        strangers.put("plain messages with a frame of 1 GB", giant);
        strangers.put("the largest TLS record", giantTls);
        strangers.put("nothing, and the end", new byte[0]);
        return strangers;
    }

    /** Says that, and all that comes back until the other end closes. */
    private static String answer(int port, byte[] said) throws IOException {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            socket.setSoTimeout(PATIENCE_MS);
            socket.getOutputStream().write(said);
            socket.shutdownOutput();
            try (InputStream in = socket.getInputStream()) {
                return new String(in.readAllBytes(), StandardCharsets.ISO_8859_1);
            } catch (SocketException e) {
                return "reset"; // closed by the other end with something unread
            }
        }
    }

    private void withoutCertificate(int port) throws Exception {
        ProcessBuilder client = new ProcessBuilder(
                "openssl", "s_client", "-connect", "127.0.0.1:" + port, "-CAfile", keys.resolve("ca.crt") + "");
        Process process = client.redirectErrorStream(true).start();
        process.getOutputStream().write("hello\n".getBytes(StandardCharsets.US_ASCII));
        process.getOutputStream().flush();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(said).contains("Verify return code: 0 (ok)", "alert bad certificate");
    }

    @Test
    void keysThatAreReplacedWhileItRunsAreTakenOnceTheyAreWholeAndNobodyIsLost() throws Exception {
        try (TestCluster all = cluster;
                TraplineProcess coordinator = coordinator("c")) {
            worker("w", "left", "worker.example");
            coordinator.awaitErr("host left is there");
            String run = client().submit(Optional.empty(), "test.yaml", Campaigns.oneOfEach("2s", 2));
            Path own = keys.resolve("coordinator.example");
            Path next = directory.resolve("next");
            Files.move(own, next);
            TestKeys.certificates(keys, "coordinator.example,127.0.0.1");
            Path renewed = directory.resolve("renewed");
            Files.move(own, renewed);
            Files.move(next, own);

            byte[] certificate = Files.readAllBytes(renewed.resolve("tls.crt"));
            Files.write(own.resolve("tls.crt"), Arrays.copyOf(certificate, certificate.length / 2));
            coordinator.awaitErr("the certificate of before stays in use: " + own.resolve("tls.crt") + " is cut off");
            Files.write(own.resolve("tls.crt"), certificate);
            coordinator.awaitErr("the certificate of before stays in use: the key in");
            Files.copy(renewed.resolve("tls.key"), own.resolve("tls.key"), StandardCopyOption.REPLACE_EXISTING);
            coordinator.awaitErr("another certificate is in use, until");

            coordinator.awaitErr("has ended; report:");
            worker("w2", "right", "worker.example");
            coordinator.awaitErr("host right is there");
            assertThat(TestCluster.attempts(all.data().resolve("runs").resolve(run)))
                    .containsOnly(1);
            assertThat(coordinator.said()).doesNotContain("was lost");
        }
    }

    @Test
    void whatIsMissingOrDoesNotFitIsNamedBeforeAnythingIsStarted() throws Exception {
        String cert = keys.resolve("coordinator.example/tls.crt").toString();
        String key = keys.resolve("coordinator.example/tls.key").toString();
        String ca = keys.resolve("ca.crt").toString();
        Map<List<String>, String> table = new LinkedHashMap<>();
        table.put(List.of("--cert", cert), "--cert needs --key as well");
        table.put(List.of("--cert", cert, "--key", key), "--ca is missing");
        table.put(List.of("--ca", ca), "--ca alone is not enough");
        table.put(List.of("--cert", "gone.crt", "--key", key, "--ca", ca), "gone.crt can't be read");
        table.put(
                List.of("--cert", cert, "--key", keys.resolve("worker.example/tls.key") + "", "--ca", ca),
                "the key in " + keys.resolve("worker.example/tls.key") + " does not belong to the certificate in "
                        + cert);
        table.put(List.of("--bind", "0.0.0.0", "--name", "here"), "Give --cert, --key and --ca");
        table.put(List.of("--http", "0.0.0.0:0"), "the HTTP API would listen on 0.0.0.0");
        table.put(
                List.of(
                        "--bind",
                        "0.0.0.0",
                        "--name",
                        "here",
                        "--cert",
                        cert,
                        "--key",
                        key,
                        "--ca",
                        ca,
                        "--http",
                        "0.0.0.0:0"),
                "the HTTP API would listen on 0.0.0.0");
        for (Map.Entry<List<String>, String> row : table.entrySet()) {
            String[] args = Stream.concat(Stream.of("coordinator", "--port", "0"), row.getKey().stream())
                    .toArray(String[]::new);
            TraplineProcess.Ended ended = TraplineProcess.run(directory, args);

            assertThat(ended.exitCode()).as("%s", row.getKey()).isEqualTo(1);
            assertThat(ended.errText()).as("%s", row.getKey()).contains(row.getValue());
        }
    }
}

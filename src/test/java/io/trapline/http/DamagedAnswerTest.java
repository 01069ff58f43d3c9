package io.trapline.http;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A client does not take for a report what is none. */
class DamagedAnswerTest {
    private HttpServer server;
    private CoordinatorClient client;

    @BeforeEach
    void start() throws Exception {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.start();
        client = CoordinatorClient.of(
                URI.create("http://127.0.0.1:" + server.getAddress().getPort()), Optional.empty(), Optional.empty());
    }

    @AfterEach
    void stop() {
        server.stop(0);
    }

    @Test
    void aFileWhoseDigestDiffersIsRefused() {
        answer(200, "sha-256=:AAAA:", "locked\n");

        assertThatThrownBy(() -> client.file("run1", RunFile.TEXT))
                .isInstanceOf(ClientException.class)
                .hasMessageContainingAll("report.txt of run run1 arrived damaged", "AAAA", "fetch it again");
    }

    @Test
    void aServerThatIsNoCoordinatorIsToldApart() {
        answer(200, "", "<html>hello</html>");

        assertThatThrownBy(client::runs)
                .isInstanceOf(ClientException.class)
                .hasMessageContainingAll("answers 200, but not as a trapline coordinator does", "--to URL");
    }

    private void answer(int status, String digest, String body) {
        server.createContext("/", exchange -> {
            byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
            exchange.getResponseHeaders().add(Digest.HEADER, digest);
            exchange.sendResponseHeaders(status, bytes.length);
            exchange.getResponseBody().write(bytes);
            exchange.close();
        });
    }
}

package io.trapline.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.trapline.tls.TestKeys;
import io.trapline.tls.TlsFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** TLS between client and server, from files as openssl and keytool write them. */
class TlsTest {
    @TempDir
    private Path data;

    @ParameterizedTest
    @ValueSource(strings = {"RSA", "EC"})
    void aClientThatTrustsTheCertificateIsServedAndNoOther(String algorithm) throws Exception {
        Path store = TestKeys.keystore(data, "server", algorithm);
        try (HttpServer server = start(new TlsFiles.Pem(TestKeys.certificate(store), TestKeys.key(store)))) {
            CoordinatorClient trusting =
                    CoordinatorClient.of(server.uri(), Optional.empty(), Optional.of(TestKeys.certificate(store)));
            CoordinatorClient other = CoordinatorClient.of(
                    server.uri(),
                    Optional.empty(),
                    Optional.of(TestKeys.certificate(TestKeys.keystore(data, "other", algorithm))));

            assertThat(server.uri().getScheme()).isEqualTo("https");
            assertThat(trusting.hosts()).extracting(HostView::name).containsExactly("rack-b-1");
            assertThatThrownBy(other::hosts)
                    .isInstanceOf(ClientException.class)
                    .hasMessageContainingAll("no connection to " + server.uri(), "TLS", "--ca FILE");
        }
    }

    @Test
    void aKeystoreServesAsWell() throws Exception {
        Path store = TestKeys.keystore(data, "server", "EC");
        Path password = Files.writeString(data.resolve("password"), TestKeys.PASSWORD + "\n");
        try (HttpServer server = start(new TlsFiles.Keystore(store, password))) {
            assertThat(CoordinatorClient.of(server.uri(), Optional.empty(), Optional.of(TestKeys.certificate(store)))
                            .runs())
                    .isEmpty();
        }
    }

    @Test
    void aKeyOfAnotherKindIsNamedWithTheWayOut() throws Exception {
        Path store = TestKeys.keystore(data, "server", "RSA");
        Path old = Files.writeString(
                data.resolve("old.key"), "-----BEGIN RSA PRIVATE KEY-----\nAAAA\n-----END RSA PRIVATE KEY-----\n");

        assertThatThrownBy(() -> start(new TlsFiles.Pem(TestKeys.certificate(store), old)))
                .isInstanceOf(IOException.class)
                .hasMessageContainingAll(old.toString(), "RSA PRIVATE KEY", "openssl pkcs8 -topk8 -nodes");
    }

    private HttpServer start(TlsFiles files) throws IOException {
        return HttpServer.start(
                new FakeCampaigns(data.resolve("runs")),
                new HttpSettings("127.0.0.1", 0, Optional.empty(), Optional.of(files), false, Duration.ofSeconds(10)));
    }
}

package io.trapline.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.time.Duration;
import java.util.Base64;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** TLS between client and server, from files as openssl and keytool write them. */
class TlsTest {
    private static final String PASSWORD = "secret-enough";

    @TempDir
    private Path data;

    @ParameterizedTest
    @ValueSource(strings = {"RSA", "EC"})
    void aClientThatTrustsTheCertificateIsServedAndNoOther(String algorithm) throws Exception {
        Path store = keystore("server", algorithm);
        try (HttpServer server = start(new TlsFiles.Pem(certificate(store), key(store)))) {
            CoordinatorClient trusting =
                    CoordinatorClient.of(server.uri(), Optional.empty(), Optional.of(certificate(store)));
            CoordinatorClient other = CoordinatorClient.of(
                    server.uri(), Optional.empty(), Optional.of(certificate(keystore("other", algorithm))));

            assertThat(server.uri().getScheme()).isEqualTo("https");
            assertThat(trusting.hosts()).extracting(HostView::name).containsExactly("rack-b-1");
            assertThatThrownBy(other::hosts)
                    .isInstanceOf(ClientException.class)
                    .hasMessageContainingAll("no connection to " + server.uri(), "TLS", "--ca FILE");
        }
    }

    @Test
    void aKeystoreServesAsWell() throws Exception {
        Path store = keystore("server", "EC");
        Path password = Files.writeString(data.resolve("password"), PASSWORD + "\n");
        try (HttpServer server = start(new TlsFiles.Keystore(store, password))) {
            assertThat(CoordinatorClient.of(server.uri(), Optional.empty(), Optional.of(certificate(store)))
                            .runs())
                    .isEmpty();
        }
    }

    @Test
    void aReplacedCertificateIsServedOnceItIsThereWhole() throws Exception {
        Path first = keystore("first", "EC");
        Path second = keystore("second", "EC");
        Path certificate = Files.copy(certificate(first), data.resolve("tls.crt"));
        Path key = Files.copy(key(first), data.resolve("tls.key"));
        ServerTls tls = new ServerTls(new TlsFiles.Pem(certificate, key));

        String next = Files.readString(certificate(second));
        Files.writeString(certificate, next.substring(0, next.length() / 2));
        tls.reload();
        assertThat(served(tls, certificate(first)))
                .isEqualTo(PemFile.certificates(certificate(first)).get(0));

        Files.writeString(certificate, next);
        Files.copy(key(second), key, StandardCopyOption.REPLACE_EXISTING);
        tls.reload();
        assertThat(served(tls, certificate))
                .isEqualTo(PemFile.certificates(certificate).get(0));
    }

    @Test
    void aKeyOfAnotherKindIsNamedWithTheWayOut() throws Exception {
        Path store = keystore("server", "RSA");
        Path old = Files.writeString(
                data.resolve("old.key"), "-----BEGIN RSA PRIVATE KEY-----\nAAAA\n-----END RSA PRIVATE KEY-----\n");

        assertThatThrownBy(() -> start(new TlsFiles.Pem(certificate(store), old)))
                .isInstanceOf(IOException.class)
                .hasMessageContainingAll(old.toString(), "RSA PRIVATE KEY", "openssl pkcs8 -topk8 -nodes");
    }

    private HttpServer start(TlsFiles files) throws IOException {
        return HttpServer.start(
                new FakeCampaigns(data.resolve("runs")),
                new HttpSettings("127.0.0.1", 0, Optional.empty(), Optional.of(files), false, Duration.ofSeconds(10)));
    }

    /** The certificate that a client which trusts {@code ca} is shown. */
    private static Certificate served(ServerTls tls, Path ca) throws Exception {
        try (ServerSocket server = tls.context().getServerSocketFactory().createServerSocket(0);
                SSLSocket client = (SSLSocket) TlsFiles.clientContext(ca)
                        .getSocketFactory()
                        .createSocket(InetAddress.getLoopbackAddress(), server.getLocalPort())) {
            CompletableFuture<Void> shaken = CompletableFuture.runAsync(() -> {
                try (SSLSocket accepted = (SSLSocket) server.accept()) {
                    accepted.startHandshake();
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            });
            client.startHandshake();
            shaken.join();
            return client.getSession().getPeerCertificates()[0];
        }
    }

    /** A key store with a new key and a certificate for 127.0.0.1 that vouches for itself. */
    private Path keystore(String name, String algorithm) throws Exception {
        Path store = data.resolve(name + ".p12");
        String keytool =
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString();
        Process process = new ProcessBuilder(
                        keytool,
                        "-genkeypair",
                        "-alias",
                        "server",
                        "-keyalg",
                        algorithm,
                        "-dname",
                        "CN=" + name,
                        "-ext",
                        "SAN=IP:127.0.0.1",
                        "-storetype",
                        "PKCS12",
                        "-keystore",
                        store.toString(),
                        "-storepass",
                        PASSWORD)
                .inheritIO()
                .start();
        assertThat(process.waitFor()).isZero();
        return store;
    }

    private static Path certificate(Path store) throws Exception {
        return pem(
                store,
                "crt",
                "CERTIFICATE",
                load(store).getCertificate("server").getEncoded());
    }

    private static Path key(Path store) throws Exception {
        return pem(
                store,
                "key",
                "PRIVATE KEY",
                load(store).getKey("server", PASSWORD.toCharArray()).getEncoded());
    }

    private static KeyStore load(Path store) throws Exception {
        return KeyStore.getInstance(store.toFile(), PASSWORD.toCharArray());
    }

    private static Path pem(Path store, String ending, String type, byte[] der) throws IOException {
        String base64 = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(der);
        return Files.writeString(
                Path.of(store + "." + ending),
                "-----BEGIN " + type + "-----\n" + base64 + "\n-----END " + type + "-----\n");
    }
}

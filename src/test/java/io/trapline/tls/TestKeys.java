package io.trapline.tls;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;

/** Keys and certificates, made by the tools that users have: {@code deploy/certificates}, openssl and keytool. */
public final class TestKeys {
    /** Of every key store here. */
    public static final String PASSWORD = "secret-enough";

    private TestKeys() {}

    /** Runs {@code deploy/certificates}. */
    public static void certificates(Path directory, String... hosts) throws Exception {
        List<String> command = new ArrayList<>(List.of("deploy/certificates", directory.toString()));
        command.addAll(List.of(hosts));
        run(command.toArray(String[]::new));
    }

    /** The files that {@code deploy/certificates} made for a host. */
    public static TlsFiles ofHost(Path directory, String host) {
        return new TlsFiles.Pem(
                directory.resolve(host).resolve("tls.crt"),
                directory.resolve(host).resolve("tls.key"));
    }

    /** A key store with a new key and a certificate for 127.0.0.1 that vouches for itself. */
    public static Path keystore(Path directory, String name, String algorithm, String... more) throws Exception {
        Path store = directory.resolve(name + ".p12");
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
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
                PASSWORD));
        command.addAll(List.of(more));
        run(command.toArray(String[]::new));
        return store;
    }

    /** The certificate in it, as a PEM file beside it. */
    public static Path certificate(Path store) throws Exception {
        return pem(
                store,
                "crt",
                "CERTIFICATE",
                load(store).getCertificate("server").getEncoded());
    }

    /** The key in it, as a PEM file beside it. */
    public static Path key(Path store) throws Exception {
        return pem(
                store,
                "key",
                "PRIVATE KEY",
                load(store).getKey("server", PASSWORD.toCharArray()).getEncoded());
    }

    /** Runs a program to its end, which must be a good one; what it said. */
    static String run(String... command) throws Exception {
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(said).isZero();
        return said;
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

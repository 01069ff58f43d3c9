package io.trapline.tls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermission;
import java.util.List;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLParameters;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** Who is let in by mutual TLS, and what becomes of files that are replaced while it runs. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class MemberTlsTest {
    private Path keys;
    private Path others;

    @BeforeAll
    void makeKeys(@TempDir Path own, @TempDir Path foreign) throws Exception {
        keys = own;
        others = foreign;
        TestKeys.certificates(keys, "left.example,127.0.0.1", "right.example", "next.example");
        TestKeys.certificates(others, "left.example");
    }

    private MemberTls member(String host) throws IOException {
        return new MemberTls(TestKeys.ofHost(keys, host), keys.resolve("ca.crt"));
    }

    @Test
    void twoMembersKnowEachOtherInBothDirectionsByTls13() throws Exception {
        MemberTls left = member("left.example");
        MemberTls right = member("right.example");
        for (MemberTls client : List.of(left, right)) {
            MemberTls server = client == left ? right : left;
            SSLEngine out = client.clientEngine(client == left ? "right.example" : "127.0.0.1", 2551);
            SSLEngine in = server.serverEngine();

            assertThat(Handshake.between(out, in).pass("hello")).isEqualTo("hello");
            assertThat(in.getSession().getProtocol()).isEqualTo("TLSv1.3");
            assertThat(server.stranger(in.getSession())).isEmpty();
            assertThat(client.stranger(out.getSession())).isEmpty();
        }
    }

    @Test
    void whoShowsNoCertificateIsRefused() throws Exception {
        SSLContext bare = TlsFiles.clientContext(keys.resolve("ca.crt"));
        SSLEngine client = bare.createSSLEngine();
        client.setUseClientMode(true);

        assertRefused(client, member("left.example").serverEngine());
    }

    @Test
    void aCertificateOfAnotherAuthorityIsRefusedByBothEnds() throws Exception {
        MemberTls stranger = new MemberTls(TestKeys.ofHost(others, "left.example"), others.resolve("ca.crt"));
        MemberTls trusting = new MemberTls(
                TestKeys.ofHost(others, "left.example"), bundle(keys.resolve("ca.crt"), others.resolve("ca.crt")));

        assertRefused(
                stranger.clientEngine("right.example", 1),
                member("right.example").serverEngine());
        assertRefused(
                trusting.clientEngine("right.example", 1),
                member("right.example").serverEngine());
    }

    @Test
    void aServerOfAnotherNameIsRefused() throws Exception {
        assertRefused(
                member("left.example").clientEngine("coordinator.example", 1),
                member("right.example").serverEngine());
    }

    @Test
    void anOlderProtocolIsRefused() throws Exception {
        SSLEngine client = member("left.example").clientEngine("right.example", 1);
        SSLParameters older = client.getSSLParameters();
        older.setProtocols(new String[] {"TLSv1.2"});
        client.setSSLParameters(older);

        assertRefused(client, member("right.example").serverEngine());
    }

    @Test
    void whomTheSameAuthorityVouchesForUnderAnotherSubjectIsAStranger() throws Exception {
        MemberTls web =
                new MemberTls(signed("web", "/CN=web.example", "serverAuth,clientAuth"), keys.resolve("ca.crt"));
        MemberTls left = member("left.example");
        SSLEngine in = left.serverEngine();
        Handshake.between(web.clientEngine("left.example", 1), in);

        assertThat(left.stranger(in.getSession()))
                .hasValueSatisfying(reason -> assertThat(reason).contains("CN=web.example", "CN=member"));
    }

    @Test
    void filesThatCantBeUsedAreNamed(@TempDir Path own) throws Exception {
        Path ca = keys.resolve("ca.crt");
        TlsFiles.Pem left = (TlsFiles.Pem) TestKeys.ofHost(keys, "left.example");
        TlsFiles.Pem right = (TlsFiles.Pem) TestKeys.ofHost(keys, "right.example");
        Path gone = own.resolve("gone.crt");
        Path store = TestKeys.keystore(own, "self", "EC");
        Path old = TestKeys.keystore(own, "old", "EC", "-startdate", "-10d", "-validity", "5");
        Path wrong = Files.writeString(own.resolve("password"), "not-this-one");

        assertRefuses(new TlsFiles.Pem(gone, left.key()), ca, gone + " can't be read: there is no such file");
        assertRefuses(left, gone, gone + " can't be read");
        assertRefuses(left, left.key(), left.key() + " holds no certificate");
        assertRefuses(
                new TlsFiles.Pem(left.certificates(), right.key()),
                ca,
                "the key in " + right.key() + " does not belong to the certificate in " + left.certificates());
        assertRefuses(left, others.resolve("ca.crt"), "judged by " + others.resolve("ca.crt"));
        assertRefuses(new TlsFiles.Keystore(store, wrong), ca, store + " can't be read as a key store");
        assertRefuses(
                new TlsFiles.Pem(TestKeys.certificate(old), TestKeys.key(old)),
                ca,
                "the certificate of CN=old holds from");
        assertRefuses(signed("server-only", "/CN=member", "serverAuth"), ca, "for servers and clients both");
        assertRefuses(signed("nobody", "/", "serverAuth,clientAuth"), ca, "has no subject");
    }

    private static void assertRefuses(TlsFiles files, Path ca, String message) {
        assertThatThrownBy(() -> new MemberTls(files, ca))
                .isInstanceOf(IOException.class)
                .hasMessageContaining(message);
    }

    @Test
    void aBundleOfCertificatesThatIsCutOffAnywhereIsRefusedAsAWhole(@TempDir Path own) throws Exception {
        byte[] whole = Files.readAllBytes(bundle(keys.resolve("ca.crt"), others.resolve("ca.crt")));
        int one = (int) Files.size(keys.resolve("ca.crt"));
        Path cut = own.resolve("cut.crt");
        for (int length = 0; length < whole.length - 1; length++) {
            Files.write(cut, java.util.Arrays.copyOf(whole, length));
            if (length == one
                    || length == one - 1) { // with or without the line's end: a whole file, of one certificate
                assertThat(PemFile.certificates(cut)).hasSize(1);
            } else {
                assertThatThrownBy(() -> PemFile.certificates(cut))
                        .as("cut off after %d of %d bytes", length, whole.length)
                        .isInstanceOf(IOException.class)
                        .hasMessageContaining(cut.toString());
            }
        }
    }

    @Test
    void replacedFilesAreTakenOnceTheyAreThereWholeAndOpenConnectionsLiveOn(@TempDir Path own) throws Exception {
        TlsFiles.Pem mounted = new TlsFiles.Pem(own.resolve("tls.crt"), own.resolve("tls.key"));
        Path ca = own.resolve("ca.crt");
        copy(keys.resolve("left.example/tls.crt"), mounted.certificates());
        copy(keys.resolve("left.example/tls.key"), mounted.key());
        copy(keys.resolve("ca.crt"), ca);
        MemberTls rotating = new MemberTls(mounted, ca);
        MemberTls peer = member("right.example");
        Handshake open = Handshake.between(peer.clientEngine("left.example", 1), rotating.serverEngine());

        byte[] next = Files.readAllBytes(keys.resolve("next.example/tls.crt"));
        List<Step> steps = List.of(
                () -> Files.write(mounted.certificates(), java.util.Arrays.copyOf(next, next.length / 2)),
                () -> Files.write(mounted.certificates(), next),
                () -> copy(others.resolve("left.example/tls.key"), mounted.key()),
                () -> Files.delete(mounted.key()),
                () -> Files.write(ca, java.util.Arrays.copyOf(Files.readAllBytes(ca), 300)));
        for (Step step : steps) {
            step.take();
            rotating.reload();
            Handshake.between(peer.clientEngine("left.example", 1), rotating.serverEngine());
        }
        copy(keys.resolve("next.example/tls.key"), mounted.key());
        copy(keys.resolve("ca.crt"), ca);
        rotating.reload();
        Handshake.between(peer.clientEngine("next.example", 1), rotating.serverEngine());
        assertRefused(peer.clientEngine("left.example", 1), rotating.serverEngine());
        assertThat(open.pass("still here")).isEqualTo("still here");
    }

    @Test
    void aServersReplacedCertificateIsServedOnceItIsThereWhole(@TempDir Path own) throws Exception {
        TlsFiles.Pem mounted = new TlsFiles.Pem(own.resolve("tls.crt"), own.resolve("tls.key"));
        copy(keys.resolve("left.example/tls.crt"), mounted.certificates());
        copy(keys.resolve("left.example/tls.key"), mounted.key());
        ServerTls server = new ServerTls(mounted);

        byte[] next = Files.readAllBytes(keys.resolve("next.example/tls.crt"));
        Files.write(mounted.certificates(), java.util.Arrays.copyOf(next, next.length / 2));
        server.reload();
        Handshake.between(member("right.example").clientEngine("left.example", 1), server.engine());

        Files.write(mounted.certificates(), next);
        copy(keys.resolve("next.example/tls.key"), mounted.key());
        server.reload();
        Handshake.between(member("right.example").clientEngine("next.example", 1), server.engine());
    }

    @Test
    void theScriptOverwritesNothingAndGoesOnWithItsAuthority(@TempDir Path own) throws Exception {
        TestKeys.certificates(own, "first.example");
        byte[] authority = Files.readAllBytes(own.resolve("ca.crt"));
        byte[] key = Files.readAllBytes(own.resolve("first.example/tls.key"));

        assertThatThrownBy(() -> TestKeys.certificates(own, "first.example"))
                .hasMessageContaining(own.resolve("first.example") + " is there already and is not overwritten");
        assertThatThrownBy(() -> TestKeys.certificates(own, "../x")).hasMessageContaining("\"../x\" is no host");
        TestKeys.certificates(own, "second.example");

        assertThat(own.resolve("ca.crt")).hasBinaryContent(authority);
        assertThat(own.resolve("first.example/tls.key")).hasBinaryContent(key);
        for (String secret : List.of("ca.key", "second.example/tls.key")) {
            assertThat(Files.getPosixFilePermissions(own.resolve(secret)))
                    .as(secret)
                    .containsExactlyInAnyOrder(PosixFilePermission.OWNER_READ, PosixFilePermission.OWNER_WRITE);
        }
        new MemberTls(TestKeys.ofHost(own, "second.example"), own.resolve("first.example/ca.crt"));
    }

    private interface Step {
        void take() throws IOException;
    }

    private static void assertRefused(SSLEngine client, SSLEngine server) {
        assertThatThrownBy(() -> Handshake.between(client, server)).isInstanceOf(SSLException.class);
    }

    private static void copy(Path from, Path to) throws IOException {
        Files.copy(from, to, StandardCopyOption.REPLACE_EXISTING);
    }

    private Path bundle(Path... certificates) throws IOException {
        StringBuilder all = new StringBuilder();
        for (Path certificate : certificates) {
            all.append(Files.readString(certificate));
        }
        return Files.writeString(others.resolve("bundle.crt"), all);
    }

    /** A certificate by the same authority for left.example, with that subject and for that use. */
    private TlsFiles signed(String name, String subject, String use) throws Exception {
        Path key = keys.resolve("left.example/tls.key");
        Path certificate = keys.resolve(name + ".crt");
        Path request = keys.resolve(name + ".csr");
        Path extensions = Files.writeString(
                keys.resolve(name + ".ext"),
                "subjectAltName=critical,DNS:left.example\nextendedKeyUsage=" + use + "\n");
        TestKeys.run("openssl", "req", "-new", "-key", key.toString(), "-subj", subject, "-out", request.toString());
        TestKeys.run(
                "openssl",
                "x509",
                "-req",
                "-in",
                request.toString(),
                "-CA",
                keys.resolve("ca.crt").toString(),
                "-CAkey",
                keys.resolve("ca.key").toString(),
                "-set_serial",
                "7",
                "-extfile",
                extensions.toString(),
                "-out",
                certificate.toString());
        return new TlsFiles.Pem(certificate, key);
    }
}

package io.trapline.tls;

import java.io.IOException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.Optional;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLPeerUnverifiedException;
import javax.net.ssl.SSLSession;
import javax.net.ssl.X509TrustManager;
import javax.security.auth.x500.X500Principal;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Mutual TLS among the members of a cluster. Each shows a certificate that the cluster's authority vouches for; its
 * subject is the same for all members, so that an authority may vouch for others too; its alternative names are those
 * by which the member is reached. New connections get the newest files that could be read whole; connections that are
 * there live on.
 */
public final class MemberTls {
    private static final Logger LOG = LoggerFactory.getLogger(MemberTls.class);

    /** How a trust manager is told that the key exchange says nothing of the certificate, as in TLS 1.3. */
    private static final String ANY_EXCHANGE = "UNKNOWN";

    private final Path ca;
    private final Newest<Loaded> newest;

    /** @param authorities how many certificates vouch for members */
    private record Loaded(SSLContext context, X509Certificate own, int authorities) {
        X500Principal subject() {
            return own.getSubjectX500Principal();
        }
    }

    /**
     * From these files.
     *
     * @param own the member's key and certificate
     * @param ca a PEM file with the certificates that vouch for members
     * @throws IOException naming the file that can't be used, or the two that don't fit each other
     */
    public MemberTls(TlsFiles own, Path ca) throws IOException {
        this.ca = ca;
        this.newest = new Newest<>(() -> load(own, ca));
    }

    private static Loaded load(TlsFiles files, Path ca) throws IOException {
        OwnKey own = OwnKey.read(files);
        List<X509Certificate> authorities = PemFile.certificates(ca);
        X509Certificate shown = own.chain().get(0);
        if (shown.getSubjectX500Principal().getName().isEmpty()) {
            throw new IOException(files + ": the certificate has no subject, by which members of a cluster know each"
                    + " other; give all members the same, such as CN=trapline");
        }
        try {
            X509TrustManager trust = TlsFiles.trust(ca, authorities);
            refuseUnvouched(files, ca, own.chain(), trust);
            SSLContext context = SSLContext.getInstance(TlsFiles.PROTOCOL);
            context.init(own.managers(), new X509TrustManager[] {trust}, null);
            return new Loaded(context, shown, authorities.size());
        } catch (GeneralSecurityException e) {
            throw new IOException(files + " with " + ca + " can't be used for TLS: " + e.getMessage(), e);
        }
    }

    /** What the other members would refuse is refused here, where the files are. */
    private static void refuseUnvouched(TlsFiles files, Path ca, List<X509Certificate> chain, X509TrustManager trust)
            throws IOException {
        X509Certificate[] shown = chain.toArray(X509Certificate[]::new);
        try {
            trust.checkServerTrusted(shown, ANY_EXCHANGE);
            trust.checkClientTrusted(shown, ANY_EXCHANGE);
        } catch (CertificateException e) {
            throw new IOException(
                    "other members would not take " + files + ", judged by " + ca + ": " + e.getMessage()
                            + "; a member's certificate is issued by that authority, for servers and clients both",
                    e);
        }
    }

    /** Reads the files again; while they can't be used, what was read before stays. */
    public void reload() {
        Loaded before = newest.get();
        newest.reload();
        Loaded now = newest.get();
        if (!now.own().equals(before.own())) {
            LOG.info(
                    "another certificate is in use, until {}",
                    now.own().getNotAfter().toInstant());
        }
        if (now.authorities() != before.authorities()) {
            LOG.info("{} holds {} certificates now, {} before", ca, now.authorities(), before.authorities());
        }
    }

    /** For a connection that comes in: who comes must show a certificate. */
    public SSLEngine serverEngine() {
        SSLEngine engine = newest.get().context().createSSLEngine();
        engine.setUseClientMode(false);
        SSLParameters parameters = parameters(engine);
        parameters.setNeedClientAuth(true);
        engine.setSSLParameters(parameters);
        return engine;
    }

    /** For a connection to that host, whose certificate must name it. */
    public SSLEngine clientEngine(String host, int port) {
        SSLEngine engine = newest.get().context().createSSLEngine(host, port);
        engine.setUseClientMode(true);
        SSLParameters parameters = parameters(engine);
        parameters.setEndpointIdentificationAlgorithm("HTTPS");
        engine.setSSLParameters(parameters);
        return engine;
    }

    private static SSLParameters parameters(SSLEngine engine) {
        SSLParameters parameters = engine.getSSLParameters();
        parameters.setProtocols(new String[] {TlsFiles.PROTOCOL});
        return parameters;
    }

    /** Why the other end is no member although its certificate is good; empty when it is one. */
    public Optional<String> stranger(SSLSession session) {
        try {
            X509Certificate shown = (X509Certificate) session.getPeerCertificates()[0];
            X500Principal wanted = newest.get().subject();
            return shown.getSubjectX500Principal().equals(wanted)
                    ? Optional.empty()
                    : Optional.of("its certificate is for " + shown.getSubjectX500Principal()
                            + ", those of this cluster's members are for " + wanted);
        } catch (SSLPeerUnverifiedException e) {
            return Optional.of("it showed no certificate");
        }
    }
}

package io.trapline.tls;

import java.io.IOException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.X509Certificate;
import java.util.List;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509TrustManager;

/** Where one's own key and certificate are. */
public sealed interface TlsFiles {
    /** Only this one: both sides are ours. */
    String PROTOCOL = "TLSv1.3";

    /**
     * Two PEM files.
     *
     * @param certificates one's own first, then those that vouch for it
     * @param key in PKCS#8 ({@code BEGIN PRIVATE KEY}), RSA or EC, not encrypted
     */
    record Pem(Path certificates, Path key) implements TlsFiles {}

    /**
     * A PKCS#12 or JKS file with one key.
     *
     * @param passwordFile holds the password of file and key
     */
    record Keystore(Path file, Path passwordFile) implements TlsFiles {}

    /**
     * Trusts servers whom one of the certificates in that PEM file vouches for, and no others.
     *
     * @throws IOException naming the file
     */
    static SSLContext clientContext(Path ca) throws IOException {
        try {
            SSLContext context = SSLContext.getInstance(PROTOCOL);
            context.init(null, new X509TrustManager[] {trust(ca, PemFile.certificates(ca))}, null);
            return context;
        } catch (GeneralSecurityException e) {
            throw new IOException(ca + " can't be used for TLS: " + e.getMessage(), e);
        }
    }

    /** Who trusts those for whom one of these certificates, which are in that file, vouches. */
    static X509TrustManager trust(Path ca, List<X509Certificate> certificates)
            throws IOException, GeneralSecurityException {
        KeyStore store = KeyStore.getInstance("PKCS12");
        store.load(null, null);
        for (int i = 0; i < certificates.size(); i++) {
            store.setCertificateEntry("ca" + i, certificates.get(i));
        }
        TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        trust.init(store);
        return List.of(trust.getTrustManagers()).stream()
                .filter(X509TrustManager.class::isInstance)
                .map(X509TrustManager.class::cast)
                .findFirst()
                .orElseThrow(() -> new IOException(ca + ": this Java has no trust manager for certificates"));
    }
}

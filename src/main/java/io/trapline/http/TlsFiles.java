package io.trapline.http;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.util.List;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/** Where a server's key and certificate are. */
public sealed interface TlsFiles {
    /** Only this one: both sides are ours. */
    String PROTOCOL = "TLSv1.3";

    /**
     * Two PEM files.
     *
     * @param certificates the server's first, then those that vouch for it
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
     * All that these files say, now.
     *
     * @throws IOException naming the file that can't be read or is not what it should be
     */
    default SSLContext serverContext() throws IOException {
        try {
            KeyManagerFactory keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
            char[] password = this instanceof Keystore store ? password(store) : new char[0];
            keys.init(this instanceof Keystore store ? load(store, password) : load((Pem) this), password);
            SSLContext context = SSLContext.getInstance(PROTOCOL);
            context.init(keys.getKeyManagers(), null, null);
            return context;
        } catch (GeneralSecurityException e) {
            throw new IOException(this + " can't be used for TLS: " + e.getMessage(), e);
        }
    }

    /**
     * Trusts servers whom one of the certificates in that PEM file vouches for, and no others.
     *
     * @throws IOException naming the file
     */
    static SSLContext clientContext(Path ca) throws IOException {
        try {
            KeyStore store = empty();
            List<Certificate> certificates = PemFile.certificates(ca);
            for (int i = 0; i < certificates.size(); i++) {
                store.setCertificateEntry("ca" + i, certificates.get(i));
            }
            TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
            trust.init(store);
            SSLContext context = SSLContext.getInstance(PROTOCOL);
            context.init(null, trust.getTrustManagers(), null);
            return context;
        } catch (GeneralSecurityException e) {
            throw new IOException(ca + " can't be used for TLS: " + e.getMessage(), e);
        }
    }

    private static char[] password(Keystore store) throws IOException {
        return Files.readString(store.passwordFile()).strip().toCharArray();
    }

    private static KeyStore load(Keystore store, char[] password) throws IOException, GeneralSecurityException {
        KeyStore keys = KeyStore.getInstance("PKCS12");
        try (InputStream in = Files.newInputStream(store.file())) {
            keys.load(in, password);
        } catch (IOException e) {
            throw new IOException(store.file() + " can't be read as a key store: " + e.getMessage(), e);
        }
        return keys;
    }

    private static KeyStore load(Pem pem) throws IOException, GeneralSecurityException {
        KeyStore keys = empty();
        List<Certificate> chain = PemFile.certificates(pem.certificates());
        keys.setKeyEntry(
                "server",
                PemFile.privateKey(pem.key(), chain.get(0).getPublicKey().getAlgorithm()),
                new char[0],
                chain.toArray(Certificate[]::new));
        return keys;
    }

    private static KeyStore empty() throws IOException, GeneralSecurityException {
        KeyStore store = KeyStore.getInstance("PKCS12");
        store.load(null, null);
        return store;
    }
}

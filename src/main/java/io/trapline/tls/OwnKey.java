package io.trapline.tls;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.Signature;
import java.security.cert.Certificate;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import javax.net.ssl.KeyManager;
import javax.net.ssl.KeyManagerFactory;

/**
 * A private key and the certificates that belong to it, checked: they fit each other and hold today.
 *
 * @param chain one's own certificate first, then those that vouch for it
 */
record OwnKey(PrivateKey key, List<X509Certificate> chain) {
    private static final byte[] PROBE = {1, 2, 3, 4};

    /**
     * What these files hold now.
     *
     * @throws IOException naming the file that can't be read or is not what it should be
     */
    static OwnKey read(TlsFiles files) throws IOException {
        try {
            return files instanceof TlsFiles.Pem pem ? ofPem(pem) : ofKeystore((TlsFiles.Keystore) files);
        } catch (GeneralSecurityException e) {
            throw new IOException(files + " can't be used for TLS: " + e.getMessage(), e);
        }
    }

    private static OwnKey ofPem(TlsFiles.Pem pem) throws IOException, GeneralSecurityException {
        List<X509Certificate> chain = PemFile.certificates(pem.certificates());
        refuseOutdated(pem.certificates(), chain);
        PrivateKey key =
                PemFile.privateKey(pem.key(), chain.get(0).getPublicKey().getAlgorithm());
        if (!fit(key, chain.get(0))) {
            throw new IOException("the key in " + pem.key() + " does not belong to the certificate in "
                    + pem.certificates() + " (" + chain.get(0).getSubjectX500Principal() + ")");
        }
        return new OwnKey(key, chain);
    }

    private static OwnKey ofKeystore(TlsFiles.Keystore files) throws IOException, GeneralSecurityException {
        char[] password = new String(KeyFile.read(files.passwordFile()), StandardCharsets.UTF_8)
                .strip()
                .toCharArray();
        byte[] content = KeyFile.read(files.file());
        KeyStore store = KeyStore.getInstance("PKCS12");
        try {
            store.load(new ByteArrayInputStream(content), password);
        } catch (IOException e) {
            throw new IOException(files.file() + " can't be read as a key store: " + e.getMessage(), e);
        }
        List<String> keys = new ArrayList<>();
        for (String alias : Collections.list(store.aliases())) {
            if (store.isKeyEntry(alias)) {
                keys.add(alias);
            }
        }
        if (keys.size() != 1) {
            throw new IOException(files.file() + " holds " + keys.size() + " private keys, one is wanted");
        }
        List<X509Certificate> chain = new ArrayList<>();
        for (Certificate certificate : store.getCertificateChain(keys.get(0))) {
            chain.add((X509Certificate) certificate);
        }
        refuseOutdated(files.file(), chain);
        return new OwnKey((PrivateKey) store.getKey(keys.get(0), password), List.copyOf(chain));
    }

    private static void refuseOutdated(Path file, List<X509Certificate> chain) throws IOException {
        for (X509Certificate certificate : chain) {
            try {
                certificate.checkValidity();
            } catch (CertificateException e) {
                throw new IOException(
                        file + ": the certificate of " + certificate.getSubjectX500Principal() + " holds from "
                                + certificate.getNotBefore().toInstant() + " to "
                                + certificate.getNotAfter().toInstant() + ", not now",
                        e);
            }
        }
    }

    private static boolean fit(PrivateKey key, X509Certificate certificate) throws GeneralSecurityException {
        Signature signature = Signature.getInstance(
                switch (key.getAlgorithm()) {
                    case "RSA" -> "SHA256withRSA";
                    case "EC" -> "SHA256withECDSA";
                    default -> key.getAlgorithm();
                });
        signature.initSign(key);
        signature.update(PROBE);
        byte[] signed = signature.sign();
        signature.initVerify(certificate.getPublicKey());
        signature.update(PROBE);
        return signature.verify(signed);
    }

    /** For a TLS context. */
    KeyManager[] managers() throws IOException, GeneralSecurityException {
        KeyStore store = KeyStore.getInstance("PKCS12");
        store.load(null, null);
        store.setKeyEntry("own", key, new char[0], chain.toArray(Certificate[]::new));
        KeyManagerFactory managers = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        managers.init(store, new char[0]);
        return managers.getKeyManagers();
    }
}

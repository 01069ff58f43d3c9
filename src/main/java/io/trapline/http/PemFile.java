package io.trapline.http;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.cert.Certificate;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Base64;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads PEM files (RFC 7468). */
final class PemFile {
    private static final Pattern BLOCK =
            Pattern.compile("-----BEGIN ([A-Z ]+)-----([A-Za-z0-9+/=\\s]*)-----END \\1-----");

    private PemFile() {}

    /**
     * All certificates in it, at least one.
     *
     * @throws IOException naming the file
     */
    static List<Certificate> certificates(Path file) throws IOException {
        try (InputStream in = Files.newInputStream(file)) {
            List<Certificate> found =
                    List.copyOf(CertificateFactory.getInstance("X.509").generateCertificates(in));
            if (found.isEmpty()) {
                throw new IOException(file + " holds no certificate");
            }
            return found;
        } catch (CertificateException e) {
            throw new IOException(file + " holds something that is no certificate: " + e.getMessage(), e);
        }
    }

    /**
     * The key in it.
     *
     * @param algorithm that of the certificate's public key
     * @throws IOException naming the file, and what it holds instead
     */
    static PrivateKey privateKey(Path file, String algorithm) throws IOException {
        Matcher block = BLOCK.matcher(Files.readString(file));
        if (!block.find()) {
            throw new IOException(file + " holds no PEM block; a private key is wanted");
        }
        if (!block.group(1).equals("PRIVATE KEY")) {
            throw new IOException(file + " holds a " + block.group(1)
                    + ", a PRIVATE KEY (PKCS#8, not encrypted) is wanted; openssl pkcs8 -topk8 -nodes makes one of it");
        }
        try {
            byte[] der = Base64.getMimeDecoder().decode(block.group(2));
            return KeyFactory.getInstance(algorithm).generatePrivate(new PKCS8EncodedKeySpec(der));
        } catch (GeneralSecurityException | IllegalArgumentException e) {
            throw new IOException(file + " holds no usable " + algorithm + " key: " + e.getMessage(), e);
        }
    }
}

package io.trapline.tls;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.ArrayList;
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
     * All certificates in it, at least one. A file that is cut off is refused as a whole.
     *
     * @throws IOException naming the file
     */
    static List<X509Certificate> certificates(Path file) throws IOException {
        List<X509Certificate> found = new ArrayList<>();
        try {
            CertificateFactory factory = CertificateFactory.getInstance("X.509");
            for (Block block : blocks(file)) {
                if (block.type().endsWith("CERTIFICATE")) {
                    found.add((X509Certificate) factory.generateCertificate(new ByteArrayInputStream(block.der())));
                }
            }
        } catch (CertificateException | IllegalArgumentException e) {
            throw new IOException(file + " holds something that is no certificate: " + e.getMessage(), e);
        }
        if (found.isEmpty()) {
            throw new IOException(file + " holds no certificate");
        }
        return List.copyOf(found);
    }

    /**
     * The key in it.
     *
     * @param algorithm that of the certificate's public key
     * @throws IOException naming the file, and what it holds instead
     */
    static PrivateKey privateKey(Path file, String algorithm) throws IOException {
        List<Block> blocks = blocks(file);
        if (blocks.isEmpty()) {
            throw new IOException(file + " holds no PEM block; a private key is wanted");
        }
        Block block = blocks.get(0);
        if (!block.type().equals("PRIVATE KEY")) {
            throw new IOException(file + " holds a " + block.type()
                    + ", a PRIVATE KEY (PKCS#8, not encrypted) is wanted; openssl pkcs8 -topk8 -nodes makes one of it");
        }
        try {
            return KeyFactory.getInstance(algorithm).generatePrivate(new PKCS8EncodedKeySpec(block.der()));
        } catch (GeneralSecurityException | IllegalArgumentException e) {
            throw new IOException(file + " holds no usable " + algorithm + " key: " + e.getMessage(), e);
        }
    }

    /** What is between two of its dashed lines. */
    private record Block(String type, String base64) {
        byte[] der() {
            return Base64.getMimeDecoder().decode(base64);
        }
    }

    /** Text between blocks is allowed, half a block is not: Java would pass over some of those. */
    private static List<Block> blocks(Path file) throws IOException {
        String text = new String(KeyFile.read(file), StandardCharsets.ISO_8859_1);
        Matcher matcher = BLOCK.matcher(text);
        List<Block> blocks = new ArrayList<>();
        StringBuilder rest = new StringBuilder();
        while (matcher.find()) {
            blocks.add(new Block(matcher.group(1), matcher.group(2)));
            matcher.appendReplacement(rest, "");
        }
        if (matcher.appendTail(rest).toString().lines().anyMatch(line -> line.startsWith("-"))) {
            throw new IOException(file + " is cut off or damaged after " + blocks.size() + " whole PEM blocks");
        }
        return blocks;
    }
}

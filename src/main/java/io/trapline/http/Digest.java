package io.trapline.http;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;

/** The SHA-256 of a file in a header, as RFC 9530 has it. */
final class Digest {
    /** The header's name. */
    static final String HEADER = "Repr-Digest";

    private Digest() {}

    static MessageDigest begin() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("each Java platform has SHA-256", e);
        }
    }

    /** What the header says of all bytes that were given to this digest. */
    static String headerValue(MessageDigest digest) {
        return "sha-256=:" + Base64.getEncoder().encodeToString(digest.digest()) + ":";
    }
}

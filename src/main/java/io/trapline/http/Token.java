package io.trapline.http;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/** A bearer token: what a caller shows to be let in. */
final class Token {
    /** So that it can't be guessed: 16 random characters of base64 are 96 bits. */
    private static final int SHORTEST = 16;

    private static final String SCHEME = "Bearer ";

    private final String value;

    private Token(String value) {
        this.value = value;
    }

    /**
     * What a file holds, without blanks around it.
     *
     * @throws IOException when it can't be read or holds no token
     */
    static Token read(Path file) throws IOException {
        String value;
        try {
            value = Files.readString(file).strip();
        } catch (IOException e) {
            throw new IOException("the token file can't be read: " + e.getMessage(), e);
        }
        if (value.length() < SHORTEST || !value.chars().allMatch(c -> c > ' ' && c < 127)) {
            throw new IOException(file + " holds no token: that is one line of " + SHORTEST
                    + " or more printable ASCII characters without blanks; make one with: openssl rand -base64 32");
        }
        return new Token(value);
    }

    /** The header's value that shows it. */
    String authorization() {
        return SCHEME + value;
    }

    /** Whether that header's value shows it. Takes as long for a wrong one as for one that is almost right. */
    boolean isShownBy(String authorization) {
        return MessageDigest.isEqual(digest(authorization()), digest(authorization));
    }

    /** Of equal length for all, so that not even the token's length can be told by time. */
    private static byte[] digest(String text) {
        try {
            return MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("each Java platform has SHA-256", e);
        }
    }
}

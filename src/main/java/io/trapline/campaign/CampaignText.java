package io.trapline.campaign;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CoderResult;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;

/** Gets the text of a campaign file: UTF-8, of bounded size. */
final class CampaignText {
    /** The largest file that is read, in bytes; campaigns are a page or two. */
    static final int MAX_BYTES = 1 << 20;

    private CampaignText() {}

    /**
     * The text, whole and unchanged.
     *
     * @throws CampaignException when it can't be had; the problem's place is the file, and a line and column when it is
     *     about the contents
     */
    static String read(Path file) throws CampaignException {
        if (Files.isDirectory(file)) {
            throw refused(
                    file,
                    "is a directory; a campaign is one file",
                    "give a file in it, such as " + file.resolve("quick.yaml"));
        }
        // Read from a stream, not by size, so that pipes and endless devices are bounded too.
        try (InputStream in = Files.newInputStream(file)) {
            byte[] bytes = in.readNBytes(MAX_BYTES + 1);
            if (bytes.length > MAX_BYTES) {
                throw refused(file, "is larger than 1 MiB, the most that a campaign may have");
            }
            return decode(file, bytes);
        } catch (NoSuchFileException e) {
            throw refused(file, "there is no such file");
        } catch (AccessDeniedException e) {
            throw refused(file, "may not be read by this user");
        } catch (IOException e) {
            throw refused(file, "can't be read: " + e.getMessage());
        }
    }

    private static String decode(Path file, byte[] bytes) throws CampaignException {
        if (startsWith(bytes, 0xFE, 0xFF) || startsWith(bytes, 0xFF, 0xFE)) {
            throw refused(file, "begins with the byte-order mark of UTF-16", "save it as UTF-8");
        }
        CharsetDecoder decoder = StandardCharsets.UTF_8.newDecoder();
        ByteBuffer in = ByteBuffer.wrap(bytes);
        CharBuffer text = CharBuffer.allocate(bytes.length);
        CoderResult result = decoder.decode(in, text, true);
        text.flip();
        if (result.isError()) {
            Problems problems = new Problems(file.toString());
            problems.add(
                    endOf(text.toString()),
                    String.format("byte 0x%02x is not UTF-8", bytes[in.position()]),
                    "save the file as UTF-8");
            problems.throwIfAny();
        }
        return text.toString();
    }

    private static boolean startsWith(byte[] bytes, int first, int second) {
        return bytes.length >= 2 && (bytes[0] & 0xFF) == first && (bytes[1] & 0xFF) == second;
    }

    /** The place after the last character. */
    static Place endOf(String text) {
        int line = 1 + (int) text.chars().filter(c -> c == '\n').count();
        int start = text.lastIndexOf('\n') + 1;
        return new Place(line, 1 + text.codePointCount(start, text.length()));
    }

    private static CampaignException refused(Path file, String message, String... fix) {
        return new CampaignException(
                List.of(new Problem(file.toString(), message, Arrays.stream(fix).findFirst())));
    }
}

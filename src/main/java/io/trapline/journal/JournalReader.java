package io.trapline.journal;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * Reads a journal. A last line without its newline was being written when the run died: it is left out, and said so.
 * All else that is wrong is an error with the line's number.
 */
public final class JournalReader {
    private static final int SHOWN = 60;
    private static final byte[] RUN = "{\"type\":\"run\"".getBytes(StandardCharsets.US_ASCII);

    private static final ObjectReader ENTRIES = JournalJson.MAPPER.readerFor(JournalRecord.class);

    private final Path file;
    private final JournalBuilder journal = new JournalBuilder();

    private final ReadingLine reading = new ReadingLine();

    private JournalReader(Path file) {
        this.file = file;
    }

    /**
     * Reads a journal whole.
     *
     * @throws JournalException naming the file, the line and what is there, when it is no journal, is of a later format
     *     than {@link JournalRecord#FORMAT}, or contradicts itself
     * @throws IOException naming the file, when it can't be read
     */
    public static Journal read(Path file) throws IOException {
        try (Lines lines = Lines.of(file)) {
            return new JournalReader(file).read(lines);
        } catch (JournalException e) {
            throw e;
        } catch (IOException e) {
            throw new IOException("the journal can't be read: " + Failure.of(file, e), e);
        }
    }

    private Journal read(Lines lines) throws IOException {
        while (lines.next()) {
            try {
                if (!reading.addTo(journal, lines.bytes(), lines.from(), lines.length())) {
                    journal.add(entry(lines));
                }
            } catch (JsonProcessingException e) {
                throw bad(lines, "is no journal record (" + inWords(e) + ")", e);
            } catch (IllegalArgumentException e) {
                throw bad(lines, "can't be: " + e.getMessage(), e);
            }
        }
        if (lines.number() == 0) {
            throw new JournalException(
                    file + " is empty" + (lines.rest() > 0 ? " but for a line that was never finished" : "")
                            + ": no run was recorded in it");
        }
        return journal.build(torn(lines));
    }

    private static Optional<String> torn(Lines lines) {
        return lines.rest() == 0
                ? Optional.empty()
                : Optional.of("line " + (lines.number() + 1) + " of the journal was never finished; its " + lines.rest()
                        + " bytes are left out");
    }

    /** The parser's message, where in the record, and without its advice to programmers. */
    private static String inWords(JsonProcessingException e) {
        String field = e instanceof JsonMappingException m
                ? m.getPath().stream()
                        .map(JsonMappingException.Reference::getFieldName)
                        .filter(Objects::nonNull)
                        .collect(Collectors.joining("."))
                : "";
        String message = e.getOriginalMessage().replaceFirst(" \\(set Deser.*", "");
        return field.isEmpty() ? message : field + ": " + message;
    }

    private JournalException bad(Lines lines, String problem, Exception cause) {
        String text = new String(
                        lines.bytes(), lines.from(), Math.min(lines.length(), 4 * SHOWN), StandardCharsets.UTF_8)
                .replaceAll("\\p{Cntrl}", "?");
        String start = text.length() <= SHOWN ? text : text.substring(0, SHOWN) + "...";
        return new JournalException(file + ":" + lines.number() + ": this line " + problem + ": " + start, cause);
    }

    private JournalRecord entry(Lines lines) throws IOException {
        if (lines.number() == 1 || isRun(lines)) {
            JsonNode tree = JournalJson.MAPPER.readTree(lines.bytes(), lines.from(), lines.length());
            refuseLaterFormat(lines, tree);
            return ENTRIES.readValue(tree);
        }
        return ENTRIES.readValue(lines.bytes(), lines.from(), lines.length());
    }

    private static boolean isRun(Lines lines) {
        return lines.length() > RUN.length
                && Arrays.equals(RUN, 0, RUN.length, lines.bytes(), lines.from(), lines.from() + RUN.length);
    }

    /** Looks at the raw object: a later format may have fields that these records don't. */
    private void refuseLaterFormat(Lines lines, JsonNode tree) throws JournalException {
        JsonNode format = tree.path("format");
        if (format.isNumber() && format.asLong() > JournalRecord.FORMAT) {
            throw new JournalException(file + ":" + lines.number() + ": the journal is of format " + format.asText()
                    + ", written by trapline " + tree.path("version").asText("of an unknown version")
                    + "; this program reads formats up to " + JournalRecord.FORMAT
                    + ", so read it with that version or a later one");
        }
    }
}

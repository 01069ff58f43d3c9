package io.trapline.journal;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * The records of a block of lines, up to the first line that is none. What was said before is not needed to parse what
 * comes next, so blocks are parsed side by side, and then put together in order.
 */
final class ParsedBlock {
    private static final int SHOWN = 60;
    private static final byte[] RUN = "{\"type\":\"run\"".getBytes(StandardCharsets.US_ASCII);

    private static final ObjectReader ENTRIES = JournalJson.MAPPER.readerFor(JournalRecord.class);

    private final byte[] lines;
    private final List<JournalRecord> records;
    private final Optional<Wrong> wrong;

    private ParsedBlock(byte[] lines, List<JournalRecord> records, Optional<Wrong> wrong) {
        this.lines = lines;
        this.records = records;
        this.wrong = wrong;
    }

    /** One a line. */
    List<JournalRecord> records() {
        return records;
    }

    /** What is wrong with the line after the records; empty when all lines are good. */
    Optional<Wrong> wrong() {
        return wrong;
    }

    /**
     * A line that is no record.
     *
     * @param problem in words, which follow the line's place
     */
    record Wrong(String problem, Exception cause) {}

    /**
     * Parses a block.
     *
     * @param isFirst whether the journal begins with it
     */
    static ParsedBlock of(byte[] lines, boolean isFirst) {
        ReadingLine reading = new ReadingLine();
        List<JournalRecord> records = new ArrayList<>();
        int from = 0;
        for (int i = 0; i < lines.length; i++) {
            if (lines[i] != '\n') {
                continue;
            }
            int length = i - from;
            try {
                Optional<JournalRecord> plain = reading.read(lines, from, length);
                records.add(plain.isPresent() ? plain.get() : entry(lines, from, length, isFirst && records.isEmpty()));
            } catch (JournalException e) {
                return new ParsedBlock(lines, records, Optional.of(new Wrong(e.getMessage(), e)));
            } catch (IOException e) {
                String problem =
                        "this line is no journal record (" + inWords(e) + "): " + beginning(lines, from, length);
                return new ParsedBlock(lines, records, Optional.of(new Wrong(problem, e)));
            }
            from = i + 1;
        }
        return new ParsedBlock(lines, records, Optional.empty());
    }

    /** The beginning of the record's line, for messages. */
    String beginning(int record) {
        int from = 0;
        for (int line = 0; line < record; from++) {
            line += lines[from] == '\n' ? 1 : 0;
        }
        int to = from;
        while (lines[to] != '\n') {
            to++;
        }
        return beginning(lines, from, to - from);
    }

    private static String beginning(byte[] lines, int from, int length) {
        String text = new String(lines, from, Math.min(length, 4 * SHOWN), StandardCharsets.UTF_8)
                .replaceAll("\\p{Cntrl}", "?");
        return text.length() <= SHOWN ? text : text.substring(0, SHOWN) + "...";
    }

    private static JournalRecord entry(byte[] lines, int from, int length, boolean isFirst) throws IOException {
        if (!isFirst && !isRun(lines, from, length)) {
            return ENTRIES.readValue(lines, from, length);
        }
        JsonNode tree = JournalJson.MAPPER.readTree(lines, from, length);
        refuseLaterFormat(tree);
        return ENTRIES.readValue(tree);
    }

    private static boolean isRun(byte[] lines, int from, int length) {
        return length > RUN.length && Arrays.equals(RUN, 0, RUN.length, lines, from, from + RUN.length);
    }

    /** Looks at the raw object: a later format may have fields that these records don't. */
    private static void refuseLaterFormat(JsonNode tree) throws JournalException {
        JsonNode format = tree.path("format");
        if (format.isNumber() && format.asLong() > JournalRecord.FORMAT) {
            throw new JournalException("the journal is of format " + format.asText() + ", written by trapline "
                    + tree.path("version").asText("of an unknown version") + "; this program reads formats up to "
                    + JournalRecord.FORMAT + ", so read it with that version or a later one");
        }
    }

    /** The parser's message, where in the record, and without its advice to programmers. */
    private static String inWords(IOException e) {
        String field = e instanceof JsonMappingException m
                ? m.getPath().stream()
                        .map(JsonMappingException.Reference::getFieldName)
                        .filter(Objects::nonNull)
                        .collect(Collectors.joining("."))
                : "";
        String text = e instanceof JsonProcessingException p ? p.getOriginalMessage() : e.getMessage();
        String message = text.replaceFirst(" \\(set Deser.*", "");
        return field.isEmpty() ? message : field + ": " + message;
    }
}

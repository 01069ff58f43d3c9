package io.trapline.trigger;

import com.fasterxml.jackson.annotation.JsonSetter;
import com.fasterxml.jackson.annotation.Nulls;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectReader;
import com.fasterxml.jackson.databind.cfg.MutableConfigOverride;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.datatype.jdk8.Jdk8Module;
import java.nio.charset.StandardCharsets;

/**
 * Reads the trigger's lines. A type that isn't known is an error, because something was said that nobody heard; a
 * field that isn't known is passed over, so that a later trigger of the same protocol version may say more. Not for use
 * by several threads at once.
 */
final class ReplyReader {
    private static final int SHOWN = 200;

    private static final ObjectReader JSON = JsonMapper.builder()
            .addModule(new Jdk8Module())
            .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
            .enable(DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES)
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .withConfigOverride(String.class, ReplyReader::mustBeGiven)
            .withConfigOverride(long[].class, ReplyReader::mustBeGiven)
            .build()
            .readerFor(Reply.class);

    private final PlainScanner scanner = new PlainScanner();
    private final IntervalLine interval = new IntervalLine(scanner);

    private static void mustBeGiven(MutableConfigOverride type) {
        type.setSetterInfo(JsonSetter.Value.forValueNulls(Nulls.FAIL));
    }

    /**
     * One line.
     *
     * @throws TriggerException with the beginning of a line that is no reply
     */
    Reply read(String line) throws TriggerException {
        byte[] bytes = line.getBytes(StandardCharsets.UTF_8);
        scanner.begin(bytes, 0, bytes.length);
        if (interval.read() && scanner.atEnd()) {
            return interval.reading();
        }
        try {
            return JSON.readValue(line);
        } catch (JsonProcessingException e) {
            String shown = line.length() > SHOWN ? line.substring(0, SHOWN) + "..." : line;
            throw new TriggerException(shown + " (" + e.getOriginalMessage() + ")");
        }
    }
}

package io.trapline.journal;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.deser.std.FromStringDeserializer;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.module.SimpleModule;
import com.fasterxml.jackson.databind.ser.std.ToStringSerializer;
import com.fasterxml.jackson.datatype.jdk8.Jdk8Module;
import java.io.IOException;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.function.Function;

/**
 * How a record looks as JSON: absent values are left out, instants and durations are ISO texts. Reading is strict: an
 * unknown field, or a missing one that is not optional, is an error and never a 0.
 */
final class JournalJson {
    /** Safe to share: no one changes its settings. */
    static final ObjectMapper MAPPER = mapper();

    private JournalJson() {}

    private static ObjectMapper mapper() {
        SimpleModule times = new SimpleModule()
                .addSerializer(Instant.class, ToStringSerializer.instance)
                .addDeserializer(Instant.class, new Text<>(Instant.class, Instant::parse))
                .addSerializer(Duration.class, ToStringSerializer.instance)
                .addDeserializer(Duration.class, new Text<>(Duration.class, Duration::parse));
        return JsonMapper.builder()
                .addModules(new Jdk8Module(), times)
                .defaultPropertyInclusion(
                        JsonInclude.Value.construct(JsonInclude.Include.NON_ABSENT, JsonInclude.Include.ALWAYS))
                .enable(DeserializationFeature.FAIL_ON_NULL_CREATOR_PROPERTIES)
                .enable(DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES)
                .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
                .disable(JsonGenerator.Feature.AUTO_CLOSE_TARGET)
                .disable(JsonParser.Feature.AUTO_CLOSE_SOURCE)
                .build();
    }

    /** A value that is a text. */
    private static final class Text<T> extends FromStringDeserializer<T> {
        private static final long serialVersionUID = 1L;

        private final transient Function<String, T> parse;

        Text(Class<T> type, Function<String, T> parse) {
            super(type);
            this.parse = parse;
        }

        @Override
        protected T _deserialize(String text, DeserializationContext context) throws IOException {
            try {
                return parse.apply(text);
            } catch (DateTimeException e) {
                throw context.weirdStringException(text, handledType(), e.getMessage());
            }
        }
    }
}

package io.trapline.http;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.deser.std.FromStringDeserializer;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.module.SimpleModule;
import com.fasterxml.jackson.databind.ser.std.ToStringSerializer;
import com.fasterxml.jackson.datatype.jdk8.Jdk8Module;
import java.time.Instant;

/**
 * How values look on the wire: absent ones are left out, instants are ISO texts. A reader passes over fields that it
 * does not know, so that an older client can talk to a newer coordinator.
 */
final class Json {
    private static final JsonMapper MAPPER = JsonMapper.builder()
            .addModules(
                    new Jdk8Module(),
                    new SimpleModule()
                            .addSerializer(Instant.class, ToStringSerializer.instance)
                            .addDeserializer(Instant.class, new InstantText()))
            .defaultPropertyInclusion(
                    JsonInclude.Value.construct(JsonInclude.Include.NON_ABSENT, JsonInclude.Include.ALWAYS))
            .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
            .build();

    private Json() {}

    static byte[] bytes(Object value) {
        try {
            return MAPPER.writeValueAsBytes(value);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("views are plain values", e);
        }
    }

    static String text(Object value) {
        try {
            return MAPPER.writeValueAsString(value);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("views are plain values", e);
        }
    }

    /**
     * @throws JsonProcessingException when the text is not such a value
     */
    static <T> T read(String text, TypeReference<T> type) throws JsonProcessingException {
        return MAPPER.readValue(text, type);
    }

    private static final class InstantText extends FromStringDeserializer<Instant> {
        private static final long serialVersionUID = 1L;

        InstantText() {
            super(Instant.class);
        }

        @Override
        protected Instant _deserialize(String text, DeserializationContext context) {
            return Instant.parse(text);
        }
    }
}

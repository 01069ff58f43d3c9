package io.trapline.cli;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.datatype.jdk8.Jdk8Module;
import io.trapline.host.HostProfile;

/** A host's profile as one JSON object, with the names that its journal record has. */
final class HostJson {
    private HostJson() {}

    static String of(HostProfile profile) {
        JsonMapper mapper = JsonMapper.builder()
                .addModule(new Jdk8Module())
                .enable(SerializationFeature.INDENT_OUTPUT)
                .defaultPropertyInclusion(
                        JsonInclude.Value.construct(JsonInclude.Include.NON_ABSENT, JsonInclude.Include.ALWAYS))
                .build();
        try {
            return mapper.writeValueAsString(profile);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("a profile is plain values", e);
        }
    }
}

package io.trapline.http;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;

/** An OpenAPI 3 document, as far as the coordinator's goes. */
record OpenApi(JsonNode root) {
    private static final ObjectMapper JSON = new ObjectMapper();

    static OpenApi parse(String yaml) {
        return new OpenApi(JSON.valueToTree(new Load(LoadSettings.builder().build()).loadFromString(yaml)));
    }

    /** One documented answer. */
    record Answer(String method, String path, int status) {}

    /** All documented answers. */
    List<Answer> answers() {
        List<Answer> answers = new ArrayList<>();
        root.get("paths")
                .properties()
                .forEach(path -> path.getValue().properties().stream()
                        .filter(operation -> !operation.getKey().equals("parameters"))
                        .forEach(operation -> operation
                                .getValue()
                                .get("responses")
                                .fieldNames()
                                .forEachRemaining(status -> answers.add(new Answer(
                                        operation.getKey().toUpperCase(java.util.Locale.ROOT),
                                        path.getKey(),
                                        Integer.parseInt(status))))));
        return answers;
    }

    /** Whether the operation is answered without a token. */
    boolean isOpen(Answer answer) {
        JsonNode security = operation(answer).get("security");
        return security != null && security.isEmpty();
    }

    /** What is wrong with a body, given what the answer documents; nothing when all is right. */
    List<String> check(Answer answer, String contentType, String body) throws Exception {
        JsonNode content = resolve(operation(answer).get("responses").get(Integer.toString(answer.status())))
                .get("content");
        String mediaType = contentType.replaceFirst("\\s*;.*", "");
        if (!content.has(mediaType)) {
            return List.of(mediaType + " is not documented");
        }
        boolean json = mediaType.equals("application/json");
        return json ? problems(JSON.readTree(body), content.get(mediaType).get("schema"), "$") : List.of();
    }

    /** What is wrong with a value, given a schema of the document. */
    List<String> check(String schema, String json) throws Exception {
        return problems(
                JSON.readTree(json), root.get("components").get("schemas").get(schema), "$");
    }

    private JsonNode operation(Answer answer) {
        return root.get("paths").get(answer.path()).get(answer.method().toLowerCase(java.util.Locale.ROOT));
    }

    private JsonNode resolve(JsonNode node) {
        return node.has("$ref") ? root.at(node.get("$ref").asText().substring(1)) : node;
    }

    private List<String> problems(JsonNode value, JsonNode unresolved, String place) {
        JsonNode schema = resolve(unresolved);
        if (schema.has("oneOf")) {
            return oneOf(value, schema.get("oneOf"), place);
        }
        List<String> problems = new ArrayList<>();
        String type = schema.get("type").asText();
        if (!isOf(type, value)) {
            problems.add(place + " is no " + type + ": " + value);
        } else if (schema.has("enum") && !contains(schema.get("enum"), value)) {
            problems.add(place + " is none of " + schema.get("enum") + ": " + value);
        } else if (type.equals("array")) {
            value.forEach(item -> problems.addAll(problems(item, schema.get("items"), place + "[]")));
        } else if (schema.has("properties")) {
            properties(value, schema, place, problems);
        }
        return problems;
    }

    private void properties(JsonNode value, JsonNode schema, String place, List<String> problems) {
        Set<String> missing = new TreeSet<>();
        Optional.ofNullable(schema.get("required")).ifPresent(r -> r.forEach(name -> missing.add(name.asText())));
        for (Map.Entry<String, JsonNode> field : value.properties()) {
            missing.remove(field.getKey());
            JsonNode documented = schema.get("properties").get(field.getKey());
            if (documented == null) {
                problems.add(place + "." + field.getKey() + " is not documented");
            } else {
                problems.addAll(problems(field.getValue(), documented, place + "." + field.getKey()));
            }
        }
        missing.forEach(name -> problems.add(place + "." + name + " is missing"));
    }

    private List<String> oneOf(JsonNode value, JsonNode choices, String place) {
        List<String> best = List.of(place + " is none of the choices: " + value);
        for (JsonNode choice : choices) {
            List<String> problems = problems(value, choice, place);
            if (problems.isEmpty()) {
                return problems;
            }
        }
        return best;
    }

    private static boolean contains(JsonNode allowed, JsonNode value) {
        for (JsonNode one : allowed) {
            if (one.equals(value)) {
                return true;
            }
        }
        return false;
    }

    private static boolean isOf(String type, JsonNode value) {
        return switch (type) {
            case "object" -> value.isObject();
            case "array" -> value.isArray();
            case "string" -> value.isTextual();
            case "integer" -> value.isIntegralNumber();
            case "number" -> value.isNumber();
            case "boolean" -> value.isBoolean();
            default -> throw new IllegalArgumentException(type);
        };
    }
}

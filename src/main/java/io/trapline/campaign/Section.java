package io.trapline.campaign;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.snakeyaml.engine.v2.nodes.MappingNode;
import org.snakeyaml.engine.v2.nodes.NodeTuple;
import org.snakeyaml.engine.v2.nodes.ScalarNode;

/** A mapping of the file: known keys, each at most once. What is wrong is noted when it is read. */
final class Section {
    private final String name;
    private final Place place;
    private final Map<String, Value> values = new LinkedHashMap<>();
    private final Problems problems;
    private boolean unreadable;

    /** A section that the file leaves out. */
    private Section(String name, Place place, Problems problems) {
        this.name = name;
        this.place = place;
        this.problems = problems;
    }

    /**
     * Reads a mapping's keys.
     *
     * @param value what should be a mapping; if it is not, that is noted and the section is empty
     * @param known the keys that it may have
     */
    static Section of(Value value, List<String> known, Problems problems) {
        Section section = new Section(value.name(), value.place(), problems);
        value.mapping(known).ifPresentOrElse(node -> section.fill(node, known), () -> section.unreadable = true);
        return section;
    }

    private void fill(MappingNode mapping, List<String> known) {
        for (NodeTuple entry : mapping.getValue()) {
            Place at = Place.of(entry.getKeyNode());
            if (!(entry.getKeyNode() instanceof ScalarNode scalar)) {
                problems.add(at, "a key must be a word; known" + there() + " are " + String.join(", ", known));
            } else if (!known.contains(scalar.getValue())) {
                unknown(at, scalar.getValue(), known);
            } else {
                put(scalar.getValue(), new Value(qualified(scalar.getValue()), entry.getValueNode(), at, problems));
            }
        }
    }

    private void put(String key, Value value) {
        Value first = values.putIfAbsent(key, value);
        if (first != null) {
            problems.add(
                    value.keyPlace(),
                    qualified(key) + " is given a second time, first at " + problems.spell(first.keyPlace()),
                    "keep one of them");
        }
    }

    private void unknown(Place at, String key, List<String> known) {
        String message = "unknown key " + Quoted.of(key) + there() + "; known are "
                + String.join(", ", Keys.inOrder(key, known));
        Optional<String> meant = Keys.meant(key, known);
        if (key.equals("<<")) {
            problems.add(at, "YAML 1.2 has no merge key <<", "write the keys out, or use an alias for a whole value");
        } else if (meant.isPresent()) {
            problems.add(at, message, "did you mean " + meant.get() + "?");
        } else {
            problems.add(at, message);
        }
    }

    /** Where it begins; for one that is left out, where it would belong. */
    Place place() {
        return place;
    }

    /** Where a key's value begins, or the section if the key is left out. */
    Place place(String key) {
        return Optional.ofNullable(values.get(key)).map(Value::place).orElse(place);
    }

    /** Notes that what a key says does not fit the section's other keys. */
    void refuse(String key, String message, String fix) {
        problems.add(place(key), name + ": " + message, fix);
    }

    /** Whether the key is there. */
    boolean has(String key) {
        return values.containsKey(key);
    }

    /**
     * A value that must be there.
     *
     * @param example how it could look
     * @param how reads it; empty after a problem was noted
     */
    <T> Optional<T> required(String key, String example, Function<Value, Optional<T>> how) {
        if (!has(key) && !unreadable) {
            problems.add(place, qualified(key) + " is missing", "add " + key + ": " + example);
        }
        return optional(key, how);
    }

    /** A text that must be there and can only be this one. */
    void constant(String key, String only) {
        required(key, only, value -> {
            Optional<String> read = value.text();
            if (read.isPresent() && !read.get().equals(only)) {
                value.refuse("is " + Quoted.of(read.get()) + "; this version reads only " + only);
            }
            return read;
        });
    }

    /** A value that may be left out. */
    <T> Optional<T> orDefault(String key, T byDefault, Function<Value, Optional<T>> how) {
        return has(key) ? optional(key, how) : Optional.of(byDefault);
    }

    /** A value that may be left out; empty then, and after a problem was noted. */
    <T> Optional<T> optional(String key, Function<Value, Optional<T>> how) {
        return Optional.ofNullable(values.get(key)).flatMap(how);
    }

    /** A section inside this one; empty if it is left out. */
    Section section(String key, List<String> known) {
        if (has(key)) {
            return of(values.get(key), known, problems);
        }
        Section leftOut = new Section(qualified(key), place, problems);
        leftOut.unreadable = unreadable;
        return leftOut;
    }

    /** The section's name and the key's: {@code spec.timing.rounds}. */
    private String qualified(String key) {
        return name.isEmpty() ? key : name + "." + key;
    }

    private String there() {
        return name.isEmpty() ? "" : " in " + name;
    }
}

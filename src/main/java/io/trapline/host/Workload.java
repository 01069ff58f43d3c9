package io.trapline.host;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * An operation that a thread repeats. The table of them is {@code src/main/c/workloads.def}, which the trigger is
 * compiled from and this class reads.
 *
 * @param name as in campaign files and reports
 * @param operation what one operation is, in words
 */
public record Workload(String name, Kind kind, String operation) {

    /** What a workload is made of, and so which choices of {@link Method} it has. */
    public enum Kind {
        BASELINE,
        UPROBE,
        URETPROBE,
        SIGNAL,
        ALTSTACK;

        /** Whether a probe is attached. */
        public boolean isProbe() {
            return this == UPROBE || this == URETPROBE;
        }

        /** Whether a signal is delivered. */
        public boolean isSignal() {
            return this == SIGNAL || this == ALTSTACK;
        }
    }

    private static final Pattern LINE =
            Pattern.compile("^WORKLOAD\\(\"([^\"]+)\", ([A-Z]+), [a-z0-9]+, \"([^\"]+)\"\\)$", Pattern.MULTILINE);

    private static final List<Workload> ALL = read();

    /** All workloads, in the table's order. */
    public static List<Workload> all() {
        return ALL;
    }

    /** The workload of that name. */
    public static Optional<Workload> find(String name) {
        return ALL.stream().filter(w -> w.name.equals(name)).findFirst();
    }

    /**
     * The workload of that name.
     *
     * @throws IllegalArgumentException when there is none
     */
    @JsonCreator(mode = JsonCreator.Mode.DELEGATING)
    public static Workload named(String name) {
        return find(name).orElseThrow(() -> new IllegalArgumentException("no workload is named \"" + name + "\""));
    }

    @JsonValue
    @Override
    public String toString() {
        return name;
    }

    private static List<Workload> read() {
        try (InputStream in = Workload.class.getResourceAsStream("/workloads.def")) {
            if (in == null) {
                throw new IllegalStateException("the table workloads.def is missing from the program");
            }
            String table = new String(in.readAllBytes(), StandardCharsets.UTF_8);
            return LINE.matcher(table)
                    .results()
                    .map(m -> new Workload(m.group(1), Kind.valueOf(m.group(2)), m.group(3)))
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException("the table workloads.def can't be read", e);
        }
    }
}

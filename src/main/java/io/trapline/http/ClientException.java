package io.trapline.http;

import java.util.List;

/** A coordinator that could not be asked, or that refused. */
public final class ClientException extends Exception {
    private static final long serialVersionUID = 1L;

    private final Kind kind;
    private final transient List<String> lines;

    ClientException(Kind kind, List<String> lines) {
        super(String.join("\n", lines));
        this.kind = kind;
        this.lines = List.copyOf(lines);
    }

    ClientException(Kind kind, String... lines) {
        this(kind, List.of(lines));
    }

    /** What is to be done about it differs by this. */
    public enum Kind {
        /** Nobody answers there, or the coordinator behind it does not. */
        NO_CONNECTION,
        /** The coordinator answered, and would not. */
        REFUSED,
        /** There is no such run or file. */
        NOT_FOUND,
        /** Something answered that is no coordinator, or the answer arrived damaged. */
        BAD_ANSWER
    }

    public Kind kind() {
        return kind;
    }

    /** For people: what, why, and what to do, a line each. */
    public List<String> lines() {
        return lines;
    }
}

package io.trapline.cli;

import java.util.Arrays;

/** How every command ends. */
enum ExitCode {
    FINE(0),
    BAD_INPUT(1),
    DEADLINE(2),
    GATE(3),
    INCOMPLETE(4),
    NO_HOSTS(5);

    private final int code;

    ExitCode(int code) {
        this.code = code;
    }

    /** The one of that number. */
    static ExitCode of(int code) {
        return Arrays.stream(values()).filter(c -> c.code == code).findFirst().orElseThrow();
    }

    int code() {
        return code;
    }
}

package io.trapline.cli;

import java.util.List;

/** A command that can't do what it was asked, for a reason that people can mend. */
final class CommandFailure extends Exception {
    private static final long serialVersionUID = 1L;

    private final ExitCode exitCode;
    private final transient List<String> lines;

    CommandFailure(ExitCode exitCode, List<String> lines) {
        super(String.join("\n", lines));
        this.exitCode = exitCode;
        this.lines = List.copyOf(lines);
    }

    CommandFailure(ExitCode exitCode, String line) {
        this(exitCode, List.of(line));
    }

    ExitCode exitCode() {
        return exitCode;
    }

    /** One problem each. */
    List<String> lines() {
        return lines;
    }
}

package io.trapline.cli;

import io.trapline.http.ClientException;
import io.trapline.trigger.TriggerException;
import java.io.IOException;
import java.io.PrintWriter;
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

    /** A host that can't be had, or not in time. */
    static CommandFailure of(TriggerException e) {
        return new CommandFailure(e.isLate() ? ExitCode.DEADLINE : ExitCode.BAD_INPUT, e.getMessage());
    }

    /** A coordinator that can't be asked, or would not. */
    static CommandFailure of(ClientException e) {
        boolean away = e.kind() == ClientException.Kind.NO_CONNECTION;
        return new CommandFailure(away ? ExitCode.NO_HOSTS : ExitCode.BAD_INPUT, e.lines());
    }

    /** What a file's failure comes down to; the journal's own messages name the file and the way out. */
    static CommandFailure of(IOException e) {
        return new CommandFailure(ExitCode.BAD_INPUT, e.getMessage());
    }

    ExitCode exitCode() {
        return exitCode;
    }

    /** One problem a line. */
    List<String> lines() {
        return lines;
    }

    /** Tells people: one problem a line. */
    void print(PrintWriter err) {
        lines.forEach(line -> err.println("trapline: " + line));
        err.flush();
    }
}

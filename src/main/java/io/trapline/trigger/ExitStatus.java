package io.trapline.trigger;

import java.util.Map;

/** Names how a process ended. */
public final class ExitStatus {
    /** The signals that end a process by itself or by others; the numbers are those of x86 and arm64. */
    private static final Map<Integer, String> SIGNALS = Map.ofEntries(
            Map.entry(1, "SIGHUP"),
            Map.entry(2, "SIGINT"),
            Map.entry(3, "SIGQUIT"),
            Map.entry(4, "SIGILL"),
            Map.entry(5, "SIGTRAP"),
            Map.entry(6, "SIGABRT"),
            Map.entry(7, "SIGBUS"),
            Map.entry(8, "SIGFPE"),
            Map.entry(9, "SIGKILL"),
            Map.entry(11, "SIGSEGV"),
            Map.entry(13, "SIGPIPE"),
            Map.entry(14, "SIGALRM"),
            Map.entry(15, "SIGTERM"),
            Map.entry(24, "SIGXCPU"),
            Map.entry(25, "SIGXFSZ"),
            Map.entry(31, "SIGSYS"));

    private ExitStatus() {}

    /** What {@link Process#exitValue} means: it gives 128 plus the number of a signal. */
    public static String describe(int status) {
        String signal = SIGNALS.get(status - 128);
        return signal == null ? "ended with status " + status : "ended by " + signal + " (status " + status + ")";
    }
}

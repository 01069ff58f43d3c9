package io.trapline.cli;

import java.time.Instant;
import java.util.OptionalInt;

/** What this process was started with. */
final class Terminal {
    private Terminal() {}

    /** The width of the terminal that standard error is; empty when it is none. The launcher knows and says so. */
    static OptionalInt columns() {
        Integer columns = Integer.getInteger("trapline.columns");
        return columns == null ? OptionalInt.empty() : OptionalInt.of(columns);
    }

    /** When this process began. */
    static Instant started() {
        return ProcessHandle.current().info().startInstant().orElseGet(Instant::now);
    }
}

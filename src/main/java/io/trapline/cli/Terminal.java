package io.trapline.cli;

import java.time.Instant;
import java.util.Optional;
import java.util.OptionalInt;

/** What this process was started with. */
final class Terminal {
    private Terminal() {}

    /** The width of the terminal that standard error is; empty when it is none. The launcher knows and says so. */
    static OptionalInt columns() {
        Integer columns = Integer.getInteger("trapline.columns");
        return columns == null ? OptionalInt.empty() : OptionalInt.of(columns);
    }

    /** When the command was given, as the launcher noted it; without a launcher, when this process began. */
    static Instant started() {
        return Optional.ofNullable(System.getProperty("trapline.started"))
                .map(seconds -> Instant.ofEpochMilli((long) (Double.parseDouble(seconds) * 1000)))
                .or(() -> ProcessHandle.current().info().startInstant())
                .orElseGet(Instant::now);
    }
}

package io.trapline.trigger;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;

/** A trigger that misbehaves as a test wants it. */
public final class Script {
    private Script() {}

    /** Writes an executable shell script. */
    public static Path in(Path directory, String body) throws IOException {
        Path script = directory.resolve("trigger.sh");
        Files.writeString(script, "#!/bin/sh\n" + body + "\n");
        return Files.setPosixFilePermissions(script, PosixFilePermissions.fromString("rwxr-xr-x"));
    }
}

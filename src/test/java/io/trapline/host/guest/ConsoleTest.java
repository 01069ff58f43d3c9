package io.trapline.host.guest;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ConsoleTest {
    @TempDir
    private Path directory;

    @Test
    void whatAGuestHasLeftIsKept() throws Exception {
        Path wanted = directory.resolve("console-a.b.log");
        assertThat(Console.unused(wanted).file()).isEqualTo(wanted);
        Files.writeString(wanted, "");
        assertThat(Console.unused(wanted).file()).isEqualTo(wanted);
        Files.writeString(wanted, "Linux version\n");
        Path second = directory.resolve("console-a.b.2.log");
        assertThat(Console.unused(wanted).file()).isEqualTo(second);
        Files.writeString(second, "Linux version\n");
        assertThat(Console.unused(wanted).file()).isEqualTo(directory.resolve("console-a.b.3.log"));
        assertThat(wanted).hasContent("Linux version");
    }
}

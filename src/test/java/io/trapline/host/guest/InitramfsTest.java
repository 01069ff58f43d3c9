package io.trapline.host.guest;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class InitramfsTest {
    /** An entry as the kernel would read it. */
    private record Entry(String name, int mode, int device, String content) {}

    @Test
    void holdsTheTriggerAsInitAndAConsole(@TempDir Path directory) throws IOException {
        for (String program : List.of("", "a", "ab", "abc", "abcd")) {
            Path trigger = Files.writeString(directory.resolve("trigger"), program);
            Initramfs.write(trigger, directory.resolve("initramfs"));
            assertThat(read(Files.readString(directory.resolve("initramfs"), StandardCharsets.ISO_8859_1)))
                    .containsExactly(
                            new Entry("dev", 0040755, 0, ""),
                            new Entry("dev/console", 0020600, 0x501, ""),
                            new Entry("init", 0100755, 0, program));
        }
    }

    private static List<Entry> read(String archive) {
        List<Entry> entries = new ArrayList<>();
        int at = 0;
        while (true) {
            assertThat(archive.substring(at, at + 6)).isEqualTo("070701");
            int size = field(archive, at, 6);
            int nameSize = field(archive, at, 11);
            String name = archive.substring(at + 110, at + 110 + nameSize - 1);
            int content = aligned(at + 110 + nameSize);
            if (name.equals("TRAILER!!!")) {
                assertThat(archive).hasSize(content);
                return entries;
            }
            entries.add(new Entry(
                    name,
                    field(archive, at, 1),
                    field(archive, at, 9) << 8 | field(archive, at, 10),
                    archive.substring(content, content + size)));
            at = aligned(content + size);
        }
    }

    private static int field(String archive, int entry, int index) {
        int at = entry + 6 + 8 * index;
        return Integer.parseInt(archive.substring(at, at + 8), 16);
    }

    private static int aligned(int offset) {
        return (offset + 3) & ~3;
    }
}

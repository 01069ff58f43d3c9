package io.trapline.host.guest;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;

/** The first root file system of a guest: the trigger as {@code /init}, and a console for its last words. */
final class Initramfs {
    private static final int FILE = 0100755;
    private static final int DIRECTORY = 0040755;
    private static final int CHARACTER_DEVICE = 0020600;
    private static final int CONSOLE_MAJOR = 5;
    private static final int CONSOLE_MINOR = 1;

    private Initramfs() {}

    /** Writes it in cpio's "newc" form (Documentation/driver-api/early-userspace/buffer-format.rst). */
    static void write(Path trigger, Path to) throws IOException {
        try (OutputStream out = Files.newOutputStream(to)) {
            entry(out, "dev", DIRECTORY, 0, 0, new byte[0]);
            entry(out, "dev/console", CHARACTER_DEVICE, CONSOLE_MAJOR, CONSOLE_MINOR, new byte[0]);
            entry(out, "init", FILE, 0, 0, Files.readAllBytes(trigger));
            entry(out, "TRAILER!!!", 0, 0, 0, new byte[0]);
        }
    }

    private static void entry(OutputStream out, String name, int mode, int major, int minor, byte[] content)
            throws IOException {
        int[] fields = {0, mode, 0, 0, 1, 0, content.length, 0, 0, major, minor, name.length() + 1, 0};
        StringBuilder header = new StringBuilder("070701");
        for (int field : fields) {
            header.append(String.format(Locale.ROOT, "%08x", field));
        }
        ByteArrayOutputStream head = new ByteArrayOutputStream();
        head.write(header.append(name).append('\0').toString().getBytes(StandardCharsets.US_ASCII));
        out.write(padded(head.toByteArray()));
        out.write(padded(content));
    }

    /** The next entry, or an entry's content, begins at a multiple of four. */
    private static byte[] padded(byte[] bytes) {
        return java.util.Arrays.copyOf(bytes, (bytes.length + 3) & ~3);
    }
}

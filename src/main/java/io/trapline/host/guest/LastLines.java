package io.trapline.host.guest;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SeekableByteChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** The end of a log. */
final class LastLines {
    private static final int READ = 16384;

    private LastLines() {}

    /** At most so many lines, without blank ones and control characters; one line that says so when there are none. */
    static String of(Path log, int most) {
        try (SeekableByteChannel channel = Files.newByteChannel(log)) {
            ByteBuffer end = ByteBuffer.allocate((int) Math.min(READ, channel.size()));
            channel.position(channel.size() - end.capacity());
            while (end.hasRemaining() && channel.read(end) >= 0) {
                // until it is full
            }
            List<String> lines = new String(end.array(), 0, end.position(), StandardCharsets.UTF_8)
                    .lines()
                    .map(line -> line.replaceAll("\\p{Cntrl}", ""))
                    .filter(line -> !line.isBlank())
                    .toList();
            return lines.isEmpty()
                    ? "(nothing)"
                    : String.join("\n", lines.subList(Math.max(0, lines.size() - most), lines.size()));
        } catch (IOException e) {
            return "(" + log + " can't be read: " + e.getMessage() + ")";
        }
    }
}

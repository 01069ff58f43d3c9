package io.trapline.cluster;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.datatype.jdk8.Jdk8Module;
import io.trapline.trigger.Reply;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/**
 * The records of one origin on a worker's disk: the origin, then a record a line, in order from number 0. A record that
 * was appended outlives the worker's process; with the attempt's last one all of them outlive its machine.
 */
final class OutboxFile {
    private static final String SUFFIX = ".jsonl";

    private static final ObjectMapper JSON = JsonMapper.builder()
            .addModule(new Jdk8Module())
            .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
            .build();

    private final Path path;

    private OutboxFile(Path path) {
        this.path = path;
    }

    /** What an earlier worker left. */
    record Kept(OutboxFile file, Origin origin, List<Reply.OfTrial> replies) {}

    /**
     * A new file for that origin.
     *
     * @throws IOException naming the file
     */
    static OutboxFile create(Path directory, Origin origin) throws IOException {
        OutboxFile file = new OutboxFile(directory.resolve(UUID.randomUUID() + SUFFIX));
        file.write(JSON.writeValueAsBytes(origin), false);
        return file;
    }

    /**
     * All that earlier workers left in a directory, which is made if need be. A file without a whole first line was being
     * made when its worker died, and is removed.
     *
     * @throws IOException naming the file that can't be read
     */
    static List<Kept> all(Path directory) throws IOException {
        List<Kept> all = new ArrayList<>();
        Files.createDirectories(directory);
        try (DirectoryStream<Path> files = Files.newDirectoryStream(directory, "*" + SUFFIX)) {
            for (Path path : files) {
                List<String> lines = wholeLines(path);
                if (lines.isEmpty()) {
                    Files.delete(path);
                } else {
                    all.add(read(path, lines));
                }
            }
        }
        return all;
    }

    private static Kept read(Path path, List<String> lines) throws IOException {
        try {
            Origin origin = JSON.readValue(lines.get(0), Origin.class);
            List<Reply.OfTrial> replies = new ArrayList<>();
            for (String line : lines.subList(1, lines.size())) {
                replies.add(JSON.readValue(line, Reply.OfTrial.class));
            }
            return new Kept(new OutboxFile(path), origin, replies);
        } catch (JsonProcessingException e) {
            throw new IOException(path + ": these are no records of a worker (" + e.getOriginalMessage()
                    + "); move the file away to start without them");
        }
    }

    /** A last line without its end was being written when the worker died. */
    private static List<String> wholeLines(Path path) throws IOException {
        String text = Files.readString(path);
        return text.substring(0, text.lastIndexOf('\n') + 1).lines().toList();
    }

    /**
     * Appends a record.
     *
     * @param last whether to return only when all records are on the disk
     * @throws IOException naming the file
     */
    void append(Reply.OfTrial reply, boolean last) throws IOException {
        write(JSON.writerFor(Reply.class).writeValueAsBytes(reply), last);
    }

    private void write(byte[] line, boolean sync) throws IOException {
        ByteBuffer rest =
                ByteBuffer.allocate(line.length + 1).put(line).put((byte) '\n').flip();
        try (FileChannel channel = FileChannel.open(
                path, StandardOpenOption.CREATE, StandardOpenOption.WRITE, StandardOpenOption.APPEND)) {
            while (rest.hasRemaining()) {
                channel.write(rest);
            }
            if (sync) {
                channel.force(true);
            }
        } catch (IOException e) {
            throw new IOException(path + " can't be written: " + e.getMessage(), e);
        }
    }

    /** The records are not needed any more. */
    void delete() throws IOException {
        Files.deleteIfExists(path);
    }
}

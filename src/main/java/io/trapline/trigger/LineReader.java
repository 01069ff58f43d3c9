package io.trapline.trigger;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/** Lines of a stream, none of them longer than a limit: the program at the other end may be any. */
final class LineReader implements AutoCloseable {
    private final InputStream in;
    private final int limit;

    /** Lines of at most so many bytes. */
    LineReader(InputStream in, int limit) {
        this.in = new BufferedInputStream(in);
        this.limit = limit;
    }

    /**
     * The next line without its end; empty at the end of the stream. A last line without an end was torn by it and is
     * left out.
     *
     * @throws IOException for a line above the limit
     */
    Optional<String> next() throws IOException {
        ByteArrayOutputStream line = new ByteArrayOutputStream();
        for (int c = in.read(); c != -1; c = in.read()) {
            if (c == '\n') {
                return Optional.of(line.toString(StandardCharsets.UTF_8));
            }
            if (line.size() == limit) {
                throw new IOException("a line that has no end within " + limit + " bytes");
            }
            line.write(c);
        }
        return Optional.empty();
    }

    @Override
    public void close() throws IOException {
        in.close();
    }
}

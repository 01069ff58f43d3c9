package io.trapline.http;

import com.fasterxml.jackson.core.type.TypeReference;
import java.io.BufferedReader;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Server-sent events being read. A stream that is silent for thrice the server's heartbeat is taken for dead. */
final class EventStream implements Closeable {
    private static final Logger LOG = LoggerFactory.getLogger(EventStream.class);
    private static final long SILENCE_S = 30;

    private final InputStream body;
    private final BufferedReader lines;
    private final ScheduledExecutorService watchdog = Executors.newSingleThreadScheduledExecutor(task -> {
        Thread thread = new Thread(task, "event-stream-watchdog");
        thread.setDaemon(true);
        return thread;
    });

    EventStream(InputStream body) {
        this.body = body;
        this.lines = new BufferedReader(new InputStreamReader(body, StandardCharsets.UTF_8));
    }

    /** An event and its id. */
    record Told(String id, ApiEvent event) {}

    /**
     * Waits for the next event; empty when the stream has ended.
     *
     * @throws IOException when the connection is lost
     */
    Optional<Told> next() throws IOException {
        String id = "";
        for (String line = line(); line != null; line = line()) {
            if (line.startsWith("id: ")) {
                id = line.substring("id: ".length());
            } else if (line.startsWith("data: ")) {
                return Optional.of(
                        new Told(id, Json.read(line.substring("data: ".length()), new TypeReference<>() {})));
            }
        }
        return Optional.empty();
    }

    private String line() throws IOException {
        ScheduledFuture<?> silence = watchdog.schedule(this::closeBody, SILENCE_S, TimeUnit.SECONDS);
        try {
            return lines.readLine();
        } finally {
            silence.cancel(false);
        }
    }

    private void closeBody() {
        try {
            body.close();
        } catch (IOException e) {
            LOG.debug("a dead stream could not be closed", e);
        }
    }

    @Override
    public void close() {
        watchdog.shutdownNow();
        closeBody();
    }
}

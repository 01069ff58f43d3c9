package io.trapline.host.guest;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.BufferedReader;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;

/**
 * QEMU's control protocol (docs/interop/qmp-spec), as much of it as pauses a guest. QEMU connects to us, so there is
 * nothing to wait for but a connection.
 */
final class Qmp implements AutoCloseable {
    private static final Duration TO_ANSWER = Duration.ofSeconds(10);
    private static final ObjectMapper JSON = new ObjectMapper();

    private final ServerSocketChannel server;
    private final Consumer<String> events;
    private final BlockingQueue<JsonNode> answers = new LinkedBlockingQueue<>();
    private final CompletableFuture<SocketChannel> connection = new CompletableFuture<>();

    private Qmp(ServerSocketChannel server, Consumer<String> events) {
        this.server = server;
        this.events = events;
    }

    /**
     * Waits for QEMU at that path, in a thread of its own.
     *
     * @param events gets the names of QEMU's events, such as {@code STOP}
     */
    static Qmp listen(Path socket, Consumer<String> events) throws IOException {
        ServerSocketChannel server = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
        try {
            server.bind(UnixDomainSocketAddress.of(socket));
        } catch (IOException e) {
            server.close();
            throw e;
        }
        Qmp qmp = new Qmp(server, events);
        Thread thread = new Thread(qmp::read, "qmp");
        thread.setDaemon(true);
        thread.start();
        return qmp;
    }

    private void read() {
        try (SocketChannel accepted = server.accept()) {
            server.close();
            BufferedReader lines = new BufferedReader(Channels.newReader(accepted, StandardCharsets.UTF_8));
            lines.readLine(); // its greeting; nothing else comes, events neither, before it is answered
            send(accepted, "qmp_capabilities");
            lines.readLine();
            connection.complete(accepted);
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                JsonNode message = JSON.readTree(line);
                if (message.has("event")) {
                    events.accept(message.get("event").asText());
                } else {
                    answers.add(message);
                }
            }
        } catch (IOException e) {
            // Closed by us, or QEMU is gone, which its process tells.
        }
    }

    private static void send(SocketChannel to, String command) throws IOException {
        String line = JSON.createObjectNode().put("execute", command) + "\n";
        ByteBuffer bytes = ByteBuffer.wrap(line.getBytes(StandardCharsets.UTF_8));
        while (bytes.hasRemaining()) {
            to.write(bytes);
        }
    }

    /**
     * Has a command executed.
     *
     * @return what it returned
     * @throws GuestException when QEMU refuses or does not answer
     */
    synchronized JsonNode execute(String command) throws GuestException {
        try {
            send(connection.get(TO_ANSWER.toMillis(), TimeUnit.MILLISECONDS), command);
            JsonNode answer = answers.poll(TO_ANSWER.toMillis(), TimeUnit.MILLISECONDS);
            if (answer != null && answer.has("return")) {
                return answer.get("return");
            }
            throw new GuestException("QEMU was told to " + command + ", and "
                    + (answer == null ? "did not answer within " + TO_ANSWER.toSeconds() + " s" : "said " + answer));
        } catch (IOException | ExecutionException | TimeoutException e) {
            throw new GuestException("QEMU can't be told to " + command + ": " + e.getMessage());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new GuestException("interrupted while QEMU was told to " + command);
        }
    }

    @Override
    public void close() {
        try {
            server.close();
            if (connection.isDone()) {
                connection.join().close();
            }
        } catch (IOException e) {
            // A socket that can't be closed is closed.
        }
    }
}

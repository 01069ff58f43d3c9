package io.trapline.tls;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLEngineResult.HandshakeStatus;
import javax.net.ssl.SSLException;

/** Two ends of a TLS connection in memory. */
final class Handshake {
    private static final int BUFFER = 1 << 16;

    private final SSLEngine client;
    private final SSLEngine server;
    private final ByteBuffer toServer = ByteBuffer.allocate(BUFFER);
    private final ByteBuffer toClient = ByteBuffer.allocate(BUFFER);

    private Handshake(SSLEngine client, SSLEngine server) {
        this.client = client;
        this.server = server;
    }

    /**
     * Shakes hands.
     *
     * @throws SSLException of the first end that does not want the other
     */
    static Handshake between(SSLEngine client, SSLEngine server) throws SSLException {
        Handshake shaking = new Handshake(client, server);
        client.beginHandshake();
        server.beginHandshake();
        while (busy(client) || busy(server)) {
            step(client, shaking.toClient, shaking.toServer);
            step(server, shaking.toServer, shaking.toClient);
        }
        return shaking;
    }

    private static boolean busy(SSLEngine engine) {
        return engine.getHandshakeStatus() != HandshakeStatus.NOT_HANDSHAKING;
    }

    private static ByteBuffer step(SSLEngine engine, ByteBuffer in, ByteBuffer out) throws SSLException {
        ByteBuffer plain = ByteBuffer.allocate(BUFFER);
        engine.wrap(ByteBuffer.allocate(0), out);
        in.flip();
        engine.unwrap(in, plain);
        in.compact();
        for (Runnable task = engine.getDelegatedTask(); task != null; task = engine.getDelegatedTask()) {
            task.run();
        }
        return plain.flip();
    }

    /** What the server reads of what the client says. */
    String pass(String text) throws SSLException {
        client.wrap(ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8)), toServer);
        ByteBuffer read = ByteBuffer.allocate(0);
        while (!read.hasRemaining()) {
            read = step(server, toServer, toClient);
        }
        return StandardCharsets.UTF_8.decode(read).toString();
    }
}

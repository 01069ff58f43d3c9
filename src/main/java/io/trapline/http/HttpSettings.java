package io.trapline.http;

import io.trapline.tls.TlsFiles;
import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

/**
 * How the coordinator's API is served.
 *
 * @param host name or address to listen on
 * @param port 0 for any that is free
 * @param tokenFile holds the token that callers must have; empty lets everyone in
 * @param tls empty for plain HTTP
 * @param insecure lets others in than this machine, even without TLS or a token
 * @param patience how long a request's body may take; a connection on which nothing happens is closed after four times that
 */
public record HttpSettings(
        String host, int port, Optional<Path> tokenFile, Optional<TlsFiles> tls, boolean insecure, Duration patience) {
    /** Where a coordinator listens unless it is told otherwise. */
    public static final int DEFAULT_PORT = 7071;

    /** Whether only programs of this machine can reach it. */
    boolean isLoopback() throws IOException {
        try {
            return InetAddress.getByName(host).isLoopbackAddress();
        } catch (UnknownHostException e) {
            throw new IOException("the HTTP API can't listen on " + host + ": no such host", e);
        }
    }

    /**
     * @throws IOException when strangers could reach the API, and nobody said that they may
     */
    void refuseStrangers() throws IOException {
        if (isLoopback() || insecure || (tls.isPresent() && tokenFile.isPresent())) {
            return;
        }
        String missing = tls.isPresent() ? "a token" : tokenFile.isPresent() ? "TLS" : "TLS and a token";
        throw new IOException("the HTTP API would listen on " + host + ", beyond this machine, without " + missing
                + "; give a token (--http-token-file) and TLS (--http-cert and --http-key, or --http-keystore), or say"
                + " --insecure");
    }
}

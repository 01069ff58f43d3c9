package io.trapline.cluster;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A host and a port, as {@code HOST:PORT}; an IPv6 address stands in brackets.
 *
 * @param port 0 is any free one, where that makes sense
 */
public record Endpoint(String host, int port) {
    private static final Pattern FORM = Pattern.compile("(\\[[0-9a-fA-F:.]+]|[^:\\s\\[\\]]+):(\\d{1,5})");
    private static final int LARGEST_PORT = 65535;

    /** @throws IllegalArgumentException when the port is none */
    public Endpoint {
        if (port < 0 || port > LARGEST_PORT) {
            throw new IllegalArgumentException("port " + port + ": 0 to " + LARGEST_PORT + " are allowed");
        }
    }

    /**
     * Reads the notation.
     *
     * @throws IllegalArgumentException with what was read and what is allowed
     */
    public static Endpoint parse(String text) {
        Matcher m = FORM.matcher(text);
        if (!m.matches()) {
            throw new IllegalArgumentException(
                    "\"" + text + "\" is no HOST:PORT such as coordinator.example:2551 or [::1]:2551");
        }
        return new Endpoint(m.group(1), Integer.parseInt(m.group(2)));
    }

    /**
     * Whether only this machine can reach it.
     *
     * @throws UnknownHostException when the name is not known
     */
    public boolean isLoopback() throws UnknownHostException {
        return InetAddress.getByName(host).isLoopbackAddress();
    }

    /**
     * Whether it stands for all addresses of this machine.
     *
     * @throws UnknownHostException when the name is not known
     */
    public boolean isWildcard() throws UnknownHostException {
        return InetAddress.getByName(host).isAnyLocalAddress();
    }

    @Override
    public String toString() {
        return host + ":" + port;
    }
}

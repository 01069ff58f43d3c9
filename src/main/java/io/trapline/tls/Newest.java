package io.trapline.tls;

import java.io.IOException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What files hold, in the newest version that could be read whole. */
final class Newest<T> {
    private static final Logger LOG = LoggerFactory.getLogger(Newest.class);

    private final Source<T> source;
    private volatile T value;

    /** @throws IOException when the files can't be used */
    Newest(Source<T> source) throws IOException {
        this.source = source;
        this.value = source.read();
    }

    /** Where it comes from. */
    interface Source<T> {
        T read() throws IOException;
    }

    T get() {
        return value;
    }

    /** Reads the files again; while they can't be used, what was read before stays. */
    void reload() {
        try {
            value = source.read();
        } catch (IOException e) {
            LOG.warn("the certificate of before stays in use: {}", e.getMessage());
        }
    }
}

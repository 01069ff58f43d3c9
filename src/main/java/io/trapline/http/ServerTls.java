package io.trapline.http;

import akka.japi.function.Creator;
import java.io.IOException;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** TLS for new connections, with the newest files that could be read whole. */
final class ServerTls implements Creator<SSLEngine> {
    private static final long serialVersionUID = 1L;
    private static final Logger LOG = LoggerFactory.getLogger(ServerTls.class);

    private final transient TlsFiles files;
    private transient volatile SSLContext context;

    /**
     * @throws IOException when the files can't be used
     */
    ServerTls(TlsFiles files) throws IOException {
        this.files = files;
        this.context = files.serverContext();
    }

    /** Reads the files again; while they can't be used, what was read before stays. */
    void reload() {
        try {
            context = files.serverContext();
        } catch (IOException e) {
            LOG.warn("the certificate of before stays in use: {}", e.getMessage());
        }
    }

    /** What new connections get. */
    SSLContext context() {
        return context;
    }

    @Override
    public SSLEngine create() {
        SSLEngine engine = context.createSSLEngine();
        engine.setUseClientMode(false);
        engine.setEnabledProtocols(new String[] {TlsFiles.PROTOCOL});
        return engine;
    }
}

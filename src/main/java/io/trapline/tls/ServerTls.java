package io.trapline.tls;

import java.io.IOException;
import java.security.GeneralSecurityException;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;

/** TLS of a server that its clients know: new connections get the newest files that could be read whole. */
public final class ServerTls {
    private final Newest<SSLContext> newest;

    /**
     * From these files.
     *
     * @throws IOException naming the file that can't be used
     */
    public ServerTls(TlsFiles files) throws IOException {
        this.newest = new Newest<>(() -> context(files));
    }

    private static SSLContext context(TlsFiles files) throws IOException {
        try {
            SSLContext context = SSLContext.getInstance(TlsFiles.PROTOCOL);
            context.init(OwnKey.read(files).managers(), null, null);
            return context;
        } catch (GeneralSecurityException e) {
            throw new IOException(files + " can't be used for TLS: " + e.getMessage(), e);
        }
    }

    /** Reads the files again; while they can't be used, what was read before stays. */
    public void reload() {
        newest.reload();
    }

    /** What new connections get. */
    SSLContext context() {
        return newest.get();
    }

    /** For one connection. */
    public SSLEngine engine() {
        SSLEngine engine = context().createSSLEngine();
        engine.setUseClientMode(false);
        engine.setEnabledProtocols(new String[] {TlsFiles.PROTOCOL});
        return engine;
    }
}

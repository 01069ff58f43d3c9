package io.trapline.cluster;

import akka.remote.artery.tcp.SSLEngineProvider;
import io.trapline.tls.MemberTls;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLSession;
import scala.Option;

/** Gives Akka's transport its TLS, and counts who comes in. */
final class MemberEngines implements SSLEngineProvider {
    private final MemberTls tls;
    private final Door door;

    MemberEngines(MemberTls tls, Door door) {
        this.tls = tls;
        this.door = door;
    }

    @Override
    public SSLEngine createServerSSLEngine(String host, int port) {
        door.opened();
        return tls.serverEngine();
    }

    @Override
    public SSLEngine createClientSSLEngine(String host, int port) {
        return tls.clientEngine(host, port);
    }

    @Override
    public Option<Throwable> verifyServerSession(String host, SSLSession session) {
        Option<Throwable> stranger = stranger(session);
        if (stranger.isEmpty()) {
            door.proved();
        }
        return stranger;
    }

    @Override
    public Option<Throwable> verifyClientSession(String host, SSLSession session) {
        return stranger(session);
    }

    private Option<Throwable> stranger(SSLSession session) {
        return tls.stranger(session)
                .<Option<Throwable>>map(reason -> Option.apply(new SSLException(reason)))
                .orElseGet(Option::empty);
    }
}

package io.trapline.http;

import akka.actor.ActorSystem;
import akka.http.javadsl.ConnectionContext;
import akka.http.javadsl.Http;
import akka.http.javadsl.ServerBuilder;
import akka.http.javadsl.model.HttpRequest;
import akka.http.javadsl.model.HttpResponse;
import akka.stream.javadsl.Flow;
import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import io.trapline.cluster.Campaigns;
import io.trapline.tls.ServerTls;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;

/**
 * The coordinator's API and its page. It has an actor system of its own, so that nothing that comes in here takes a
 * thread from the cluster.
 */
public final class HttpServer implements AutoCloseable {
    /** For all that waits for a disk. */
    static final String BLOCKING = "trapline.blocking-dispatcher";

    private final ActorSystem system;
    private final URI uri;
    private final Routes routes;

    private HttpServer(ActorSystem system, URI uri, Routes routes) {
        this.system = system;
        this.uri = uri;
        this.routes = routes;
    }

    /**
     * Serves these campaigns from now on, and writes the reports of each run that ends.
     *
     * @throws IOException when strangers could reach it against the settings' rules, a file of the settings can't be
     *     used, or the address can't be had
     */
    public static HttpServer start(Campaigns campaigns, HttpSettings settings) throws IOException {
        settings.refuseStrangers();
        Optional<Token> token = Optional.empty();
        if (settings.tokenFile().isPresent()) {
            token = Optional.of(Token.read(settings.tokenFile().get()));
        }
        Optional<ServerTls> tls = Optional.empty();
        if (settings.tls().isPresent()) {
            tls = Optional.of(new ServerTls(settings.tls().get()));
        }
        Optional<String> onlyHost =
                settings.isLoopback() && token.isEmpty() ? Optional.of(settings.host()) : Optional.empty();
        ActorSystem system = ActorSystem.create("trapline-http", config(settings));
        Executor disk = system.dispatchers().lookup(BLOCKING);
        Metrics metrics = new Metrics(campaigns::callers);
        Routes routes = routes(campaigns, metrics, disk, settings.patience(), system);
        Front front = new Front(routes, token, onlyHost, metrics, system);
        try {
            int port = bind(settings, tls, counted(front, metrics), system);
            String scheme = tls.isPresent() ? "https" : "http";
            return new HttpServer(system, URI.create(scheme + "://" + authority(settings, port)), routes);
        } catch (CompletionException e) {
            system.terminate();
            throw new IOException(
                    "the HTTP API can't listen on " + authority(settings, settings.port()) + ": " + reason(e)
                            + "; give another address (--http HOST:PORT)",
                    e);
        }
    }

    /** Where it is. */
    public URI uri() {
        return uri;
    }

    /** All that it answers. */
    Routes routes() {
        return routes;
    }

    /** Lets go of the port and of all connections. */
    @Override
    public void close() {
        system.terminate();
        system.getWhenTerminated().toCompletableFuture().join();
    }

    private static Config config(HttpSettings settings) {
        return ConfigFactory.defaultOverrides()
                .withFallback(ConfigFactory.parseMap(Map.of(
                        "akka.http.server.idle-timeout",
                        settings.patience().multipliedBy(4).toMillis() + "ms")))
                .withFallback(ConfigFactory.parseResources("trapline-http.conf"))
                .withFallback(ConfigFactory.parseResources("trapline.conf"))
                .withFallback(ConfigFactory.load())
                .resolve();
    }

    private static Routes routes(
            Campaigns campaigns, Metrics metrics, Executor disk, Duration patience, ActorSystem system) {
        RunReports reports = new RunReports();
        RunFeeds feeds = new RunFeeds(campaigns, reports, metrics, disk);
        RunViews views = new RunViews(campaigns, feeds, reports, disk);
        EventStreams streams = new EventStreams(system, metrics, Long.toString(System.currentTimeMillis(), 36));
        Api api = new Api(campaigns, feeds, reports, views, streams, disk, patience, system);
        views.runs(); // follows those that go on, and writes reports that a killed coordinator owes
        return new Routes(Stream.concat(new Site(views, metrics).routes().stream(), api.routes().stream())
                .toList());
    }

    private static int bind(
            HttpSettings settings,
            Optional<ServerTls> tls,
            Flow<HttpRequest, HttpResponse, ?> flow,
            ActorSystem system) {
        ServerBuilder builder = Http.get(system).newServerAt(settings.host(), settings.port());
        if (tls.isPresent()) {
            ServerTls engines = tls.get();
            builder = builder.enableHttps(ConnectionContext.httpsServer(engines::engine));
            Duration every = system.settings().config().getDuration("trapline.tls.reload-every");
            system.scheduler()
                    .scheduleWithFixedDelay(
                            every, every, engines::reload, system.dispatchers().lookup(BLOCKING));
        }
        return builder.bindFlow(flow)
                .toCompletableFuture()
                .join()
                .localAddress()
                .getPort();
    }

    /** One flow a connection, which counts those that end without a request. */
    private static Flow<HttpRequest, HttpResponse, ?> counted(Front front, Metrics metrics) {
        return Flow.fromMaterializer((materializer, attributes) -> {
            AtomicLong requests = new AtomicLong();
            return Flow.<HttpRequest>create()
                    .mapAsync(1, request -> {
                        requests.incrementAndGet();
                        return front.answer(request);
                    })
                    .watchTermination((value, done) -> {
                        done.whenComplete((end, failure) -> {
                            if (requests.get() == 0) {
                                metrics.noRequest();
                            }
                        });
                        return value;
                    });
        });
    }

    private static String authority(HttpSettings settings, int port) {
        String host = settings.host().contains(":") ? "[" + settings.host() + "]" : settings.host();
        return host + ":" + port;
    }

    private static String reason(CompletionException e) {
        Throwable cause = e;
        while (cause.getCause() != null) {
            cause = cause.getCause();
        }
        return cause.getMessage();
    }
}

package io.trapline.http;

import akka.http.javadsl.model.ContentTypes;
import akka.http.javadsl.model.HttpEntities;
import akka.http.javadsl.model.HttpResponse;
import akka.http.javadsl.model.headers.RawHeader;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/** What is served beside the API: the page, the API's description, health and metrics. */
final class Site {
    private static final String PAGE_MAY =
            "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; connect-src 'self';"
                    + " base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

    private final RunViews views;
    private final Metrics metrics;

    Site(RunViews views, Metrics metrics) {
        this.views = views;
        this.metrics = metrics;
    }

    /** Its part of the table. The page itself tells nothing; its script asks the API, with the token if there is one. */
    List<Routes.Route> routes() {
        HttpResponse page = resource("page.html", "text/html; charset=UTF-8")
                .addHeader(RawHeader.create("Content-Security-Policy", PAGE_MAY));
        HttpResponse description = resource("openapi.yaml", "application/yaml");
        return List.of(
                new Routes.Route("GET", "/", true, call -> CompletableFuture.completedFuture(page)),
                new Routes.Route("GET", "/openapi.yaml", true, call -> CompletableFuture.completedFuture(description)),
                new Routes.Route(
                        "GET",
                        "/health",
                        true,
                        call -> views.hosts().thenApply(hosts -> Api.json(Map.of("status", "up")))),
                new Routes.Route(
                        "GET",
                        "/metrics",
                        false,
                        call -> views.hosts()
                                .thenCombine(views.kept(), metrics::text)
                                .thenApply(text -> HttpResponse.create()
                                        .withEntity(
                                                HttpEntities.create(ContentTypes.parse(Metrics.CONTENT_TYPE), text)))));
    }

    private static HttpResponse resource(String name, String contentType) {
        try (InputStream in = Site.class.getResourceAsStream(name)) {
            return HttpResponse.create()
                    .withEntity(HttpEntities.create(ContentTypes.parse(contentType), in.readAllBytes()))
                    .addHeader(RawHeader.create("Cache-Control", "no-cache"));
        } catch (IOException e) {
            throw new UncheckedIOException("the program's own jar can't be read", e);
        }
    }
}

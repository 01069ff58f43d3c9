package io.trapline.http;

import akka.actor.ActorSystem;
import akka.http.javadsl.model.HttpHeader;
import akka.http.javadsl.model.HttpRequest;
import akka.http.javadsl.model.HttpResponse;
import akka.http.javadsl.model.StatusCodes;
import akka.http.javadsl.model.headers.RawHeader;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Where each request comes in: lets it pass or refuses it, answers all failures, and counts. */
final class Front {
    private static final Logger LOG = LoggerFactory.getLogger(Front.class);
    private static final Set<String> METHODS = Set.of("GET", "HEAD", "POST", "PUT", "DELETE", "PATCH", "OPTIONS");
    private static final Pattern LOOPBACK =
            Pattern.compile("localhost|127(\\.\\d{1,3}){3}|\\[?::1]?", Pattern.CASE_INSENSITIVE);

    private static final List<HttpHeader> ALWAYS = List.of(
            RawHeader.create("X-Content-Type-Options", "nosniff"), RawHeader.create("Referrer-Policy", "no-referrer"));

    private final Routes routes;
    private final Optional<Token> token;
    private final Optional<String> onlyHost;
    private final Metrics metrics;
    private final ActorSystem system;

    /**
     * @param token that callers must show; empty lets everyone in
     * @param onlyHost refuses requests that were meant for another host than this one or loopback; empty takes all
     */
    Front(Routes routes, Optional<Token> token, Optional<String> onlyHost, Metrics metrics, ActorSystem system) {
        this.routes = routes;
        this.token = token;
        this.onlyHost = onlyHost;
        this.metrics = metrics;
        this.system = system;
    }

    /** The answer to a request; never fails. */
    CompletionStage<HttpResponse> answer(HttpRequest request) {
        Optional<Routes.Match> match = Optional.empty();
        CompletionStage<HttpResponse> answer;
        try {
            refuseOtherHosts(request);
            match = Optional.of(routes.match(request));
            answer = answer(request, match.get());
        } catch (RuntimeException e) {
            answer = CompletableFuture.failedFuture(e);
        }
        String route = match.map(found -> found.route().template()).orElse("none");
        return answer.exceptionally(e -> failed(request, e)).thenApply(response -> {
            String method = request.method().value();
            metrics.answered(
                    METHODS.contains(method) ? method : "other",
                    route,
                    response.status().intValue());
            return response.addHeaders(ALWAYS);
        });
    }

    private CompletionStage<HttpResponse> answer(HttpRequest request, Routes.Match match) {
        if (!match.route().open()) {
            refuseStrangers(request);
        }
        return match.route().handler().answer(new Routes.Call(request, match.parameters()));
    }

    /**
     * A page on the web can have its own name resolve to loopback, and so make a browser talk to us as if we were that
     * page's server; the browser then names that page's host.
     */
    private void refuseOtherHosts(HttpRequest request) {
        String host = request.getUri().getHost().address();
        onlyHost.filter(own ->
                        !own.equalsIgnoreCase(host) && !LOOPBACK.matcher(host).matches())
                .ifPresent(own -> {
                    throw Refusal.of(
                            StatusCodes.MISDIRECTED_REQUEST,
                            "this is " + own + ", not " + host + "; without a token only loopback names are served");
                });
    }

    private void refuseStrangers(HttpRequest request) {
        boolean shown = token.isEmpty()
                || request.getHeader("Authorization")
                        .filter(header -> token.get().isShownBy(header.value()))
                        .isPresent();
        if (!shown) {
            throw Refusal.of(
                    StatusCodes.UNAUTHORIZED,
                    "a token is needed: Authorization: Bearer TOKEN",
                    RawHeader.create("WWW-Authenticate", "Bearer realm=\"trapline\""));
        }
    }

    private HttpResponse failed(HttpRequest request, Throwable failure) {
        request.discardEntityBytes(system);
        Throwable cause =
                failure instanceof CompletionException && failure.getCause() != null ? failure.getCause() : failure;
        if (cause instanceof Refusal refusal) {
            return Api.json(refusal.status(), refusal.error()).addHeaders(refusal.headers());
        }
        LOG.error("{} {} failed", request.method().value(), request.getUri().path(), cause);
        return Api.json(
                StatusCodes.INTERNAL_SERVER_ERROR,
                new ErrorView("internal error, please report it with what the coordinator logged", List.of()));
    }
}

package io.trapline.http;

import akka.http.javadsl.model.HttpRequest;
import akka.http.javadsl.model.HttpResponse;
import akka.http.javadsl.model.StatusCodes;
import akka.http.javadsl.model.headers.RawHeader;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.stream.Collectors;

/** The table of what the server answers. A template is a path with {@code {names}} in place of some segments. */
record Routes(List<Route> table) {
    Routes {
        table = List.copyOf(table);
    }

    /**
     * One line of it.
     *
     * @param open whether it is answered without a token
     */
    record Route(String method, String template, boolean open, Handler handler) {}

    /** What answers. It must not block; a {@link Refusal} thrown, or failed with, is answered in its place. */
    interface Handler {
        CompletionStage<HttpResponse> answer(Call call);
    }

    /**
     * A request that has a route.
     *
     * @param parameters the path's segments by the template's names
     */
    record Call(HttpRequest request, Map<String, String> parameters) {
        String parameter(String name) {
            return parameters.get(name);
        }

        Optional<String> query(String name) {
            return request.getUri().query().get(name);
        }
    }

    /** A request's route and parameters. */
    record Match(Route route, Map<String, String> parameters) {}

    /**
     * The route of a request.
     *
     * @throws Refusal 404 when no template fits, 405 when another method does
     */
    Match match(HttpRequest request) {
        String path = request.getUri().path();
        List<Match> fitting =
                table.stream().flatMap(route -> fit(route, path).stream()).toList();
        String method = request.method().value();
        return fitting.stream()
                .filter(m -> m.route().method().equals(method))
                .findFirst()
                .orElseThrow(() -> refusal(method, path, fitting));
    }

    private static Refusal refusal(String method, String path, List<Match> fitting) {
        if (fitting.isEmpty()) {
            return Refusal.of(StatusCodes.NOT_FOUND, "there is no " + path + "; see /openapi.yaml");
        }
        String allowed = fitting.stream().map(m -> m.route().method()).collect(Collectors.joining(", "));
        return Refusal.of(
                StatusCodes.METHOD_NOT_ALLOWED,
                path + " can't be asked with " + method + ", only with " + allowed,
                RawHeader.create("Allow", allowed));
    }

    private static Optional<Match> fit(Route route, String path) {
        String[] wanted = route.template().split("/", -1);
        String[] given = path.split("/", -1);
        if (wanted.length != given.length) {
            return Optional.empty();
        }
        Map<String, String> parameters = new LinkedHashMap<>();
        for (int i = 0; i < wanted.length; i++) {
            if (wanted[i].startsWith("{")) {
                parameters.put(wanted[i].substring(1, wanted[i].length() - 1), given[i]);
            } else if (!wanted[i].equals(given[i])) {
                return Optional.empty();
            }
        }
        return Optional.of(new Match(route, parameters));
    }
}

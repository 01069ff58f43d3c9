package io.trapline.http;

import akka.actor.ActorSystem;
import akka.http.javadsl.model.ContentTypes;
import akka.http.javadsl.model.HttpEntities;
import akka.http.javadsl.model.HttpHeader;
import akka.http.javadsl.model.HttpResponse;
import akka.http.javadsl.model.RequestEntity;
import akka.http.javadsl.model.StatusCode;
import akka.http.javadsl.model.StatusCodes;
import akka.http.javadsl.model.headers.RawHeader;
import akka.stream.StreamLimitReachedException;
import akka.util.ByteString;
import io.trapline.campaign.CampaignException;
import io.trapline.cluster.Campaigns;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeoutException;
import java.util.regex.Pattern;

/** The API below {@code /api/v1}. {@code openapi.yaml} documents it, and a test compares the two. */
final class Api {
    private static final Set<String> YAML = Set.of("application/yaml", "application/x-yaml", "text/yaml");

    /** As Kubernetes has names of Jobs and values of labels; it names a directory here, too. */
    private static final Pattern RUN_ID = Pattern.compile("[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?");

    /** As long as a campaign file may be. */
    private static final long BODY_BYTES = 1 << 20;

    private final Campaigns campaigns;
    private final RunFeeds feeds;
    private final RunReports reports;
    private final RunViews views;
    private final EventStreams streams;
    private final Executor disk;
    private final Duration patience;
    private final ActorSystem system;

    /**
     * @param disk for work that waits for a disk
     * @param patience how long a request's body may take
     */
    Api(
            Campaigns campaigns,
            RunFeeds feeds,
            RunReports reports,
            RunViews views,
            EventStreams streams,
            Executor disk,
            Duration patience,
            ActorSystem system) {
        this.campaigns = campaigns;
        this.feeds = feeds;
        this.reports = reports;
        this.views = views;
        this.streams = streams;
        this.disk = disk;
        this.patience = patience;
        this.system = system;
    }

    /** Its part of the table. */
    List<Routes.Route> routes() {
        return List.of(
                route("POST", "/api/v1/campaigns", this::submit),
                route("GET", "/api/v1/hosts", call -> views.hosts().thenApply(Api::json)),
                route("GET", "/api/v1/callers", call -> done(json(CallersView.of(campaigns.callers())))),
                route("GET", "/api/v1/events", call -> done(streams.ofOverview(views::overview))),
                route("GET", "/api/v1/runs", call -> views.runs().thenApply(Api::json)),
                route("GET", "/api/v1/runs/{run}", this::run),
                route("DELETE", "/api/v1/runs/{run}", this::cancel),
                route("GET", "/api/v1/runs/{run}/events", this::events),
                route("GET", "/api/v1/runs/{run}/{file}", this::file));
    }

    private static Routes.Route route(String method, String template, Routes.Handler handler) {
        return new Routes.Route(method, template, false, handler);
    }

    private CompletionStage<HttpResponse> submit(Routes.Call call) {
        String type = call.request().entity().getContentType().mediaType().toString();
        if (!YAML.contains(type)) {
            // Also keeps foreign web pages out: a browser lets them send these types only where the server agrees.
            throw Refusal.of(
                    StatusCodes.UNSUPPORTED_MEDIA_TYPE, "a campaign is sent as application/yaml, this one is " + type);
        }
        String file = call.query("file").filter(name -> !name.isBlank()).orElse("campaign.yaml");
        Optional<String> run = call.query("run");
        run.filter(id -> !RUN_ID.matcher(id).matches()).ifPresent(id -> {
            throw Refusal.of(
                    StatusCodes.BAD_REQUEST,
                    "\"" + id + "\" is no run id: up to 63 of a-z, 0-9 and -, the first and the last no -");
        });
        return body(call.request().entity()).thenCompose(body -> submit(run, file, text(body)));
    }

    private CompletionStage<ByteString> body(RequestEntity entity) {
        return entity.withoutSizeLimit()
                .getDataBytes()
                .limitWeighted(BODY_BYTES, chunk -> (long) chunk.size())
                .completionTimeout(patience)
                .runFold(ByteString.emptyByteString(), ByteString::concat, system)
                .exceptionally(e -> {
                    throw refusal(e instanceof CompletionException ? e.getCause() : e);
                });
    }

    private RuntimeException refusal(Throwable failure) {
        if (failure instanceof StreamLimitReachedException) {
            return Refusal.of(StatusCodes.CONTENT_TOO_LARGE, "a campaign has at most " + BODY_BYTES + " bytes");
        }
        if (failure instanceof TimeoutException) {
            return Refusal.of(
                    StatusCodes.REQUEST_TIMEOUT, "the campaign did not arrive within " + patience.toSeconds() + " s");
        }
        return new CompletionException(failure);
    }

    private CompletionStage<HttpResponse> submit(Optional<String> wanted, String file, String text) {
        try {
            return RunViews.asked(campaigns.submit(wanted, file, text))
                    .thenApply(kept -> kept.orElseThrow(() -> Refusal.of(
                            StatusCodes.CONFLICT,
                            "run " + wanted.orElseThrow() + " has another campaign; choose another id for this one")))
                    .thenCompose(id -> views.find(id)
                            .thenApply(run -> json(
                                    StatusCodes.CREATED,
                                    new RunView.Id(id),
                                    RawHeader.create("Location", "/api/v1/runs/" + id))));
        } catch (CampaignException e) {
            throw Refusal.of(StatusCodes.BAD_REQUEST, e);
        }
    }

    private static String text(ByteString bytes) {
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(bytes.toByteBuffer())
                    .toString();
        } catch (CharacterCodingException e) {
            throw Refusal.of(StatusCodes.BAD_REQUEST, "the campaign is not UTF-8");
        }
    }

    private CompletionStage<HttpResponse> run(Routes.Call call) {
        return found(call)
                .thenApplyAsync(
                        run -> {
                            try {
                                List<CellRate> cells = run.state() == Campaigns.State.ENDED
                                        ? reports.cells(run.directory())
                                        : feeds.of(run.id()).map(RunFeed::cells).orElse(List.of());
                                return json(new RunView.Detail(views.view(run), cells));
                            } catch (IOException e) {
                                throw new CompletionException(e);
                            }
                        },
                        disk);
    }

    private CompletionStage<HttpResponse> cancel(Routes.Call call) {
        String reason = call.query("reason").filter(r -> !r.isBlank()).orElse("cancelled over HTTP");
        return found(call)
                .thenCompose(run -> RunViews.asked(campaigns.cancel(run.id(), reason))
                        .thenApply(cancelled -> {
                            if (!cancelled) {
                                throw Refusal.of(StatusCodes.CONFLICT, "run " + run.id() + " has ended already");
                            }
                            return json(StatusCodes.ACCEPTED, new RunView.Id(run.id()));
                        }));
    }

    private CompletionStage<HttpResponse> events(Routes.Call call) {
        Optional<String> lastEventId = call.request().getHeader("Last-Event-ID").map(HttpHeader::value);
        return found(call).thenCompose(run -> {
            Optional<RunFeed> feed = feeds.of(run.id());
            if (feed.isPresent()) {
                return done(streams.ofRun(feed.get(), lastEventId));
            }
            return CompletableFuture.supplyAsync(() -> streams.ofEnd(views.last(run)), disk);
        });
    }

    private CompletionStage<HttpResponse> file(Routes.Call call) {
        return found(call)
                .thenApplyAsync(
                        run -> {
                            try {
                                return RunFiles.answer(run.directory(), call.parameter("file"));
                            } catch (IOException e) {
                                throw new CompletionException(e);
                            }
                        },
                        disk);
    }

    private CompletionStage<Campaigns.Run> found(Routes.Call call) {
        String id = call.parameter("run");
        return views.find(id)
                .thenApply(run -> run.orElseThrow(() -> Refusal.of(StatusCodes.NOT_FOUND, "there is no run " + id)));
    }

    private static <T> CompletionStage<T> done(T value) {
        return CompletableFuture.completedFuture(value);
    }

    static HttpResponse json(Object value) {
        return json(StatusCodes.OK, value);
    }

    static HttpResponse json(StatusCode status, Object value, HttpHeader... headers) {
        return HttpResponse.create()
                .withStatus(status)
                .addHeader(RawHeader.create("Cache-Control", "no-store"))
                .addHeaders(List.of(headers))
                .withEntity(HttpEntities.create(ContentTypes.APPLICATION_JSON, Json.bytes(value)));
    }
}

package io.trapline.http;

import akka.actor.ActorSystem;
import akka.http.javadsl.model.ContentType;
import akka.http.javadsl.model.ContentTypes;
import akka.http.javadsl.model.HttpEntities;
import akka.http.javadsl.model.HttpResponse;
import akka.http.javadsl.model.headers.RawHeader;
import akka.japi.Pair;
import akka.stream.BoundedSourceQueue;
import akka.stream.javadsl.Source;
import akka.util.ByteString;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Server-sent events, as https://html.spec.whatwg.org/multipage/server-sent-events.html has them. A run's events have ids
 * of the form {@code START.NUMBER}: START tells this start of the server from every other one, since after a restart the
 * numbers begin anew.
 */
final class EventStreams {
    private static final ContentType EVENTS = ContentTypes.parse("text/event-stream");
    private static final ByteString RETRY = ByteString.fromString("retry: 1000\n\n");
    private static final ByteString COMMENT = ByteString.fromString(":\n\n");

    /** Below all idle timeouts on the way, and soon enough for a client to notice that its coordinator is gone. */
    private static final Duration HEARTBEAT = Duration.ofSeconds(10);

    private static final Duration LOOK = Duration.ofSeconds(1);

    /** A client that is so many events behind is let go; it comes back with the id of the last that it had. */
    private static final int BEHIND = 1024;

    private final ActorSystem system;
    private final Metrics metrics;
    private final String start;

    /**
     * @param start tells this start of the server from every other one
     */
    EventStreams(ActorSystem system, Metrics metrics, String start) {
        this.system = system;
        this.metrics = metrics;
        this.start = start;
    }

    /** All that there is to see at once: the runs and the hosts. */
    record Overview(List<RunView> runs, List<HostView> hosts) {}

    /** The events of a run, from the one after that id on, until its last. */
    HttpResponse ofRun(RunFeed feed, Optional<String> lastEventId) {
        Pair<BoundedSourceQueue<RunFeed.Entry>, Source<RunFeed.Entry, akka.NotUsed>> live =
                Source.<RunFeed.Entry>queue(BEHIND).preMaterialize(system);
        Follower follower = new Follower(feed, live.first());
        List<RunFeed.Entry> backlog = feed.follow(lastEventId.map(this::number).orElse(0L), follower);
        return response(Source.from(backlog)
                .concat(live.second())
                .takeWhile(entry -> !entry.event().isLast(), true)
                .map(this::encode)
                .watchTermination((value, done) -> {
                    done.whenComplete((end, failure) -> feed.leave(follower));
                    return value;
                }));
    }

    /** The one event of a run that has ended. */
    HttpResponse ofEnd(ApiEvent last) {
        return response(Source.single(encode(start + ".end", Json.text(last))));
    }

    /** What there is to see, now and whenever it has changed: event {@code runs} or {@code hosts}, all of them each time. */
    HttpResponse ofOverview(Supplier<CompletionStage<Overview>> look) {
        return response(Source.tick(Duration.ZERO, LOOK, look)
                .mapAsync(1, now -> now.get().handle((seen, failure) -> Optional.ofNullable(seen)))
                .statefulMapConcat(Changes::new));
    }

    private HttpResponse response(Source<ByteString, ?> events) {
        Source<ByteString, ?> counted = events.prepend(Source.single(RETRY))
                .keepAlive(HEARTBEAT, () -> COMMENT)
                .watchTermination((value, done) -> {
                    metrics.streamOpened();
                    done.whenComplete((end, failure) -> metrics.streamClosed());
                    return value;
                });
        return HttpResponse.create()
                .withEntity(HttpEntities.create(EVENTS, counted))
                .addHeader(RawHeader.create("Cache-Control", "no-store"));
    }

    /** The number in an id; 0 in one of another start, which knows other events. */
    private long number(String id) {
        String prefix = start + ".";
        try {
            return id.startsWith(prefix) ? Long.parseLong(id.substring(prefix.length())) : 0;
        } catch (NumberFormatException e) {
            return 0;
        }
    }

    private ByteString encode(RunFeed.Entry entry) {
        return encode(start + "." + entry.number(), Json.text(entry.event()));
    }

    private static ByteString encode(String id, String json) {
        return ByteString.fromString("id: " + id + "\ndata: " + json + "\n\n");
    }

    /** Passes on into a stream, or leaves when that does not take it. */
    private record Follower(RunFeed feed, BoundedSourceQueue<RunFeed.Entry> queue) implements Consumer<RunFeed.Entry> {
        @Override
        public void accept(RunFeed.Entry entry) {
            if (!queue.offer(entry).isEnqueued()) {
                feed.leave(this);
                queue.fail(new IllegalStateException("the client reads too slowly"));
            }
        }
    }

    /** Tells what has changed since the look before. */
    private static final class Changes
            implements akka.japi.function.Function<Optional<Overview>, Iterable<ByteString>> {
        private static final long serialVersionUID = 1L;

        private transient Optional<Overview> before = Optional.empty();

        @Override
        public Iterable<ByteString> apply(Optional<Overview> seen) {
            List<ByteString> events = new ArrayList<>();
            seen.ifPresent(now -> {
                if (!before.map(Overview::hosts).equals(Optional.of(now.hosts()))) {
                    events.add(event("hosts", now.hosts()));
                }
                if (!before.map(Overview::runs).equals(Optional.of(now.runs()))) {
                    events.add(event("runs", now.runs()));
                }
                before = seen;
            });
            return events;
        }

        private static ByteString event(String name, Object value) {
            return ByteString.fromString("event: " + name + "\ndata: " + Json.text(value) + "\n\n");
        }
    }
}

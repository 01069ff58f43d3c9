package io.trapline.http;

import io.trapline.http.ClientException.Kind;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;

/** Follows a run to its end, whatever happens to the connection or to the coordinator. */
public final class RunFollower {
    private static final Duration PAUSE = Duration.ofSeconds(1);

    private final CoordinatorClient client;
    private final Duration patience;

    /**
     * @param patience how long the coordinator may be away
     */
    public RunFollower(CoordinatorClient client, Duration patience) {
        this.client = client;
        this.patience = patience;
    }

    /** Who is told. */
    public interface Listener {
        /** Something happened. */
        void on(ApiEvent event);

        /** The connection is gone for that reason, and is being made anew. */
        void onLost(String reason);
    }

    /**
     * Tells the listener of each event once, up to and with the last.
     *
     * @return the last: {@code Refused} or {@code Finished}
     * @throws ClientException when the coordinator stays away too long, or does not know the run
     */
    public ApiEvent follow(String run, Listener listener) throws ClientException {
        Following following = new Following(run, listener);
        while (following.last.isEmpty()) {
            String lost = following.asLongAsTheConnectionLasts();
            if (following.last.isEmpty()) {
                following.tellOnce(lost);
                pause();
            }
        }
        return following.last.get();
    }

    private static void pause() throws ClientException {
        try {
            Thread.sleep(PAUSE.toMillis());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new ClientException(Kind.NO_CONNECTION, "interrupted");
        }
    }

    private final class Following {
        private final String run;
        private final Listener listener;
        private Optional<String> lastId = Optional.empty();
        private Optional<ApiEvent> last = Optional.empty();
        private long connectedNanos = System.nanoTime();
        private boolean lostTold;

        private Following(String run, Listener listener) {
            this.run = run;
            this.listener = listener;
        }

        /** Why the connection is gone; of no interest when the last event has come. */
        private String asLongAsTheConnectionLasts() throws ClientException {
            try (EventStream stream = client.events(run, lastId)) {
                lostTold = false;
                for (Optional<EventStream.Told> told = stream.next(); told.isPresent(); told = stream.next()) {
                    on(told.get());
                }
                connectedNanos = System.nanoTime();
                return "the coordinator closed the connection";
            } catch (IOException e) {
                connectedNanos = System.nanoTime();
                return e.toString();
            } catch (ClientException e) {
                if (e.kind() != Kind.NO_CONNECTION || System.nanoTime() - connectedNanos > patience.toNanos()) {
                    throw e;
                }
                return e.lines().get(0);
            }
        }

        private void on(EventStream.Told told) {
            lastId = Optional.of(told.id());
            listener.on(told.event());
            if (told.event().isLast()) {
                last = Optional.of(told.event());
            }
        }

        private void tellOnce(String lost) {
            if (!lostTold) {
                listener.onLost(lost);
                lostTold = true;
            }
        }
    }
}

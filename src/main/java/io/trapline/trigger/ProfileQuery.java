package io.trapline.trigger;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Asks a trigger of its own for its machine's profile. */
public final class ProfileQuery {
    private static final Duration DEADLINE = Duration.ofSeconds(10);

    private ProfileQuery() {}

    /**
     * The profile.
     *
     * @param root a tree with {@code sys} and {@code proc} copied from another machine; this machine's when empty
     * @throws TriggerException when the trigger does not start, does not answer within 10 s, or answers something else
     */
    public static ProfileReply ask(Path program, Optional<Path> root) throws TriggerException {
        List<String> options = root.map(r -> List.of("--root", r.toString())).orElse(List.of());
        CompletableFuture<ProfileReply> answer = new CompletableFuture<>();
        try (TriggerProcess trigger = TriggerProcess.start(program, options, new Answer(answer))) {
            trigger.send(new Command.Profile());
            return answer.get(DEADLINE.toMillis(), TimeUnit.MILLISECONDS);
        } catch (ExecutionException e) {
            throw new TriggerException(program + ": " + e.getCause().getMessage());
        } catch (TimeoutException e) {
            throw TriggerException.late(program + ": no profile within " + DEADLINE.toSeconds() + " s");
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new TriggerException(program + ": interrupted while it read its profile");
        }
    }

    private record Answer(CompletableFuture<ProfileReply> answer) implements Trigger.Listener {
        @Override
        public void said(Reply reply) {
            if (reply instanceof ProfileReply profile && profile.protocol() == ProfileReply.PROTOCOL) {
                answer.complete(profile);
            } else if (reply instanceof ProfileReply profile) {
                fail("it speaks protocol %d, this program %d; build both from the same sources"
                        .formatted(profile.protocol(), ProfileReply.PROTOCOL));
            } else {
                fail("asked for its profile, it said " + reply);
            }
        }

        @Override
        public void ended(String how) {
            fail("asked for its profile, it " + how);
        }

        private void fail(String message) {
            answer.completeExceptionally(new TriggerException(message));
        }
    }
}

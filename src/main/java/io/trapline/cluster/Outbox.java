package io.trapline.cluster;

import io.trapline.trigger.Reply;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * What a worker has measured and has no receipt for. It decides what is to be delivered next and keeps all of it until
 * the receipt comes, on disk if it was given a directory, so that it outlives the worker.
 *
 * <p>A full disk does not stop a measurement: what can't be kept there is kept in memory, and {@link #complaint} says so.
 */
final class Outbox {
    /** How many records of an attempt may be under way without a receipt: the coordinator's memory is bounded by it. */
    static final int WINDOW = 1024;

    private final Optional<Path> directory;
    private final Map<Origin, Post> posts = new LinkedHashMap<>();
    private Optional<String> complaint = Optional.empty();

    private Outbox(Optional<Path> directory) {
        this.directory = directory;
    }

    /** One that ends with its worker: for a coordinator in the same process, which has the journal. */
    static Outbox inMemory() {
        return new Outbox(Optional.empty());
    }

    /**
     * One that outlives its worker, with all that earlier ones left in that directory, which is made if need be.
     *
     * @throws IOException naming the file that can't be read or made
     */
    static Outbox in(Path directory) throws IOException {
        Outbox outbox = new Outbox(Optional.of(directory));
        for (OutboxFile.Kept kept : OutboxFile.all(directory)) {
            outbox.posts.put(kept.origin(), new Post(kept));
        }
        return outbox;
    }

    /** Keeps the next record of that origin. */
    void add(Origin origin, Reply.OfTrial reply) {
        Post post = posts.computeIfAbsent(origin, this::open);
        boolean last = reply instanceof Reply.Done || reply instanceof Reply.Failed;
        guarded(post, file -> file.append(reply, last));
        post.replies.add(reply);
        post.complete = last;
    }

    /** Whether there are records of that origin without a receipt. */
    boolean holds(Origin origin) {
        return posts.containsKey(origin);
    }

    /** The runs that there are records of. */
    Set<String> runs() {
        return posts.keySet().stream().map(Origin::run).collect(Collectors.toUnmodifiableSet());
    }

    /**
     * What of that run is to be delivered now; it counts as under way from then on.
     *
     * @param urgent whether a receipt is wanted soon, whatever the window says
     */
    List<Delivery> due(String run, boolean urgent) {
        List<Delivery> due = new ArrayList<>();
        posts.forEach((origin, post) -> {
            if (origin.run().equals(run)) {
                while (post.hasDue()) {
                    due.add(post.next(origin, urgent));
                }
            }
        });
        return due;
    }

    /** Whether records of that run are under way and without a receipt. */
    boolean isWaiting(String run) {
        return posts.entrySet().stream().anyMatch(e -> e.getKey().run().equals(run) && e.getValue().sent > 0);
    }

    /** All of that run without a receipt is to be delivered again. */
    void rewind(String run) {
        posts.forEach((origin, post) -> {
            if (origin.run().equals(run)) {
                post.sent = 0;
            }
        });
    }

    /** Lets go of what the receipt is for. */
    void settle(Receipt receipt) {
        Optional.ofNullable(posts.get(receipt.origin())).ifPresent(post -> {
            post.settle(receipt.below());
            removeSettled();
        });
    }

    /** Whatever was under way has ended: no attempt gets another record. */
    void complete() {
        posts.values().forEach(post -> post.complete = true);
        removeSettled();
    }

    /** Lets go of a whole run, which nobody wants any more. */
    void forget(String run) {
        posts.keySet().stream().filter(o -> o.run().equals(run)).toList().forEach(this::remove);
    }

    /** Why records are kept in memory alone, in words, once. */
    Optional<String> complaint() {
        Optional<String> said = complaint;
        complaint = Optional.empty();
        return said;
    }

    private void removeSettled() {
        posts.entrySet().stream()
                .filter(e -> e.getValue().isSettled())
                .map(Map.Entry::getKey)
                .toList()
                .forEach(this::remove);
    }

    private void remove(Origin origin) {
        guarded(posts.remove(origin), OutboxFile::delete);
    }

    private Post open(Origin origin) {
        Post post = new Post();
        directory.ifPresent(d -> {
            try {
                post.file = Optional.of(OutboxFile.create(d, origin));
            } catch (IOException e) {
                complaint = Optional.of(e.getMessage());
            }
        });
        return post;
    }

    private void guarded(Post post, Write write) {
        try {
            if (post.file.isPresent()) {
                write.to(post.file.get());
            }
        } catch (IOException e) {
            complaint = Optional.of(e.getMessage());
            post.file = Optional.empty();
        }
    }

    private interface Write {
        void to(OutboxFile file) throws IOException;
    }

    /** The records of one origin. */
    private static final class Post {
        private final List<Reply.OfTrial> replies = new ArrayList<>();
        private Optional<OutboxFile> file = Optional.empty();
        /** The sequence number of the first one that is still here. */
        private long first;
        /** How many from the first one on are under way. */
        private int sent;
        /** Whether the last record is there. */
        private boolean complete;

        Post() {}

        Post(OutboxFile.Kept kept) {
            replies.addAll(kept.replies());
            file = Optional.of(kept.file());
            complete = true;
        }

        boolean hasDue() {
            return sent < Math.min(WINDOW, replies.size());
        }

        Delivery next(Origin origin, boolean urgent) {
            long from = first + sent;
            boolean wanted = urgent || sent >= WINDOW / 2;
            List<Reply.Interval> readings = readings();
            sent += Math.max(1, readings.size());
            return readings.isEmpty()
                    ? new Delivery.Word(origin, from, wanted, replies.get(sent - 1))
                    : new Delivery.Readings(origin, from, wanted, readings);
        }

        /** The readings that are next and fit one message; at least one if the next record is a reading. */
        private List<Reply.Interval> readings() {
            List<Reply.Interval> row = new ArrayList<>();
            int bytes = 0;
            for (int i = sent; i < Math.min(WINDOW, replies.size()); i++) {
                if (!(replies.get(i) instanceof Reply.Interval reading)) {
                    break;
                }
                bytes += Delivery.Readings.atMost(reading);
                boolean alike = row.isEmpty() || row.get(0).ops().length == reading.ops().length;
                if (!row.isEmpty() && (bytes > Delivery.Readings.LIMIT || !alike)) {
                    break;
                }
                row.add(reading);
            }
            return row;
        }

        void settle(long below) {
            int settled = (int) Math.max(0, Math.min(replies.size(), below - first));
            replies.subList(0, settled).clear();
            first += settled;
            sent = Math.max(0, sent - settled);
        }

        boolean isSettled() {
            return complete && replies.isEmpty();
        }
    }
}

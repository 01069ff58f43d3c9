package io.trapline.cluster;

import io.trapline.journal.JournalRecord;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** What a run's logic wants done, in order, until it is taken away. */
final class Effects {
    private final List<Effect> wanted = new ArrayList<>();

    void add(Effect effect) {
        wanted.add(effect);
    }

    void append(JournalRecord line) {
        add(new Effect.Append(line));
    }

    void tell(RunEvent event) {
        add(new Effect.Tell(event));
    }

    void arm(String host, Attempt attempt, Duration after, String waitingFor) {
        add(new Effect.Arm(host, attempt, after, waitingFor));
    }

    /** The journal can't be written any more. */
    void dropWrites() {
        wanted.removeIf(e -> e instanceof Effect.Append || e instanceof Effect.Sync);
    }

    /** All of it; none is wanted afterwards. */
    List<Effect> drain() {
        List<Effect> out = List.copyOf(wanted);
        wanted.clear();
        return out;
    }
}

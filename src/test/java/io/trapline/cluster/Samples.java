package io.trapline.cluster;

import io.trapline.trigger.Reply;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;

/** What a trigger says, for tests. */
final class Samples {
    private Samples() {}

    static Reply.Ready ready(String trial) {
        return new Reply.Ready(
                trial, Optional.empty(), Optional.empty(), Optional.empty(), OptionalInt.empty(), List.of());
    }

    static Reply.Done done(String trial, boolean stopped) {
        return new Reply.Done(
                trial,
                10,
                OptionalLong.empty(),
                List.of(10L),
                List.of(),
                1,
                OptionalLong.empty(),
                OptionalLong.empty(),
                OptionalLong.empty(),
                OptionalLong.empty(),
                0,
                stopped);
    }

    static Reply.Failed failed(String trial) {
        return new Reply.Failed(trial, "perf_event_open", OptionalInt.of(13), "Permission denied", Optional.empty());
    }
}

package io.trapline.http;

import io.trapline.cluster.Campaigns;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;

/**
 * A run, as the API tells it.
 *
 * @param done trials with a result, of {@code planned} (0 before it was planned)
 * @param ending how it ended: an ending or a cause of refusal; empty before
 * @param reason why it ended, in words
 * @param exitCode what {@code trapline submit} ends with; empty before the end
 * @param now trials in hand, some of them when there are many
 */
public record RunView(
        String id,
        String campaign,
        Campaigns.State state,
        Instant submitted,
        int done,
        int planned,
        Optional<String> ending,
        Optional<String> reason,
        OptionalInt exitCode,
        List<InHand> now) {
    public RunView {
        now = List.copyOf(now);
    }

    /**
     * A trial that is being measured.
     *
     * @param opsPerSecond the last interval's rate; empty before the first
     */
    public record InHand(String trial, int attempt, CellName cell, OptionalDouble opsPerSecond) {}

    /**
     * A run with what it measured.
     *
     * @param cells those with a result, in the plan's order
     */
    public record Detail(RunView run, List<CellRate> cells) {
        public Detail {
            cells = List.copyOf(cells);
        }
    }

    /** The run that a request was about. */
    public record Id(String id) {}
}

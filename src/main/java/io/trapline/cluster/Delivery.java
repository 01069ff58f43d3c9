package io.trapline.cluster;

import io.trapline.trigger.Reply;
import java.util.List;

/**
 * Records of one attempt on their way from a worker to the run, with sequence numbers that follow each other. A worker
 * delivers them again until it has a {@link Receipt}.
 */
sealed interface Delivery extends CampaignRun.Command permits Delivery.Word, Delivery.Readings {
    /** Whose records these are. */
    Origin origin();

    /** The sequence number of the first one. */
    long first();

    /** Whether the worker wants a receipt before the attempt is over. */
    boolean urgent();

    /** The records; never empty. */
    List<? extends Reply.OfTrial> replies();

    /** The sequence number after the last one. */
    default long end() {
        return first() + replies().size();
    }

    /** A single record of any kind but a reading. */
    record Word(Origin origin, long first, boolean urgent, Reply.OfTrial reply) implements Delivery, Wire {
        @Override
        public List<Reply.OfTrial> replies() {
            return List.of(reply);
        }
    }

    /** Readings in a row; {@link ReadingsCodec} writes them in columns. */
    record Readings(Origin origin, long first, boolean urgent, List<Reply.Interval> replies) implements Delivery {
        /** No message is larger than this, in bytes, but for a single reading of thousands of CPUs. */
        static final int LIMIT = 64 << 10;

        public Readings {
            replies = List.copyOf(replies);
        }

        /** What a reading takes at most, in bytes, beside those before it: a number is written in up to 9 bytes. */
        static int atMost(Reply.Interval reading) {
            return 9 * (3 + reading.ops().length);
        }
    }
}

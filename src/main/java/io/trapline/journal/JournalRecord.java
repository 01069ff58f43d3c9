package io.trapline.journal;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import io.trapline.campaign.Cell;
import io.trapline.campaign.Durations;
import io.trapline.campaign.Plan;
import io.trapline.host.HostProfile;
import io.trapline.host.Method;
import io.trapline.host.Timing;
import io.trapline.trigger.Reply;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * One line of {@code journal.jsonl}: what happened, in order, and all that a report is computed from. Wall-clock
 * instants only tell people when; nothing is computed from them.
 */
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "type")
@JsonSubTypes({
    @JsonSubTypes.Type(value = JournalRecord.Run.class, name = "run"),
    @JsonSubTypes.Type(value = JournalRecord.HostSeen.class, name = "host"),
    @JsonSubTypes.Type(value = JournalRecord.Clipped.class, name = "clipped"),
    @JsonSubTypes.Type(value = JournalRecord.Unmeasured.class, name = "unmeasured"),
    @JsonSubTypes.Type(value = JournalRecord.Planned.class, name = "planned"),
    @JsonSubTypes.Type(value = JournalRecord.Joint.class, name = "joint"),
    @JsonSubTypes.Type(value = JournalRecord.Barrier.class, name = "barrier"),
    @JsonSubTypes.Type(value = JournalRecord.Begun.class, name = "begun"),
    @JsonSubTypes.Type(value = JournalRecord.Said.class, name = "said"),
    @JsonSubTypes.Type(value = JournalRecord.Lost.class, name = "lost"),
    @JsonSubTypes.Type(value = JournalRecord.Ended.class, name = "ended")
})
public sealed interface JournalRecord {

    /** The format of this file; a reader refuses a later one. */
    int FORMAT = 1;

    /**
     * The first line: which run this is. A resumed run adds another one with the same run id.
     *
     * @param format {@link #FORMAT}
     * @param campaign the campaign's name
     * @param sha256 of the campaign file as read
     * @param version the program's
     * @param paths the paths in the campaign's order with their methods; the first is the baseline
     * @param gate how much slower than the baseline a path may be; 0.03 is 3 %
     */
    record Run(
            int format,
            String run,
            String campaign,
            Optional<String> question,
            String sha256,
            String version,
            Instant at,
            List<PathUsed> paths,
            Timing timing,
            int rounds,
            Optional<Double> gate)
            implements JournalRecord {
        public Run {
            paths = List.copyOf(paths);
        }
    }

    /** A path and how it does its operations. */
    record PathUsed(String name, Method method) {}

    /** A host that takes part. */
    record HostSeen(HostProfile profile) implements JournalRecord {}

    /** What {@code clip: true} left out on a host. */
    record Clipped(Plan.Clipped left) implements JournalRecord {}

    /** A cell that is not measured, and why. */
    record Unmeasured(Cell cell, String reason) implements JournalRecord {}

    /** A trial that is to be run: what is missing at the end is known by it. */
    record Planned(String trial, Cell cell, int round) implements JournalRecord {}

    /**
     * Trials that are one: each on a host of its own, at the same moment.
     *
     * @param skewLimitNs how far apart their starts may be, in nanoseconds
     * @param onLoss what was to be done when one of their hosts is lost: repeat, fail or partial
     */
    record Joint(String joint, List<String> trials, long skewLimitNs, String onLoss) implements JournalRecord {
        public Joint {
            trials = List.copyOf(trials);
        }
    }

    /**
     * The trials of a joint one were told when to start.
     *
     * @param clocks one for each of its trials
     */
    record Barrier(String joint, int attempt, List<HostClock> clocks) implements JournalRecord {
        public Barrier {
            clocks = List.copyOf(clocks);
        }
    }

    /**
     * How far a host's CLOCK_MONOTONIC was ahead of the coordinator's, in nanoseconds.
     *
     * @param trial the trial that the host ran
     * @param uncertaintyNs by how much that may be wrong either way: half of the shortest round trip
     * @param probes how many round trips there were
     */
    record HostClock(String trial, long offsetNs, long uncertaintyNs, int probes) {}

    /**
     * A trial was handed to its host.
     *
     * @param attempt from 1
     * @param worker the worker's incarnation
     */
    record Begun(String trial, int attempt, String worker, Instant at) implements JournalRecord {}

    /** What the trigger said of that trial: ready, started, intervals, done, failed. */
    record Said(String trial, int attempt, Reply.OfTrial reply) implements JournalRecord {}

    /** The trial's host, worker or trigger was lost before it could say anything more. */
    record Lost(String trial, int attempt, String reason) implements JournalRecord {}

    /**
     * The run ended.
     *
     * @param reason {@link #COMPLETE} or what ended it
     * @param wallMs from start to end in milliseconds
     * @param measuringMs warm-up and measuring of the trials that were run, nominally
     */
    record Ended(String reason, long wallMs, long measuringMs, Instant at) implements JournalRecord {
        /** The reason when all was run. */
        public static final String COMPLETE = "complete";

        private static final String TIME_UP = "deadline: ";

        /** The reason when the campaign's deadline had passed. */
        public static String timeUp(Duration deadline) {
            return TIME_UP + "the " + Durations.spell(deadline) + " that the campaign may take have passed";
        }

        /** Whether all was run. */
        @JsonIgnore
        public boolean isComplete() {
            return reason.equals(COMPLETE);
        }

        /** Whether the campaign's deadline had passed. */
        @JsonIgnore
        public boolean isTimeUp() {
            return reason.startsWith(TIME_UP);
        }
    }
}

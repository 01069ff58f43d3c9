package io.trapline.cluster;

import io.trapline.campaign.Cell;
import io.trapline.campaign.Plan;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/** What a follower of a campaign is told, in order; the last one is {@link Refused} or {@link Finished}. */
public sealed interface RunEvent {

    /**
     * The campaign can't be run here.
     *
     * @param problems each a line for people
     */
    record Refused(Cause cause, List<String> problems) implements RunEvent {
        public Refused {
            problems = List.copyOf(problems);
        }

        /** Why. */
        public enum Cause {
            /** The campaign asks for something that its hosts have not. */
            BAD_INPUT,
            /** No host is there, or none that the campaign selects. */
            NO_HOSTS
        }
    }

    /**
     * The campaign was planned and begins.
     *
     * @param plan all of it
     * @param toRun how many of its trials will be run; the rest was measured before
     */
    record Accepted(Plan plan, int toRun) implements RunEvent {}

    /**
     * A trial was handed to its host.
     *
     * @param number from 1 to the number of trials to run
     * @param left warm-up and measuring of this trial and those after it
     */
    record TrialBegun(String trial, int attempt, Cell cell, int number, Duration left) implements RunEvent {}

    /** The rate of the intervals that were read since the last one was told, in operations a second. */
    record Rate(String trial, double opsPerSecond) implements RunEvent {}

    /**
     * A trial is over and on disk.
     *
     * @param opsPerSecond its rate from the first reading to the last; empty with fewer than two
     * @param failure why it has no result; empty when it has
     * @param again whether it will be repeated
     */
    record TrialEnded(String trial, OptionalDouble opsPerSecond, Optional<String> failure, boolean again)
            implements RunEvent {}

    /**
     * Nothing more will happen; all that was measured is on disk, unless the journal itself failed.
     *
     * @param reason {@code complete}, or what ended it
     */
    record Finished(Ending ending, String reason) implements RunEvent {
        /** How. */
        public enum Ending {
            COMPLETE,
            CANCELLED,
            /** By the campaign's own {@code deadline}. */
            TIME_UP,
            /** By the campaign's own {@code onLoss: fail}. */
            TRIAL_FAILED,
            /** A host was lost and did not come back; what it had left to measure is missing. */
            HOST_LOST,
            /** The journal can't be written, or the run itself broke off by an error. */
            JOURNAL_FAILED
        }
    }
}

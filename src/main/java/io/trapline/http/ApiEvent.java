package io.trapline.http;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import io.trapline.campaign.Plan;
import io.trapline.cluster.RunEvent;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * What a follower of a run is told over HTTP, in order; the last one is {@link Refused} or {@link Finished}. The same as
 * {@link io.trapline.cluster.RunEvent}, with plans in short.
 */
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "type")
@JsonSubTypes({
    @JsonSubTypes.Type(value = ApiEvent.Accepted.class, name = "accepted"),
    @JsonSubTypes.Type(value = ApiEvent.TrialBegun.class, name = "trialBegun"),
    @JsonSubTypes.Type(value = ApiEvent.Rate.class, name = "rate"),
    @JsonSubTypes.Type(value = ApiEvent.TrialEnded.class, name = "trialEnded"),
    @JsonSubTypes.Type(value = ApiEvent.Refused.class, name = "refused"),
    @JsonSubTypes.Type(value = ApiEvent.Finished.class, name = "finished")
})
public sealed interface ApiEvent {

    /**
     * How an event is told.
     *
     * @param exitCode what a command ends with that followed the run to this event; of interest for a last one only
     */
    static ApiEvent of(RunEvent event, int exitCode) {
        if (event instanceof RunEvent.Accepted accepted) {
            return new Accepted(
                    accepted.plan().trials().size(),
                    accepted.toRun(),
                    accepted.plan().unmeasured().stream().map(Unmeasured::of).toList());
        }
        if (event instanceof RunEvent.TrialBegun begun) {
            return new TrialBegun(
                    begun.trial(),
                    begun.attempt(),
                    begun.number(),
                    CellName.of(begun.cell()),
                    begun.left().toMillis());
        }
        if (event instanceof RunEvent.Rate rate) {
            return new Rate(rate.trial(), rate.opsPerSecond());
        }
        if (event instanceof RunEvent.TrialEnded ended) {
            return new TrialEnded(ended.trial(), ended.opsPerSecond(), ended.failure(), ended.again());
        }
        if (event instanceof RunEvent.Refused refused) {
            return new Refused(refused.cause().name(), refused.problems(), exitCode);
        }
        RunEvent.Finished finished = (RunEvent.Finished) event;
        return new Finished(finished.ending().name(), finished.reason(), exitCode);
    }

    /** Whether nothing comes after it. */
    @JsonIgnore
    default boolean isLast() {
        return false;
    }

    /**
     * The campaign was planned, or was running already when the coordinator came back.
     *
     * @param planned all of its trials
     * @param toRun those without a result yet
     * @param unmeasured cells that no trial is planned for
     */
    record Accepted(int planned, int toRun, List<Unmeasured> unmeasured) implements ApiEvent {
        public Accepted {
            unmeasured = List.copyOf(unmeasured);
        }
    }

    /** A cell that can't be measured on its host. */
    record Unmeasured(CellName cell, String reason) {
        /** The same in a plan. */
        public static Unmeasured of(Plan.Unmeasured cell) {
            return new Unmeasured(CellName.of(cell.cell()), cell.reason());
        }
    }

    /**
     * A trial was handed to its host.
     *
     * @param number from 1 to the number of trials to run
     * @param leftMs warm-up and measuring of this trial and those after it, in milliseconds
     */
    record TrialBegun(String trial, int attempt, int number, CellName cell, long leftMs) implements ApiEvent {}

    /** The rate of the interval just read. */
    record Rate(String trial, double opsPerSecond) implements ApiEvent {}

    /**
     * A trial is over and on disk.
     *
     * @param opsPerSecond its rate from the first reading to the last; empty with fewer than two
     * @param failure why it has no result; empty when it has
     * @param again whether it will be repeated
     */
    record TrialEnded(String trial, OptionalDouble opsPerSecond, Optional<String> failure, boolean again)
            implements ApiEvent {}

    /**
     * The campaign can't be run here.
     *
     * @param cause {@code BAD_INPUT} or {@code NO_HOSTS}
     * @param problems each a line for people
     * @param exitCode what a command that followed it ends with
     */
    record Refused(String cause, List<String> problems, int exitCode) implements ApiEvent {
        public Refused {
            problems = List.copyOf(problems);
        }

        @Override
        public boolean isLast() {
            return true;
        }
    }

    /**
     * Nothing more will happen, and the reports are written.
     *
     * @param ending {@code COMPLETE} or what else it was
     * @param reason in words
     * @param exitCode what a command that followed it ends with
     */
    record Finished(String ending, String reason, int exitCode) implements ApiEvent {
        @Override
        public boolean isLast() {
            return true;
        }
    }
}

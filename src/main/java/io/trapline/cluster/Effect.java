package io.trapline.cluster;

import io.trapline.host.TrialSpec;
import io.trapline.journal.JournalRecord;
import java.time.Duration;
import java.util.OptionalLong;

/** What {@link RunLogic} wants done; {@link CampaignRun} does it. */
sealed interface Effect {
    /** Append to the journal. */
    record Append(JournalRecord line) implements Effect {}

    /** Put the journal on disk, then say {@link RunLogic#onSynced} with the mark. */
    record Sync(long mark) implements Effect {}

    /** Ask the host's worker to get the trial ready, once all that was appended before is on disk. */
    record Prepare(String host, Attempt attempt, TrialSpec spec) implements Effect {}

    /** Let its threads run: at once, or at that instant of the host's own clock in nanoseconds. */
    record Go(String host, Attempt attempt, OptionalLong atNs) implements Effect {}

    /** Read the host's clock, then say {@link RunLogic#onClock}. */
    record ReadClock(String host, Attempt attempt) implements Effect {}

    /** End it early. */
    record Stop(String host, Attempt attempt) implements Effect {}

    /** Say {@link RunLogic#onDeadline} after that time, in place of what was armed for the host before. */
    record Arm(String host, Attempt attempt, Duration after, String waitingFor) implements Effect {}

    /** Forget the host's deadline. */
    record Disarm(String host) implements Effect {}

    /** Tell the host's worker what it need not keep any more. */
    record Acknowledge(String host, Receipt receipt) implements Effect {}

    /** Say {@link RunLogic#onNoReturn} after that time, unless the host's worker is back by then. */
    record AwaitReturn(String host, Duration after) implements Effect {}

    /** Say {@link RunLogic#onTimeUp} after that time, whatever happens. */
    record Limit(Duration after) implements Effect {}

    /** Tell the followers. */
    record Tell(RunEvent event) implements Effect {}
}

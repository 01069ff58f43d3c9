package io.trapline.cluster;

import io.trapline.campaign.Campaign;
import io.trapline.journal.JournalRecord;
import io.trapline.journal.JournalWriter;
import java.time.Instant;

/**
 * A campaign to run.
 *
 * @param run the run's id
 * @param sha256 of the campaign file as read
 * @param version of the program that was asked
 * @param writer the run's journal, open
 * @param earlier what the journal holds already
 */
public record Submission(
        Campaign campaign, String run, String sha256, String version, JournalWriter writer, Earlier earlier) {

    /** The first line of this part of the journal. */
    JournalRecord.Run header(Instant at) {
        return new JournalRecord.Run(
                JournalRecord.FORMAT,
                run,
                campaign.name(),
                campaign.question(),
                sha256,
                version,
                at,
                campaign.paths().stream()
                        .map(path -> new JournalRecord.PathUsed(path.name(), path.method()))
                        .toList(),
                campaign.timing(),
                campaign.rounds(),
                campaign.gate().map(Campaign.Gate::slower));
    }
}

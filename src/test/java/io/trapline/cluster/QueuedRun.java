package io.trapline.cluster;

import io.trapline.campaign.CampaignReader;
import java.io.IOException;
import java.nio.file.Path;
import java.util.UUID;

/** Puts a campaign into a coordinator's data directory before it starts: as if another one had been killed with it. */
public final class QueuedRun {
    private QueuedRun() {}

    /** The directory of the new run. */
    public static Path add(Path data, String campaign) throws Exception {
        String id = UUID.randomUUID().toString();
        RunBook book = RunBook.in(data, "test");
        try {
            book.add(id, CampaignReader.parse("test.yaml", campaign), campaign);
            return book.find(id).orElseThrow().directory();
        } finally {
            book.close();
        }
    }

    /** How the run ended, as the book has it. */
    public static RunEvent end(Path data, Path run) throws IOException {
        return RunBook.in(data, "test")
                .find(run.getFileName().toString())
                .flatMap(Campaigns.Run::last)
                .orElseThrow();
    }
}

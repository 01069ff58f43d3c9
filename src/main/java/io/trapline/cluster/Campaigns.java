package io.trapline.cluster;

import io.trapline.campaign.CampaignException;
import io.trapline.host.HostProfile;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;

/**
 * A coordinator's door for those who are no actors, such as its HTTP API: campaigns in, progress and reports out. All
 * methods may be called from any thread and do not block; a stage fails when the coordinator does not answer in time.
 */
public interface Campaigns {

    /**
     * Puts a campaign in the queue, unless it is there already: to ask twice measures once.
     *
     * @param id of the run that it becomes, and its directory's name; empty for a new one
     * @param file the file's name, for messages
     * @param text its content
     * @return the run's id, once it is kept on disk; empty when the id belongs to a run with another campaign
     * @throws CampaignException when the file is wrong; what its hosts have not is told later, as {@code Refused}
     */
    CompletionStage<Optional<String>> submit(Optional<String> id, String file, String text) throws CampaignException;

    /** Every run that is kept, the newest first. */
    CompletionStage<List<Run>> runs();

    /** One run; empty when there is none of that id. */
    CompletionStage<Optional<Run>> run(String id);

    /** Ends a run early, or takes it from the queue; false when there is no such run or it has ended. */
    CompletionStage<Boolean> cancel(String id, String reason);

    /** Every host that said hello since the coordinator's start. */
    CompletionStage<List<Member>> members();

    /** Who came to the workers' port since the coordinator's start. */
    Callers callers();

    /**
     * Tells of all that happens to a run from now on, until it ends or the subscription is closed. A run that has ended
     * already tells its last event alone.
     */
    Subscription follow(String id, Consumer<RunEvent> follower);

    /** Until it is closed. */
    interface Subscription extends AutoCloseable {
        @Override
        void close();
    }

    /**
     * A run.
     *
     * @param directory holds its journal and, once it has ended, its reports
     * @param done trials with a result, of {@code planned} (0 before it was planned)
     * @param last why it ended; empty before
     */
    record Run(
            String id,
            String campaign,
            State state,
            Instant submitted,
            int done,
            int planned,
            Optional<RunEvent> last,
            Path directory) {}

    /**
     * Who came to the workers' port.
     *
     * @param members connections on which the other end proved to be a member; counted where there is TLS, as the next
     * @param strangers connections on which it did not, or not yet
     * @param refusedWorkers workers that speak another version of the protocol
     */
    record Callers(long members, long strangers, long refusedWorkers) {}

    /** How far a run is; never goes back. */
    enum State {
        QUEUED,
        RUNNING,
        ENDED
    }

    /**
     * A host.
     *
     * @param incarnation of its worker
     * @param reachable false from the moment that its worker was lost
     * @param running the run that has the lease on it
     */
    record Member(HostProfile profile, String incarnation, boolean reachable, Optional<String> running) {}
}

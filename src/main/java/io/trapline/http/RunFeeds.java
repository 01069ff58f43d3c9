package io.trapline.http;

import io.trapline.cluster.Campaigns;
import io.trapline.cluster.RunEvent;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A {@link RunFeed} for each run that has not ended. When one ends, its reports are written before followers hear. */
final class RunFeeds {
    private static final Logger LOG = LoggerFactory.getLogger(RunFeeds.class);
    private static final int NOT_OVER = 0;

    /** What a run ends with whose reports can not be had. */
    static final int REPORT_FAILED = 1;

    private final Campaigns campaigns;
    private final RunReports reports;
    private final Metrics metrics;
    private final Executor disk;
    private final Map<String, RunFeed> feeds = new ConcurrentHashMap<>();

    /**
     * @param disk for work that waits for a disk
     */
    RunFeeds(Campaigns campaigns, RunReports reports, Metrics metrics, Executor disk) {
        this.campaigns = campaigns;
        this.reports = reports;
        this.metrics = metrics;
        this.disk = disk;
    }

    /** Follows those of these runs that have not ended, unless it does so already. */
    void watch(List<Campaigns.Run> runs) {
        runs.stream()
                .filter(run -> run.state() != Campaigns.State.ENDED)
                .forEach(run -> feeds.computeIfAbsent(run.id(), id -> begin(run)));
    }

    /** The feed of a run that has not ended. */
    Optional<RunFeed> of(String id) {
        return Optional.ofNullable(feeds.get(id));
    }

    private RunFeed begin(Campaigns.Run run) {
        RunFeed feed = new RunFeed();
        if (run.state() == Campaigns.State.RUNNING) {
            feed.tell(new ApiEvent.Accepted(run.planned(), run.planned() - run.done(), List.of()));
            disk.execute(() -> tellEarlier(run, feed));
        }
        campaigns.follow(run.id(), event -> on(run, feed, event));
        return feed;
    }

    private void on(Campaigns.Run run, RunFeed feed, RunEvent event) {
        metrics.count(event);
        if (event instanceof RunEvent.Refused || event instanceof RunEvent.Finished) {
            disk.execute(() -> end(run, feed, event));
        } else {
            feed.tell(ApiEvent.of(event, NOT_OVER));
        }
    }

    private void tellEarlier(Campaigns.Run run, RunFeed feed) {
        try {
            feed.earlier(reports.measured(run.directory()));
        } catch (IOException e) {
            LOG.warn("run {}: what it measured earlier can't be shown: {}", run.id(), e.getMessage());
        }
    }

    private void end(Campaigns.Run run, RunFeed feed, RunEvent last) {
        int code;
        try {
            code = reports.finish(run.id(), run.directory(), last);
        } catch (IOException | UncheckedIOException e) {
            LOG.error("run {}: its reports can't be written: {}", run.id(), e.getMessage());
            code = REPORT_FAILED;
        }
        feeds.remove(run.id());
        feed.tell(ApiEvent.of(last, code));
    }
}

package io.trapline.http;

import akka.http.javadsl.model.StatusCodes;
import io.trapline.cluster.Campaigns;
import io.trapline.cluster.RunEvent;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.stream.IntStream;

/** Asks the coordinator, and says in views what it answers. Each run that it hears of is followed from then on. */
final class RunViews {
    /** Of runs that have ended, an overview shows the newest. */
    private static final int SHOWN = 100;

    private final Campaigns campaigns;
    private final RunFeeds feeds;
    private final RunReports reports;
    private final Executor disk;

    RunViews(Campaigns campaigns, RunFeeds feeds, RunReports reports, Executor disk) {
        this.campaigns = campaigns;
        this.feeds = feeds;
        this.reports = reports;
        this.disk = disk;
    }

    /**
     * That stage, which fails with a 503 where the coordinator does not answer.
     */
    static <T> CompletionStage<T> asked(CompletionStage<T> stage) {
        return stage.exceptionally(e -> {
            throw Refusal.of(
                    StatusCodes.SERVICE_UNAVAILABLE,
                    "the coordinator does not answer: "
                            + (e.getCause() == null
                                    ? e.getMessage()
                                    : e.getCause().getMessage()));
        });
    }

    /** One run; empty when there is none of that id. */
    CompletionStage<Optional<Campaigns.Run>> find(String id) {
        return asked(campaigns.run(id)).thenApply(run -> {
            feeds.watch(run.stream().toList());
            return run;
        });
    }

    /** Every run, the newest first. */
    CompletionStage<List<RunView>> runs() {
        return kept().thenApplyAsync(runs -> runs.stream().map(this::view).toList(), disk);
    }

    /** Every host. */
    CompletionStage<List<HostView>> hosts() {
        return asked(campaigns.members())
                .thenApply(members -> members.stream().map(HostView::of).toList());
    }

    /** All hosts, and the runs that are of interest now. */
    CompletionStage<EventStreams.Overview> overview() {
        return hosts().thenCombineAsync(
                        kept(),
                        (hosts, runs) -> new EventStreams.Overview(
                                IntStream.range(0, runs.size())
                                        .filter(i -> i < SHOWN || runs.get(i).state() != Campaigns.State.ENDED)
                                        .mapToObj(i -> view(runs.get(i)))
                                        .toList(),
                                hosts),
                        disk);
    }

    /** All runs, as the coordinator keeps them. */
    CompletionStage<List<Campaigns.Run>> kept() {
        return asked(campaigns.runs()).thenApply(runs -> {
            feeds.watch(runs);
            return runs;
        });
    }

    /** Waits for a disk when the run has ended. */
    RunView view(Campaigns.Run run) {
        return new RunView(
                run.id(),
                run.campaign(),
                run.state(),
                run.submitted(),
                run.done(),
                run.planned(),
                run.last().map(RunViews::ending),
                run.last().map(RunViews::reason),
                reports.exitCode(run),
                feeds.of(run.id()).map(RunFeed::inHand).orElse(List.of()));
    }

    /** The last event of a run that has ended; waits for a disk. */
    ApiEvent last(Campaigns.Run run) {
        RunEvent last = run.last()
                .orElseThrow(() ->
                        Refusal.of(StatusCodes.SERVICE_UNAVAILABLE, "run " + run.id() + " is just ending; ask again"));
        return ApiEvent.of(last, reports.exitCode(run).orElse(RunFeeds.REPORT_FAILED));
    }

    private static String ending(RunEvent last) {
        return last instanceof RunEvent.Refused refused
                ? refused.cause().name()
                : ((RunEvent.Finished) last).ending().name();
    }

    private static String reason(RunEvent last) {
        return last instanceof RunEvent.Refused refused
                ? String.join("; ", refused.problems())
                : ((RunEvent.Finished) last).reason();
    }
}

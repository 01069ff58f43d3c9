package io.trapline.http;

import io.trapline.campaign.Campaign;
import io.trapline.campaign.CampaignException;
import io.trapline.campaign.CampaignReader;
import io.trapline.cluster.Campaigns;
import io.trapline.cluster.RunEvent;
import io.trapline.journal.SampleRun;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;

/** A coordinator whose runs do what the test says. */
public final class FakeCampaigns implements Campaigns {
    private final Path data;
    private final Map<String, Run> runs = new LinkedHashMap<>();
    private final Map<String, List<Consumer<RunEvent>>> followers = new LinkedHashMap<>();
    private final List<Member> members = new ArrayList<>();
    private final List<String> cancelled = new ArrayList<>();
    private boolean silent;

    /** Keeps its runs in that directory. */
    public FakeCampaigns(Path data) {
        this.data = data;
        members.add(member("rack-b-1", true, Optional.empty()));
    }

    /** A host of 64 CPUs in four NUMA nodes. */
    public static Member member(String name, boolean reachable, Optional<String> running) {
        return new Member(SampleRun.host(name).labelled(Map.of("rack", "b")), "w1", reachable, running);
    }

    /** Does not answer from now on. */
    public synchronized void fallSilent() {
        silent = true;
    }

    /** Sets the hosts. */
    public synchronized void hosts(Member... now) {
        members.clear();
        members.addAll(List.of(now));
    }

    /** The reasons of all cancellations. */
    public synchronized List<String> cancelled() {
        return List.copyOf(cancelled);
    }

    @Override
    public synchronized CompletionStage<Optional<String>> submit(Optional<String> wanted, String file, String text)
            throws CampaignException {
        Campaign campaign = CampaignReader.parse(file, text);
        String id = wanted.orElse("run" + (runs.size() + 1));
        try {
            if (runs.containsKey(id)) {
                return answer(Optional.of(id)
                        .filter(i -> text.equals(read(data.resolve(i).resolve("campaign.yaml")))));
            }
            Path directory = Files.createDirectories(data.resolve(id));
            Files.writeString(directory.resolve("campaign.yaml"), text);
            put(new Run(id, campaign.name(), State.QUEUED, SampleRun.AT, 0, 0, Optional.empty(), directory));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return answer(Optional.of(id));
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public synchronized CompletionStage<List<Run>> runs() {
        List<Run> newestFirst = new ArrayList<>(runs.values());
        Collections.reverse(newestFirst);
        return answer(newestFirst);
    }

    @Override
    public synchronized CompletionStage<Optional<Run>> run(String id) {
        return answer(Optional.ofNullable(runs.get(id)));
    }

    @Override
    public CompletionStage<Boolean> cancel(String id, String reason) {
        synchronized (this) {
            if (runs.get(id).state() == State.ENDED) {
                return answer(false);
            }
            cancelled.add(reason);
        }
        tell(id, new RunEvent.Finished(RunEvent.Finished.Ending.CANCELLED, reason));
        return answer(true);
    }

    @Override
    public synchronized CompletionStage<List<Member>> members() {
        return answer(List.copyOf(members));
    }

    @Override
    public Callers callers() {
        return new Callers(4, 2, 1);
    }

    @Override
    public synchronized Subscription follow(String id, Consumer<RunEvent> follower) {
        Optional<RunEvent> last = runs.get(id).last();
        if (last.isPresent()) {
            follower.accept(last.get());
        } else {
            followers.computeIfAbsent(id, i -> new ArrayList<>()).add(follower);
        }
        return () -> {};
    }

    /** Keeps a run, in place of one of the same id. */
    public synchronized void put(Run run) {
        runs.put(run.id(), run);
    }

    /** Has something happen in a run. */
    public void tell(String id, RunEvent event) {
        List<Consumer<RunEvent>> told;
        synchronized (this) {
            put(after(event, runs.get(id)));
            told = List.copyOf(followers.getOrDefault(id, List.of()));
        }
        told.forEach(follower -> follower.accept(event));
    }

    private static Run after(RunEvent event, Run run) {
        State state = State.RUNNING;
        int done = run.done();
        int planned = run.planned();
        Optional<RunEvent> last = Optional.empty();
        if (event instanceof RunEvent.Accepted accepted) {
            planned = accepted.plan().trials().size();
        } else if (event instanceof RunEvent.TrialEnded ended && ended.failure().isEmpty()) {
            done++;
        } else if (event instanceof RunEvent.Finished || event instanceof RunEvent.Refused) {
            state = State.ENDED;
            last = Optional.of(event);
        }
        return new Run(run.id(), run.campaign(), state, run.submitted(), done, planned, last, run.directory());
    }

    private <T> CompletionStage<T> answer(T value) {
        return silent
                ? CompletableFuture.failedFuture(new TimeoutException("no answer within 5 s"))
                : CompletableFuture.completedFuture(value);
    }
}

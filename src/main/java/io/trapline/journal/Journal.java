package io.trapline.journal;

import io.trapline.campaign.Plan;
import io.trapline.host.HostProfile;
import io.trapline.trigger.Reply;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * All that a journal says, in order and without repetition. {@link JournalReader} makes it.
 *
 * @param sessions the run itself, then each time that it was resumed; at least one
 * @param clipped what {@code clip: true} left out, a host each, as it was said last
 * @param unmeasured cells that were not measured, each once, with the reason given last
 * @param trials in the order in which they were planned
 * @param joints trials that ran together, in the order in which they were planned
 * @param duplicates records that were there already, word for word; they count once
 * @param tornTail what is wrong with the last line, in words; empty when it is whole
 */
public record Journal(
        List<Session> sessions,
        List<Plan.Clipped> clipped,
        List<JournalRecord.Unmeasured> unmeasured,
        List<Trial> trials,
        List<Joint> joints,
        long duplicates,
        Optional<String> tornTail) {
    public Journal {
        sessions = List.copyOf(sessions);
        clipped = List.copyOf(clipped);
        unmeasured = List.copyOf(unmeasured);
        trials = List.copyOf(trials);
        joints = List.copyOf(joints);
    }

    /** The run, as it was started first. */
    public JournalRecord.Run run() {
        return sessions.get(0).run();
    }

    /** How the run ended; empty while it runs, or when it was killed. */
    public Optional<JournalRecord.Ended> ended() {
        return sessions.get(sessions.size() - 1).ended();
    }

    /** The hosts as the last session that had them saw them, in order of appearance. */
    public List<HostProfile> hosts() {
        Map<String, HostProfile> byName = new LinkedHashMap<>();
        sessions.forEach(s -> s.hosts().forEach(h -> byName.put(h.name(), h)));
        return List.copyOf(byName.values());
    }

    /**
     * From a start, or a resumption, to its end.
     *
     * @param hosts that took part
     */
    public record Session(JournalRecord.Run run, List<HostProfile> hosts, Optional<JournalRecord.Ended> ended) {
        public Session {
            hosts = List.copyOf(hosts);
        }
    }

    /**
     * A planned trial and what became of it.
     *
     * @param attempts ascending by number; none when it was never begun
     */
    public record Trial(JournalRecord.Planned planned, List<Attempt> attempts) {
        public Trial {
            attempts = List.copyOf(attempts);
        }

        /** The attempt that counts: the last that ran to its end. */
        public Optional<Attempt> counted() {
            return attempts.stream().filter(Attempt::complete).reduce((first, second) -> second);
        }
    }

    /**
     * Trials that ran together.
     *
     * @param barriers their starts, one for each attempt that got so far
     */
    public record Joint(JournalRecord.Joint planned, List<JournalRecord.Barrier> barriers) {
        public Joint {
            barriers = List.copyOf(barriers);
        }
    }

    /**
     * One attempt at a trial.
     *
     * @param session index of the session in which it was mentioned first
     * @param contradictions what was said twice in two ways, or can't be; such an attempt proves nothing
     */
    public record Attempt(
            int number,
            int session,
            Optional<JournalRecord.Begun> begun,
            Optional<Reply.Ready> ready,
            Optional<Reply.Started> started,
            Readings readings,
            Optional<Reply.Done> done,
            Optional<Reply.Failed> failed,
            Optional<JournalRecord.Lost> lost,
            List<String> contradictions) {
        public Attempt {
            contradictions = List.copyOf(contradictions);
        }

        /** Whether it ran to its end, and was not stopped early. */
        public boolean complete() {
            return done.isPresent() && !done.get().stopped();
        }
    }
}

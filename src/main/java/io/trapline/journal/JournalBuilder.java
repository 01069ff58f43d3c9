package io.trapline.journal;

import io.trapline.campaign.Cell;
import io.trapline.campaign.Plan;
import io.trapline.host.HostProfile;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Puts records together to a {@link Journal}. Errors are {@link IllegalArgumentException}s; the reader adds the line. */
final class JournalBuilder {
    private final List<SessionBuilder> sessions = new ArrayList<>();
    private final Map<String, Plan.Clipped> clipped = new LinkedHashMap<>();
    private final Map<Cell, JournalRecord.Unmeasured> unmeasured = new LinkedHashMap<>();
    private final Map<String, TrialBuilder> trials = new LinkedHashMap<>();
    private final Map<String, JournalRecord.Joint> joints = new LinkedHashMap<>();
    private final List<JournalRecord.Barrier> barriers = new ArrayList<>();
    private long duplicates;

    /** The attempt that was looked up last: a trial's records mostly stand together. */
    private AttemptBuilder last = new AttemptBuilder(0, 0, 0);

    private String lastTrial = "";

    void add(JournalRecord entry) {
        if (entry instanceof JournalRecord.Run run) {
            add(run);
        } else if (sessions.isEmpty()) {
            throw new IllegalArgumentException("the first record must be of type run, which says what was measured");
        } else if (entry instanceof JournalRecord.HostSeen host) {
            session().hosts.put(host.profile().name(), host.profile());
        } else if (entry instanceof JournalRecord.Clipped clip) {
            clipped.put(clip.left().host(), clip.left());
        } else if (entry instanceof JournalRecord.Unmeasured missing) {
            unmeasured.put(missing.cell(), missing);
        } else if (entry instanceof JournalRecord.Planned planned) {
            add(planned);
        } else if (entry instanceof JournalRecord.Joint joint) {
            joints.put(joint.joint(), joint);
        } else if (entry instanceof JournalRecord.Barrier barrier) {
            barriers.add(barrier);
        } else if (entry instanceof JournalRecord.Begun begun) {
            attempt(begun.trial(), begun.attempt()).add(begun);
        } else if (entry instanceof JournalRecord.Said said) {
            attempt(said.trial(), said.attempt()).add(said.reply());
        } else if (entry instanceof JournalRecord.Lost lost) {
            attempt(lost.trial(), lost.attempt()).add(lost);
        } else if (entry instanceof JournalRecord.Ended ended) {
            session().ended = Optional.of(ended);
        }
    }

    private void add(JournalRecord.Run run) {
        if (!sessions.isEmpty()) {
            JournalRecord.Run first = sessions.get(0).run;
            if (!run.run().equals(first.run()) || !run.sha256().equals(first.sha256())) {
                throw new IllegalArgumentException("run " + run.run() + " of campaign " + run.campaign()
                        + " is not the one that this journal began with, " + first.run() + " of " + first.campaign());
            }
        }
        sessions.add(new SessionBuilder(run));
    }

    private void add(JournalRecord.Planned planned) {
        TrialBuilder known = trials.get(planned.trial());
        if (known == null) {
            trials.put(planned.trial(), new TrialBuilder(planned));
            unmeasured.remove(planned.cell());
        } else if (!known.planned.equals(planned)) {
            throw new IllegalArgumentException("trial " + planned.trial() + " is planned as " + planned.cell()
                    + ", and was planned before as " + known.planned.cell());
        }
    }

    private SessionBuilder session() {
        return sessions.get(sessions.size() - 1);
    }

    /** The attempt of that number, which is new when it was not mentioned before. */
    AttemptBuilder attempt(String trial, int number) {
        if (number == last.number() && trial.equals(lastTrial)) {
            return last;
        }
        TrialBuilder known = trials.get(trial);
        if (known == null) {
            throw new IllegalArgumentException(
                    sessions.isEmpty()
                            ? "the first record must be of type run, which says what was measured"
                            : "trial " + trial + " was never planned");
        }
        lastTrial = trial;
        last = known.attempts.computeIfAbsent(
                number,
                n -> new AttemptBuilder(
                        n, sessions.size() - 1, known.planned.cell().cpus().size()));
        return last;
    }

    Journal build(Optional<String> tornTail) {
        List<Journal.Trial> built = new ArrayList<>();
        for (TrialBuilder trial : trials.values()) {
            List<Journal.Attempt> attempts = new ArrayList<>();
            trial.attempts.keySet().stream().sorted().forEach(number -> {
                AttemptBuilder attempt = trial.attempts.get(number);
                attempts.add(attempt.build());
                duplicates += attempt.duplicates();
            });
            trial.attempts.clear();
            built.add(new Journal.Trial(trial.planned, attempts));
        }
        return new Journal(
                sessions.stream()
                        .map(s -> new Journal.Session(s.run, List.copyOf(s.hosts.values()), s.ended))
                        .toList(),
                List.copyOf(clipped.values()),
                List.copyOf(unmeasured.values()),
                built,
                joints.values().stream()
                        .map(joint -> new Journal.Joint(
                                joint,
                                barriers.stream()
                                        .filter(b -> b.joint().equals(joint.joint()))
                                        .toList()))
                        .toList(),
                duplicates,
                tornTail);
    }

    private static final class SessionBuilder {
        private final JournalRecord.Run run;
        private final Map<String, HostProfile> hosts = new LinkedHashMap<>();
        private Optional<JournalRecord.Ended> ended = Optional.empty();

        SessionBuilder(JournalRecord.Run run) {
            this.run = run;
        }
    }

    private static final class TrialBuilder {
        private final JournalRecord.Planned planned;
        private final Map<Integer, AttemptBuilder> attempts = new HashMap<>();

        TrialBuilder(JournalRecord.Planned planned) {
            this.planned = planned;
        }
    }
}

package io.trapline.host;

import io.trapline.trigger.ProfileQuery;
import io.trapline.trigger.Reply;
import io.trapline.trigger.Trigger;
import io.trapline.trigger.TriggerException;
import io.trapline.trigger.TriggerProcess;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/** This machine. */
public final class LocalHost implements Host {
    private final TrialHost trials;

    /** For {@link #open}, and for tests, which have a profile and deadlines of their own. */
    LocalHost(Path program, HostProfile profile, TrialProtocol.Deadlines deadlines) {
        trials = new TrialHost(new Triggers(program), profile, deadlines);
    }

    /**
     * Opens this machine as a host: reads its profile.
     *
     * @param program the native program, such as {@link io.trapline.trigger.TriggerProgram#find} finds
     * @throws TriggerException when it can't be had or its profile makes no sense
     */
    public static LocalHost open(Path program) throws TriggerException {
        HostProfile profile = ProfileReader.read(ProfileQuery.ask(program, Optional.empty()));
        int cpus = profile.topology().usable().size();
        return new LocalHost(program, profile, TrialProtocol.Deadlines.forCpus(cpus));
    }

    @Override
    public HostProfile profile() {
        return trials.profile();
    }

    @Override
    public Trial begin(TrialSpec spec, Consumer<Reply.OfTrial> listener) {
        return trials.begin(spec, listener);
    }

    @Override
    public void close() {
        trials.close();
    }

    private record Triggers(Path program) implements TrialHost.Source {
        @Override
        public TrialHost.Started start(Trigger.Listener listener) throws TriggerException {
            return new Started(TriggerProcess.start(program, List.of(), listener));
        }

        @Override
        public void close() {
            // It holds none ready.
        }
    }

    /** An idle trigger waits for a line and takes nothing from anybody. */
    private record Started(TriggerProcess process) implements TrialHost.Started {
        @Override
        public void wake() {
            // It is awake.
        }

        @Override
        public void rest() {
            // It does.
        }

        @Override
        public void close() {
            process.close();
        }
    }
}

package io.trapline.host;

import io.trapline.host.guest.Accelerator;
import io.trapline.host.guest.DebianKernels;
import io.trapline.host.guest.Guest;
import io.trapline.host.guest.GuestException;
import io.trapline.host.guest.GuestSpec;
import io.trapline.trigger.Reply;
import io.trapline.trigger.TriggerException;
import io.trapline.trigger.TriggerProcess;
import java.nio.file.Path;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;

/**
 * A guest on this machine, booted when it is opened and used for all its trials; one that dies is replaced by a fresh
 * one at the next trial. Between trials it is paused, so that it takes nothing from others.
 */
public final class GuestHost implements Host {
    private final TrialHost trials;

    private GuestHost(TrialHost trials) {
        this.trials = trials;
    }

    /**
     * Which guest for which path.
     *
     * @param path the path's name
     * @param machine the name of this machine
     * @param program this machine's native program; those for other architectures stand in directories beside it
     * @param console the file that its console goes to
     */
    public record Order(GuestSpec spec, String path, String machine, Path program, DebianKernels debian, Path console) {
        private Guest.Parts parts() {
            return new Guest.Parts(spec, program, debian, console);
        }
    }

    /**
     * Boots a guest.
     *
     * @throws GuestException when it does not come up, with the last lines of its console
     */
    public static GuestHost open(Order order) throws GuestException {
        Booted first = Booted.boot(order);
        try {
            HostProfile.Guest guest = new HostProfile.Guest(
                    order.machine(), order.path(), first.guest.accelerator(), nsPerInstruction(first.guest));
            HostProfile profile =
                    ProfileReader.read(first.guest.profile()).asGuest(order.path() + "@" + order.machine(), guest);
            TrialHost.Source source = new FirstThenFresh(order, new AtomicReference<>(Optional.of(first)));
            return new GuestHost(new TrialHost(source, profile, TrialProtocol.Deadlines.forGuest(guest)));
        } catch (TriggerException e) {
            first.close();
            throw new GuestException("the guest's profile makes no sense: " + e.getMessage());
        }
    }

    private static OptionalInt nsPerInstruction(Guest guest) {
        return guest.accelerator() == Accelerator.COUNTED
                ? OptionalInt.of(Guest.NS_PER_INSTRUCTION)
                : OptionalInt.empty();
    }

    @Override
    public HostProfile profile() {
        return trials.profile();
    }

    /** As for each host, but its threads start at once: nobody outside knows a guest's clock. */
    @Override
    public Trial begin(TrialSpec spec, Consumer<Reply.OfTrial> listener) {
        Trial trial = trials.begin(spec, listener);
        return new Trial() {
            @Override
            public void go(OptionalLong atNs) {
                trial.go(OptionalLong.empty());
            }

            @Override
            public void stop() {
                trial.stop();
            }
        };
    }

    @Override
    public void close() {
        trials.close();
    }

    /** The guest that was booted for the profile, then a fresh one each time. */
    private record FirstThenFresh(Order order, AtomicReference<Optional<Booted>> first) implements TrialHost.Source {
        @Override
        public TrialHost.Started start(TriggerProcess.Listener listener) throws TriggerException {
            try {
                Optional<Booted> kept = first.getAndSet(Optional.empty());
                Booted booted = kept.isPresent() && kept.get().process().isAlive() ? kept.get() : Booted.boot(order);
                booted.listener.set(Optional.of(listener));
                return booted;
            } catch (GuestException e) {
                throw new TriggerException(e.getMessage());
            }
        }

        @Override
        public void close() {
            first.getAndSet(Optional.empty()).ifPresent(Booted::close);
        }
    }

    /**
     * A guest that is paused.
     *
     * @param listener whom its words are for; nobody's before the first trial
     */
    private record Booted(Guest guest, AtomicReference<Optional<TriggerProcess.Listener>> listener)
            implements TrialHost.Started {
        static Booted boot(Order order) throws GuestException {
            AtomicReference<Optional<TriggerProcess.Listener>> listener = new AtomicReference<>(Optional.empty());
            Guest guest = Guest.boot(order.parts(), new TriggerProcess.Listener() {
                @Override
                public void said(Reply reply) {
                    listener.get().ifPresent(l -> l.said(reply));
                }

                @Override
                public void ended(String how) {
                    listener.get().ifPresent(l -> l.ended(how));
                }
            });
            guest.pause();
            return new Booted(guest, listener);
        }

        @Override
        public TriggerProcess process() {
            return guest.trigger();
        }

        @Override
        public void wake() throws TriggerException {
            try {
                guest.resume();
            } catch (GuestException e) {
                throw new TriggerException(e.getMessage());
            }
        }

        @Override
        public void rest() throws TriggerException {
            try {
                guest.pause();
            } catch (GuestException e) {
                throw new TriggerException(e.getMessage());
            }
        }

        @Override
        public void close() {
            guest.close();
        }
    }
}

package io.trapline.host;

import io.trapline.host.guest.Accelerator;
import io.trapline.host.guest.Guest;
import io.trapline.host.guest.GuestException;
import io.trapline.host.guest.KernelUsed;
import io.trapline.trigger.Reply;
import io.trapline.trigger.Trigger;
import io.trapline.trigger.TriggerException;
import io.trapline.trigger.TriggerProcess;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;

/**
 * A guest on this machine, booted when it is opened and used for all its trials; one that dies is replaced by a fresh
 * one at the next trial, with a console file of its own. Between trials it is paused, so that it takes nothing from others.
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
     * @param parts what the guest is booted from
     */
    public record Order(String path, String machine, Guest.Parts parts) {
        /** For a guest like that one: the figures of a path are those of one kernel, run by one accelerator. */
        private Order like(Guest.Origin first) {
            Guest.Parts again = new Guest.Parts(
                    parts.spec().with(first.accelerator()),
                    parts.program(),
                    parts.debian(),
                    parts.console(),
                    parts.noKvm(),
                    parts.say());
            return new Order(path, machine, again);
        }
    }

    /**
     * Boots a guest.
     *
     * @throws GuestException when it does not come up, with the last lines of its console
     */
    public static GuestHost open(Order order) throws GuestException {
        Booted first = Booted.boot(order);
        boolean open = false;
        try {
            Guest.Origin origin = first.guest.origin();
            HostProfile.Guest guest = new HostProfile.Guest(
                    order.machine(),
                    order.path(),
                    origin.accelerator(),
                    nsPerInstruction(origin.accelerator()),
                    origin.noKvm(),
                    Optional.of(origin.kernel()),
                    first.guest.pinned());
            HostProfile profile =
                    ProfileReader.read(first.guest.profile()).asGuest(order.path() + "@" + order.machine(), guest);
            TrialHost.Source source =
                    new FirstThenFresh(order.like(origin), origin.kernel(), new AtomicReference<>(Optional.of(first)));
            GuestHost host = new GuestHost(new TrialHost(source, profile, TrialProtocol.Deadlines.forGuest(guest)));
            open = true;
            return host;
        } catch (TriggerException e) {
            throw new GuestException("the guest's profile makes no sense: " + e.getMessage());
        } finally {
            if (!open) {
                first.close();
            }
        }
    }

    private static OptionalInt nsPerInstruction(Accelerator accelerator) {
        return accelerator == Accelerator.COUNTED ? OptionalInt.of(Guest.NS_PER_INSTRUCTION) : OptionalInt.empty();
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

    /** The guest that was booted for the profile, then a fresh one of the same kernel each time. */
    private record FirstThenFresh(Order order, KernelUsed kernel, AtomicReference<Optional<Booted>> first)
            implements TrialHost.Source {
        @Override
        public TrialHost.Started start(Trigger.Listener listener) throws TriggerException {
            try {
                Optional<Booted> kept = first.getAndSet(Optional.empty());
                Booted booted = kept.isPresent() && kept.get().process().isAlive() ? kept.get() : fresh();
                booted.listener.set(Optional.of(listener));
                return booted;
            } catch (GuestException e) {
                throw new TriggerException(e.getMessage());
            }
        }

        private Booted fresh() throws GuestException {
            Booted booted = Booted.boot(order);
            if (!booted.guest.origin().kernel().equals(kernel)) {
                booted.close();
                throw new GuestException(
                        kernel.file() + ": is another file than when its first guest was booted (SHA-256 "
                                + kernel.sha256() + " then); measure it in a run of its own");
            }
            return booted;
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
    private record Booted(Guest guest, AtomicReference<Optional<Trigger.Listener>> listener)
            implements TrialHost.Started {
        static Booted boot(Order order) throws GuestException {
            AtomicReference<Optional<Trigger.Listener>> listener = new AtomicReference<>(Optional.empty());
            Guest guest = Guest.boot(order.parts(), new Trigger.Listener() {
                @Override
                public void said(Reply reply) {
                    listener.get().ifPresent(l -> l.said(reply));
                }

                @Override
                public void ended(String how) {
                    listener.get().ifPresent(l -> l.ended(how));
                }
            });
            boolean paused = false;
            try {
                guest.pause();
                paused = true;
            } finally {
                if (!paused) {
                    guest.close();
                }
            }
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

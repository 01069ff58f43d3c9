package io.trapline.host.guest;

import io.trapline.host.CpuSet;
import io.trapline.trigger.ProfileReply;
import io.trapline.trigger.Reply;
import io.trapline.trigger.Trigger;
import io.trapline.trigger.TriggerException;
import io.trapline.trigger.TriggerProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;

/** A guest that runs: QEMU, and the trigger in it that speaks through QEMU's standard input and output. */
public final class Guest implements AutoCloseable {
    /** Nanoseconds of the guest's time that each instruction takes when they are counted. */
    public static final int NS_PER_INSTRUCTION = QemuCommand.NS_PER_INSTRUCTION;

    private static final Duration LOOK_EVERY = Duration.ofMillis(200);

    private final Console console;
    private final Trigger.Listener listener;
    private final CompletableFuture<ProfileReply> profile = new CompletableFuture<>();
    private final CompletableFuture<TriggerProcess> process = new CompletableFuture<>();
    private final AtomicReference<Optional<CpuSet>> pinned = new AtomicReference<>(Optional.empty());
    private final AtomicBoolean resting = new AtomicBoolean();
    private final Origin origin;
    private final Qmp control;

    private Guest(Path scratch, Console console, Origin origin, Trigger.Listener listener) throws IOException {
        this.console = console;
        this.origin = origin;
        this.listener = listener;
        this.control = Qmp.listen(controlSocket(scratch), this::onEvent);
    }

    private static Path controlSocket(Path scratch) {
        return scratch.resolve("control");
    }

    /**
     * What a guest is booted from.
     *
     * @param program this machine's native program; those for other architectures stand in directories beside it
     * @param debian where Debian's kernels come from
     * @param console the file that its console goes to; where an earlier guest's is there, one beside it
     * @param noKvm why KVM need not be tried, as an earlier boot has shown
     * @param say gets what people should know while it boots
     */
    public record Parts(
            GuestSpec spec,
            Path program,
            DebianKernels debian,
            Path console,
            Optional<String> noKvm,
            Consumer<String> say) {}

    /**
     * What a guest came from.
     *
     * @param accelerator what runs it
     * @param noKvm why that is not KVM, when the campaign leaves the choice
     */
    public record Origin(KernelUsed kernel, Accelerator accelerator, Optional<String> noKvm) {}

    /**
     * Looks at a kernel that is given as a file; starts nothing.
     *
     * @throws GuestException when it is none that a guest can be booted from
     */
    public static void check(GuestSpec.KernelSource.Image kernel) throws GuestException {
        inScratch(scratch -> KernelImage.read(kernel.file(), scratch));
    }

    /**
     * Boots a guest and waits until it is ready for trials. Where it may be had and works KVM runs it.
     *
     * @param listener gets what the trigger says from then on, and its end
     * @throws GuestException when it does not come up, with the last lines of its console
     */
    public static Guest boot(Parts parts, Trigger.Listener listener) throws GuestException {
        return inScratch(scratch -> new Boot(parts, scratch).boot(listener));
    }

    /** Does something that needs a directory for a moment. */
    private interface Work<T> {
        T in(Path scratch) throws GuestException, IOException;
    }

    private static <T> T inScratch(Work<T> work) throws GuestException {
        try {
            Path scratch = Files.createTempDirectory("trapline-guest-");
            try {
                return work.in(scratch);
            } finally {
                Scratch.remove(scratch); // QEMU has read what it needs of it
            }
        } catch (IOException e) {
            throw new GuestException("a guest's files can't be written: " + e.getMessage());
        }
    }

    /**
     * Starts QEMU and waits for the profile.
     *
     * @throws GuestException why it does not come up, no more
     */
    static Guest start(Parts parts, QemuCommand command, Origin origin, Path scratch, Trigger.Listener listener)
            throws GuestException, IOException {
        Console console = new Console(command.console());
        Files.deleteIfExists(console.file()); // it is empty, and a QEMU that was ended may still have it open
        Guest guest = new Guest(scratch, console, origin, listener);
        boolean up = false;
        try {
            // Java can't ask the kernel to end a child with its parent; the trigger can, and becomes QEMU then.
            List<String> options = new ArrayList<>(List.of(
                    "--with-parent", String.valueOf(ProcessHandle.current().pid())));
            options.addAll(command.line());
            guest.process.complete(TriggerProcess.start(parts.program(), options, guest.new Ears()));
            boolean replaceable =
                    command.accelerator() == Accelerator.KVM && parts.spec().accelerator() == GuestSpec.Wanted.BEST;
            guest.awaitProfile(replaceable ? BootWatch.PATIENCE_WITH_A_REPLACEMENT : BootWatch.PATIENCE, parts.say());
            if (command.accelerator() == Accelerator.KVM) {
                guest.pinned.set(VirtualCpus.pin(guest.control.execute("query-cpus-fast"), scratch));
            }
            up = true;
            return guest;
        } catch (TriggerException e) {
            throw new GuestException(e.getMessage());
        } finally {
            if (!up) {
                guest.close();
            }
        }
    }

    private void awaitProfile(Duration patience, Consumer<String> say) throws GuestException {
        BootWatch watch = new BootWatch(console, look(), patience, say);
        while (true) {
            try {
                profile.get(LOOK_EVERY.toMillis(), TimeUnit.MILLISECONDS);
                return;
            } catch (ExecutionException e) {
                throw new GuestException(e.getCause().getMessage());
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new GuestException("interrupted");
            } catch (TimeoutException e) {
                watch.look(look());
            }
        }
    }

    private BootWatch.Look look() {
        return new BootWatch.Look(
                System.nanoTime(), console.size(), CpuTime.of(process.join().pid()));
    }

    /** The first thing that is heard is the profile; all else is for the listener. */
    private final class Ears implements Trigger.Listener {
        @Override
        public void said(Reply reply) {
            if (!profile.isDone() && reply instanceof ProfileReply first) {
                profile.complete(first);
            } else {
                listener.said(reply);
            }
        }

        @Override
        public void ended(String how) {
            String why = console.end().map(end -> end + " (QEMU " + how + ")").orElse("QEMU " + how);
            if (!profile.completeExceptionally(new GuestException(why))) {
                listener.ended(why + console.tail());
            }
        }
    }

    /** QEMU stops a guest by itself when it can't go on with it, and then waits for ever. */
    private void onEvent(String event) {
        if (event.equals("STOP") && !resting.get()) {
            process.join().kill();
        }
    }

    /** What its trigger read in it. */
    public ProfileReply profile() {
        return profile.join();
    }

    /** What it came from. */
    public Origin origin() {
        return origin;
    }

    /** The CPUs of this machine that its own are pinned to, in ascending order; empty when they are not. */
    public Optional<CpuSet> pinned() {
        return pinned.get();
    }

    /** The trigger, as seen from here. */
    public TriggerProcess trigger() {
        return process.join();
    }

    /** Stops its CPUs and its clock: an idle guest takes nothing from the one that is measured. */
    public void pause() throws GuestException {
        resting.set(true);
        control.execute("stop");
    }

    /** Lets it go on, as if no time had passed. */
    public void resume() throws GuestException {
        control.execute("cont");
        resting.set(false);
    }

    /** Ends it at once; there is nothing in it to be kept. */
    @Override
    public void close() {
        try {
            if (process.isDone()) {
                process.join().kill();
            }
        } finally {
            control.close();
        }
    }
}

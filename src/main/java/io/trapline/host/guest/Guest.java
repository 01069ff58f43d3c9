package io.trapline.host.guest;

import io.trapline.trigger.ProfileReply;
import io.trapline.trigger.Reply;
import io.trapline.trigger.TriggerException;
import io.trapline.trigger.TriggerProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;

/** A guest that runs: QEMU, and the trigger in it that speaks through QEMU's standard input and output. */
public final class Guest implements AutoCloseable {
    /** Nanoseconds of the guest's time that each instruction takes when they are counted. */
    public static final int NS_PER_INSTRUCTION = QemuCommand.NS_PER_INSTRUCTION;

    private static final Duration TO_BOOT = Duration.ofMinutes(2);
    private static final Duration LONGEST_SILENCE = Duration.ofSeconds(30);
    private static final Duration LOOK_EVERY = Duration.ofMillis(200);

    private final Console console;
    private final TriggerProcess.Listener listener;
    private final CompletableFuture<ProfileReply> profile = new CompletableFuture<>();
    private final CompletableFuture<TriggerProcess> process = new CompletableFuture<>();
    private final AtomicBoolean resting = new AtomicBoolean();
    private final Accelerator accelerator;
    private final Qmp control;

    private Guest(Path scratch, Console console, Accelerator accelerator, TriggerProcess.Listener listener)
            throws IOException {
        this.console = console;
        this.accelerator = accelerator;
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
     * @param console the file that its console goes to
     */
    public record Parts(GuestSpec spec, Path program, DebianKernels debian, Path console) {}

    /**
     * Boots a guest and waits until it is ready for trials. Where it may be had and works KVM runs it.
     *
     * @param listener gets what the trigger says from then on, and its end
     * @throws GuestException when it does not come up, with the last lines of its console
     */
    public static Guest boot(Parts parts, TriggerProcess.Listener listener) throws GuestException {
        try {
            Path scratch = Files.createTempDirectory("trapline-guest-");
            try {
                return new Boot(parts, scratch).boot(listener);
            } finally {
                Scratch.remove(scratch); // QEMU has read what it needs of it
            }
        } catch (IOException e) {
            throw new GuestException("a guest's files can't be written: " + e.getMessage());
        }
    }

    /** Starts QEMU and waits for the profile. */
    static Guest start(Path program, QemuCommand command, Path scratch, TriggerProcess.Listener listener)
            throws GuestException, IOException {
        Console console = new Console(command.console());
        Files.deleteIfExists(console.file());
        Guest guest = new Guest(scratch, console, command.accelerator(), listener);
        try {
            // Java can't ask the kernel to end a child with its parent; the trigger can, and becomes QEMU then.
            List<String> options = new ArrayList<>(List.of(
                    "--with-parent", String.valueOf(ProcessHandle.current().pid())));
            options.addAll(command.line());
            guest.process.complete(TriggerProcess.start(program, options, guest.new Ears()));
            guest.awaitProfile();
            if (command.accelerator() == Accelerator.KVM) {
                VirtualCpus.pin(guest.control.execute("query-cpus-fast"), scratch);
            }
            return guest;
        } catch (TriggerException e) {
            guest.close();
            throw new GuestException(e.getMessage());
        } catch (GuestException e) {
            guest.close();
            throw new GuestException("the guest of %s (%s) did not come up under %s: %s%s"
                    .formatted(
                            command.kernel().file(),
                            command.kernel()
                                    .version()
                                    .orElse(command.kernel().arch().spelling()),
                            command.accelerator().spelling(),
                            e.getMessage(),
                            console.tail()));
        }
    }

    private void awaitProfile() throws GuestException {
        long begin = System.nanoTime();
        long lastSize = -1;
        long lastGrowth = begin;
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
                long now = System.nanoTime();
                long size = console.size();
                lastGrowth = size == lastSize ? lastGrowth : now;
                lastSize = size;
                checkAlive(Duration.ofNanos(now - begin), Duration.ofNanos(now - lastGrowth));
            }
        }
    }

    private void checkAlive(Duration booting, Duration silent) throws GuestException {
        if (console.end().isPresent()) {
            throw new GuestException(console.end().get());
        }
        if (silent.compareTo(LONGEST_SILENCE) > 0) {
            throw new GuestException("it hangs: its console has been silent for " + LONGEST_SILENCE.toSeconds() + " s");
        }
        if (booting.compareTo(TO_BOOT) > 0) {
            throw new GuestException("it sent no profile within " + TO_BOOT.toMinutes() + " min");
        }
    }

    /** The first thing that is heard is the profile; all else is for the listener. */
    private final class Ears implements TriggerProcess.Listener {
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

    /** What runs it. */
    public Accelerator accelerator() {
        return accelerator;
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
        if (process.isDone()) {
            process.join().kill();
        }
        control.close();
    }
}

package io.trapline.host.guest;

import java.time.Duration;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Watches a guest from its start to its profile, and says when nothing will come any more. A kernel that boots writes to
 * its console again and again; how long it is silent is counted in the time in which it could have run, since on a busy
 * machine QEMU waits for a CPU, and a guest that waits is none that hangs. Not thread-safe.
 */
final class BootWatch {
    /**
     * After so much silence people are told, and after so much the guest is given up. Healthy kernels are silent for a
     * while: the longest that we saw was 3 s, of Debian's 6.1 with counted instructions on an x86_64 machine of two CPUs,
     * while it patched itself. Slower machines are to be had, so the silence is told soon, and the guest given up late.
     * For KVM we have no such figure, and so no ground to be less patient with it.
     */
    private static final Duration TOLD = Duration.ofSeconds(4);

    static final Duration PATIENCE = Duration.ofSeconds(30);

    /** The same for KVM where emulation can take its place: to be wrong costs no more than speed, and is told. */
    static final Duration PATIENCE_WITH_A_REPLACEMENT = Duration.ofSeconds(8);

    /** After so much it is given up, whatever it says. */
    private static final Duration BOOT = Duration.ofMinutes(2);

    private final Console console;
    private final Duration patience;
    private final Consumer<String> say;
    private final long begin;
    private Look lastSign;
    private boolean told;

    /**
     * What is to be seen of a guest from outside.
     *
     * @param ns when, by System.nanoTime
     * @param written how much its console has written, in bytes
     * @param time what QEMU was given by the scheduler
     */
    record Look(long ns, long written, CpuTime time) {}

    /**
     * @param patience how long it may be silent
     * @param say gets what people should know before the guest is given up
     */
    BootWatch(Console console, Look first, Duration patience, Consumer<String> say) {
        this.console = console;
        this.patience = patience;
        this.say = say;
        this.begin = first.ns();
        this.lastSign = first;
    }

    /**
     * Looks at it.
     *
     * @throws GuestException when it won't come up
     */
    void look(Look now) throws GuestException {
        Optional<String> end = console.end();
        if (end.isPresent()) {
            throw new GuestException(end.get());
        }
        if (now.written() != lastSign.written()) {
            lastSign = now;
            told = false;
        }
        long waited = now.time().waitedSince(lastSign.time());
        Duration silent = Duration.ofNanos(now.ns() - lastSign.ns() - waited);
        Duration ran = Duration.ofNanos(now.time().ranSince(lastSign.time()));
        String words = "its console has been silent for %s s, in which QEMU ran for %s s"
                .formatted(seconds(silent), seconds(ran));
        if (silent.compareTo(patience) >= 0) {
            throw new GuestException("it hangs: " + words);
        }
        if (now.ns() - begin >= BOOT.toNanos()) {
            throw new GuestException("it sent no profile within " + BOOT.toMinutes() + " min");
        }
        if (!told && silent.compareTo(TOLD) >= 0) {
            told = true;
            say.accept("the guest seems to hang: " + words + "; it is given up after " + patience.toSeconds() + " s"
                    + console.tail());
        }
    }

    private static String seconds(Duration time) {
        return String.valueOf(Math.floor(time.toMillis() / 100.0) / 10);
    }
}

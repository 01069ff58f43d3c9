package io.trapline.host.guest;

import java.time.Duration;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Watches a guest from its start to its profile, and says when nothing will come any more. A healthy kernel writes to
 * its console all the time; how long it is silent is counted in the time in which it could have run, since on a busy
 * machine QEMU waits for a CPU, and a guest that waits is none that hangs. Not thread-safe.
 */
final class BootWatch {
    private final Patience patience;
    private final Console console;
    private final Consumer<String> say;
    private final long begin;
    private Look lastSign;
    private boolean told;

    /**
     * How long a guest is waited for. Under emulation Debian's kernels are silent for up to 3 s on our 2 CPUs (6.1 with
     * counted instructions, while it patches itself), and slower machines are to be had: so the silence is told soon,
     * and the guest given up late. What KVM runs is never silent for a second.
     *
     * @param told after so much silence people are told
     * @param silent after so much it is given up
     * @param boot after so much it is given up whatever it says
     */
    record Patience(Duration told, Duration silent, Duration boot) {
        static Patience with(Accelerator accelerator) {
            Duration told = Duration.ofSeconds(4);
            return new Patience(
                    told, accelerator == Accelerator.KVM ? told : Duration.ofSeconds(30), Duration.ofMinutes(2));
        }
    }

    /**
     * What is to be seen of a guest from outside.
     *
     * @param ns when, by System.nanoTime
     * @param written how much its console has written, in bytes
     * @param time what QEMU was given by the scheduler
     */
    record Look(long ns, long written, CpuTime time) {}

    /** @param say gets what people should know before the guest is given up */
    BootWatch(Patience patience, Console console, Look first, Consumer<String> say) {
        this.patience = patience;
        this.console = console;
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
        CpuTime given = now.time().since(lastSign.time());
        Duration silent = Duration.ofNanos(now.ns() - lastSign.ns() - given.waitedNs());
        String words = "its console has been silent for %s s, in which QEMU ran for %s s"
                .formatted(seconds(silent), seconds(Duration.ofNanos(given.ranNs())));
        if (silent.compareTo(patience.silent()) >= 0) {
            throw new GuestException("it hangs: " + words);
        }
        if (now.ns() - begin >= patience.boot().toNanos()) {
            throw new GuestException(
                    "it sent no profile within " + patience.boot().toMinutes() + " min");
        }
        if (!told && silent.compareTo(patience.told()) >= 0) {
            told = true;
            say.accept("the guest seems to hang: " + words + "; it is given up after "
                    + patience.silent().toSeconds() + " s" + console.tail());
        }
    }

    private static String seconds(Duration time) {
        return String.valueOf(Math.floor(time.toMillis() / 100.0) / 10);
    }
}

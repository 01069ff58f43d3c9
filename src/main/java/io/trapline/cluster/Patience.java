package io.trapline.cluster;

import io.trapline.host.HostProfile;
import io.trapline.host.Timing;
import java.time.Duration;
import java.util.Optional;

/**
 * How long a run waits for what. A host has deadlines of its own, which are shorter and whose messages say more: these
 * are for a worker that says nothing at all.
 */
final class Patience {
    /** For the last word of a trial that was stopped. */
    static final Duration UNTIL_STOPPED = Duration.ofSeconds(1);

    /** For the answer to a question, until it is asked again: the question may be lost, or the answer. */
    static final Duration UNTIL_ASKED_AGAIN = Duration.ofSeconds(5);

    /** For a host's clock to be read. */
    static final Duration UNTIL_CLOCK = Duration.ofSeconds(30);

    /** For the disk that a journal is on. */
    static final Duration UNTIL_SYNCED = Duration.ofMinutes(1);

    private static final Duration READY = Duration.ofSeconds(30);
    private static final Duration READY_A_CPU = Duration.ofMillis(300);
    private static final Duration GUEST_READY = Duration.ofMinutes(4);
    private static final Duration GRACE = Duration.ofSeconds(20);

    private Patience() {}

    /**
     * Until threads stand ready: more for each CPU, since the probes of the trial before come off one after the other; a
     * guest may have to boot first.
     */
    static Duration untilReady(Optional<HostProfile> host) {
        int cpus = host.map(h -> h.topology().online().size()).orElse(0);
        Duration ready = READY.plus(READY_A_CPU.multipliedBy(cpus));
        return host.flatMap(HostProfile::guest).isPresent() ? ready.plus(GUEST_READY) : ready;
    }

    /** From go until a trial's last word. */
    static Duration untilDone(Optional<HostProfile> host, Timing timing) {
        int slowness = host.flatMap(HostProfile::guest)
                .map(HostProfile.Guest::slowness)
                .orElse(1);
        return timing.total().plus(GRACE).multipliedBy(slowness);
    }
}

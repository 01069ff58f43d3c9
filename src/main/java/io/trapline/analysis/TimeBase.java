package io.trapline.analysis;

import io.trapline.host.HostProfile;
import java.util.Optional;

/** What a host's times are made of. A ratio of two kinds says something of the hosts and nothing of the paths. */
enum TimeBase {
    /** A CPU ran the kernel, in a guest under KVM as on the machine itself. */
    HARDWARE("are a CPU's own"),
    /** The translator's speed, by the machine's clock. */
    EMULATED("are an emulator's"),
    /** As many nanoseconds as instructions were counted. */
    COUNTED("are counted instructions"),
    /** No kernel ran. */
    SIMULATED("are those of a host that is simulated, where no kernel ran");

    private final String words;

    TimeBase(String words) {
        this.words = words;
    }

    /** Of that host. */
    static TimeBase of(HostProfile host) {
        if (host.simulated()) {
            return SIMULATED;
        }
        if (host.countsInstructions()) {
            return COUNTED;
        }
        return host.emulated() ? EMULATED : HARDWARE;
    }

    /** Why these two hosts can't be compared, in words; empty when they can. */
    static Optional<String> differ(HostProfile baseline, HostProfile path) {
        TimeBase before = of(baseline);
        TimeBase after = of(path);
        return before == after
                ? Optional.empty()
                : Optional.of("times of %s %s, times of %s %s: what ran them is more of the ratio than the path"
                        .formatted(baseline.name(), before.words, path.name(), after.words));
    }
}

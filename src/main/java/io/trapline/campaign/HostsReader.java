package io.trapline.campaign;

import io.trapline.campaign.Campaign.Together;
import io.trapline.host.Spelled;
import java.time.Duration;
import java.util.Optional;

/** Reads the spec's {@code hosts: {select, run, skew}}: which hosts, and whether they run trials together. */
final class HostsReader {
    private static final Duration DEFAULT_SKEW = Duration.ofMillis(5);
    private static final Duration LEAST_SKEW = Duration.ofNanos(10_000);
    private static final Duration MOST_SKEW = Duration.ofSeconds(1);

    private final Section hosts;
    private final boolean together;

    private enum Run implements Spelled {
        EACH("each"),
        TOGETHER("together");

        private final String spelling;

        Run(String spelling) {
            this.spelling = spelling;
        }

        @Override
        public String spelling() {
            return spelling;
        }
    }

    /** For the hosts of that spec, which may leave them out. */
    HostsReader(Section spec) {
        hosts = spec.section("hosts", Keys.HOSTS);
        if (spec.has("hosts") && Keys.HOSTS.stream().noneMatch(hosts::has)) {
            hosts.required("select", "kernel>=6.15", SelectorReader::read);
        }
        together = hosts.orDefault("run", Run.EACH, v -> v.choice(Run.class)).equals(Optional.of(Run.TOGETHER));
    }

    /** Which hosts; empty for all, and after a problem was noted. */
    Optional<Selector> select() {
        return hosts.optional("select", SelectorReader::read);
    }

    /** How they run together, if they do. */
    Optional<Together> together() {
        Optional<Duration> skew = hosts.orDefault("skew", DEFAULT_SKEW, v -> v.duration(LEAST_SKEW, MOST_SKEW));
        if (hosts.has("skew") && !together) {
            hosts.refuse("skew", "skew is about hosts that run together", "add run: together, or leave skew out");
        }
        return together ? skew.map(Together::new) : Optional.empty();
    }

    /** Notes that such paths can't run together; nobody outside knows a guest's clock. */
    void refuseGuests() {
        if (together) {
            hosts.refuse("run", "run is together, and a path has a kernel to boot in a guest", "write run: each");
        }
    }
}

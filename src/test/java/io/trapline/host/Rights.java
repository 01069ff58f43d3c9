package io.trapline.host;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Optional;
import org.junit.jupiter.api.Assumptions;

/** What tests with real probes do where the rights for them are missing. */
final class Rights {
    private static final String REQUIRED = "TRAPLINE_REQUIRE_PROBES";

    private Rights() {}

    /** Skips the test that calls it when the host can't measure that, and says why; fails it where that's required. */
    static void need(Host host, Workload workload, Method method) {
        Optional<String> whyNot = host.profile().whyNot(workload, method);
        if ("1".equals(System.getenv(REQUIRED))) {
            assertThat(whyNot)
                    .as("%s=1, but %s can't be measured", REQUIRED, workload)
                    .isEmpty();
        }
        Assumptions.assumeTrue(whyNot.isEmpty(), () -> workload + " not tested: " + whyNot.orElseThrow());
    }
}

package io.trapline.host;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;

/** What tests with real probes do where the rights for them are missing. */
public final class Rights {
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

    /** The same for programs that must be on the PATH. */
    public static void needPrograms(List<String> programs) {
        List<String> missing = programs.stream().filter(p -> !isOnPath(p)).toList();
        if ("1".equals(System.getenv(REQUIRED))) {
            assertThat(missing)
                    .as("%s=1, but these are not installed", REQUIRED)
                    .isEmpty();
        }
        Assumptions.assumeTrue(missing.isEmpty(), () -> "guests not tested: not installed are " + missing);
    }

    private static boolean isOnPath(String program) {
        return Stream.of(System.getenv("PATH").split(File.pathSeparator, -1))
                .anyMatch(directory -> Files.isExecutable(Path.of(directory, program)));
    }
}

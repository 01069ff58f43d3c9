package io.trapline.host.guest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** When a guest that boots is given up, by looks at it that tests make up. */
class BootWatchTest {
    private final List<String> told = new ArrayList<>();

    @TempDir
    private Path directory;

    private Console console;

    @BeforeEach
    void writeAConsole() throws IOException {
        console = new Console(Files.writeString(directory.resolve("console.log"), "Probing EDD\n"));
    }

    @Test
    void aSilentGuestIsToldOnceWithItsConsoleAndThenGivenUp() throws GuestException {
        BootWatch watch = watch();
        watch.look(look(3.9, 100, 3.9, 0));
        assertThat(told).isEmpty();
        watch.look(look(4, 100, 3.5, 0));
        watch.look(look(29, 100, 28, 0));
        assertThat(told)
                .singleElement()
                .asString()
                .startsWith(
                        "the guest seems to hang: its console has been silent for 4.0 s, in which QEMU ran for 3.5 s;"
                                + " it is given up after 30 s")
                .endsWith("\nProbing EDD");
        assertThatThrownBy(() -> watch.look(look(30, 100, 29, 0)))
                .isInstanceOf(GuestException.class)
                .hasMessage("it hangs: its console has been silent for 30.0 s, in which QEMU ran for 29.0 s");
    }

    @Test
    void whatItWritesBeginsAnotherSilence() throws GuestException {
        BootWatch watch = watch();
        watch.look(look(29, 100, 29, 0));
        watch.look(look(29.5, 120, 29, 0));
        watch.look(look(58, 120, 29, 0));
        assertThat(told).hasSize(2);
    }

    @Test
    void theTimeThatItWaitsForACpuIsNoSilence() throws GuestException {
        BootWatch watch = watch();
        watch.look(look(100, 100, 3, 97));
        assertThat(told).isEmpty();
        assertThatThrownBy(() -> watch.look(look(110, 100, 30, 80))).hasMessageContaining("it hangs");
    }

    /** Each of its CPUs spins, and they share fewer CPUs: in each second, each thread waits for most of it. */
    @ParameterizedTest
    @ValueSource(ints = {2, 4, 7})
    void threadsThatWaitAtOnceHideNoHang(int spinning) throws GuestException {
        double share = 2.0 / spinning; // of two CPUs
        double looks = 30 / share;
        BootWatch watch = watch();
        watch.look(spinning(looks - 1, spinning, share));
        assertThat(told).hasSize(1);
        assertThatThrownBy(() -> watch.look(spinning(looks + 1, spinning, share)))
                .hasMessageContaining("it hangs: its console has been silent for 3");
    }

    @Test
    void aGuestThatTalksForEverIsGivenUpToo() {
        BootWatch watch = watch();
        assertThatThrownBy(() -> watch.look(look(120, 9999, 100, 0))).hasMessage("it sent no profile within 2 min");
    }

    @Test
    void whatTheKernelSaysOfItsEndIsReportedAtOnce() throws IOException {
        Files.writeString(console.file(), "[    2.1] Kernel panic - not syncing: No working init found.\n");
        assertThatThrownBy(() -> watch().look(look(0.2, 200, 0.2, 0)))
                .hasMessage("its kernel ended: No working init found.");
    }

    private BootWatch watch() {
        return new BootWatch(console, look(0, 100, 0, 0), BootWatch.PATIENCE, told::add);
    }

    /** Times in seconds. */
    private static BootWatch.Look look(double at, long written, double ran, double waited) {
        return new BootWatch.Look(ns(at), written, new CpuTime(Map.of("100", new CpuTime.Share(ns(ran), ns(waited)))));
    }

    /** So many threads that have each had that share of a CPU, and waited for the rest of the time. */
    private static BootWatch.Look spinning(double at, int threads, double share) {
        CpuTime.Share each = new CpuTime.Share(ns(at * share), ns(at * (1 - share)));
        return new BootWatch.Look(
                ns(at),
                100,
                new CpuTime(IntStream.range(0, threads)
                        .boxed()
                        .collect(Collectors.toMap(id -> String.valueOf(100 + id), id -> each))));
    }

    private static long ns(double seconds) {
        return Duration.ofMillis(Math.round(seconds * 1000)).toNanos();
    }
}

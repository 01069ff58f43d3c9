package io.trapline.campaign;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The one spelling of durations, and words that are near each other. */
class WordsTest {
    @ParameterizedTest
    @CsvSource({
        "0ms, 0",
        "1ns, 1",
        "999us, 999000",
        "500ms, 500000000",
        "1500ms, 1500000000",
        "2s, 2000000000",
        "90s, 90000000000",
        "1m, 60000000000",
        "60m, 3600000000000"
    })
    void aDurationIsSpelledInTheLargestUnitThatFits(String spelling, long ns) {
        assertThat(Durations.parse(spelling)).contains(Duration.ofNanos(ns));
        assertThat(Durations.parse(Durations.spell(Duration.ofNanos(ns)))).contains(Duration.ofNanos(ns));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"", "500", "ms", "0500ms", "5.0s", "500 ms", "-1s", "+1s", "1h", "1e3ms", "1000000000000ns", "٣s"
            })
    void nothingElseIsADuration(String text) {
        assertThat(Durations.parse(text)).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "500, ms, 500ms",
        "3, s, 3s",
        "0.5, s, 500ms",
        "0.5s, ms, 500ms",
        "500 ms, s, 500ms",
        "1.5 m, ms, 90s",
        "100MS, ms, 100ms",
        "0500ms, s, 500ms",
        "2 seconds, ms, 2s",
        "1min, s, 1m",
        "250µs, ms, 250us",
        "1500ms, s, 1500ms"
    })
    void theSpellingThatWasMeantIsOne(String text, String alone, String meant) {
        assertThat(Durations.meant(text, alone)).contains(meant);
        assertThat(Durations.parse(meant)).isPresent();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "soon", "1h", "0.5ns", "99999999999999m", "-1s"})
    void nothingIsMadeUpForWhatCantBeMeant(String text) {
        assertThat(Durations.meant(text, "ms")).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "rounds, rounds, 0",
        "Rounds, rounds, 0",
        "round, rounds, 1",
        "roudns, rounds, 1",
        "rouunds, rounds, 1",
        "sounds, rounds, 1",
        "'', rounds, 6",
        "xyz, rounds, 6"
    })
    void theDistanceOfWordsCountsTypingErrors(String a, String b, int distance) {
        assertThat(Nearest.distance(a, b)).isEqualTo(distance);
        assertThat(Nearest.distance(b, a)).isEqualTo(distance);
    }

    @Test
    void aWordIsMeantOnlyWhenItIsNear() {
        List<String> known = List.of("threads", "processes", "per-numa-node");

        assertThat(Nearest.to("thread", known)).contains("threads");
        assertThat(Nearest.to("proceses", known)).contains("processes");
        assertThat(Nearest.to("PROC", known)).contains("processes");
        assertThat(Nearest.to("p", known)).isEmpty();
        assertThat(Nearest.to("fibers", known)).isEmpty();
        assertThat(Nearest.to("scoop", List.of("with", "scope"))).contains("scope");
        assertThat(Nearest.to("wiht", List.of("scope", "with"))).contains("with");
        assertThat(Nearest.to("rin", List.of("select", "run", "skew"))).contains("run");
        assertThat(Nearest.inOrder("per-node", known)).containsExactly("per-numa-node", "threads", "processes");
    }
}

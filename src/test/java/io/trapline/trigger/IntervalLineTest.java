package io.trapline.trigger;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.util.Random;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Readings have a reader and a writer of their own; nobody can tell them from the general ones. */
class IntervalLineTest {
    private static final JsonMapper GENERAL = new JsonMapper();

    static Stream<Reply.Interval> readings() {
        Random random = new Random(7);
        return Stream.generate(() -> new Reply.Interval(
                        "t" + random.nextInt(100_000),
                        random.nextInt(1_000_000),
                        number(random),
                        number(random),
                        LongStream.generate(() -> number(random))
                                .limit(random.nextInt(70))
                                .toArray()))
                .limit(300);
    }

    /** Of any length that a long may have. */
    private static long number(Random random) {
        return random.nextLong() >>> (1 + random.nextInt(63));
    }

    @ParameterizedTest
    @MethodSource("readings")
    void isWrittenAsTheGeneralWriterWouldAndReadBackTheSame(Reply.Interval reading)
            throws JsonProcessingException, TriggerException {
        StringBuilder line = new StringBuilder();
        IntervalLine.write(reading, line);

        assertThat(line.toString()).isEqualTo(GENERAL.writerFor(Reply.class).writeValueAsString(reading));
        assertSame(new ReplyReader().read(line.toString()), reading);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{ \"type\":\"interval\", \"trial\":\"t\", \"seq\":3, \"ns\":4, \"readNs\":5, \"ops\":[ 6, 7 ] }",
                "{\"type\":\"interval\",\"ns\":4,\"seq\":3,\"ops\":[6,7],\"trial\":\"t\",\"readNs\":5}",
                "{\"type\":\"interval\",\"trial\":\"\\u0074\",\"seq\":3,\"ns\":4,\"readNs\":5,\"ops\":[6,7]}",
                "{\"type\":\"interval\",\"trial\":\"t\",\"seq\":3,\"ns\":4,\"readNs\":5,\"ops\":[6,7],\"later\":1}"
            })
    void anyOtherFormOfItMeansTheSame(String line) throws TriggerException {
        assertSame(new ReplyReader().read(line), new Reply.Interval("t", 3, 4, 5, new long[] {6, 7}));
    }

    @ParameterizedTest
    @MethodSource("readings")
    void aPartOfOneIsNone(Reply.Interval reading) {
        StringBuilder line = new StringBuilder();
        IntervalLine.write(reading, line);
        String part = line.substring(0, new Random(line.length()).nextInt(line.length()));
        String twice = line + line.toString();

        assertThatExceptionOfType(TriggerException.class).isThrownBy(() -> new ReplyReader().read(part));
        assertThatExceptionOfType(TriggerException.class).isThrownBy(() -> new ReplyReader().read(twice));
    }

    private static void assertSame(Reply read, Reply.Interval reading) {
        assertThat(read).usingRecursiveComparison().isEqualTo(reading);
    }
}

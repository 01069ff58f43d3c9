package io.trapline.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.dataformat.cbor.databind.CBORMapper;
import com.fasterxml.jackson.datatype.jdk8.Jdk8Module;
import io.trapline.trigger.Reply;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/**
 * Prints what a batch of readings takes in Kryo's columns and in Jackson's CBOR: bytes and time an interval, there and
 * back. Judges nothing; {@code src/bench/cluster wire} calls it.
 */
class BatchBench {
    private static final int CPUS = 64;
    private static final int READINGS = 10;
    private static final int WARM_UP = 2_000;
    private static final int TURNS = 10_000;

    private interface Way {
        Delivery.Readings thereAndBack(Delivery.Readings batch) throws Exception;

        int bytes(Delivery.Readings batch) throws Exception;
    }

    @Test
    void printsWhatABatchTakes() throws Exception {
        KryoSerializer kryo = new KryoSerializer();
        ObjectMapper cbor = new CBORMapper().registerModule(new Jdk8Module());
        Delivery.Readings batch = batch();
        print("Kryo, in columns", batch, new Way() {
            @Override
            public Delivery.Readings thereAndBack(Delivery.Readings b) throws Exception {
                return (Delivery.Readings) kryo.fromBinary(kryo.toBinary(b), kryo.manifest(b));
            }

            @Override
            public int bytes(Delivery.Readings b) {
                return kryo.toBinary(b).length;
            }
        });
        print("Jackson CBOR", batch, new Way() {
            @Override
            public Delivery.Readings thereAndBack(Delivery.Readings b) throws Exception {
                return cbor.readValue(cbor.writeValueAsBytes(b), Delivery.Readings.class);
            }

            @Override
            public int bytes(Delivery.Readings b) throws Exception {
                return cbor.writeValueAsBytes(b).length;
            }
        });
    }

    private static void print(String name, Delivery.Readings batch, Way way) throws Exception {
        assertThat(way.thereAndBack(batch).replies()).hasSize(READINGS);
        for (int i = 0; i < WARM_UP; i++) {
            way.thereAndBack(batch);
        }
        long began = System.nanoTime();
        for (int i = 0; i < TURNS; i++) {
            way.thereAndBack(batch);
        }
        double each = (System.nanoTime() - began) / (double) TURNS / READINGS;
        System.out.printf(
                Locale.ROOT,
                "batch of %d readings of %d CPUs, %-17s %6.1f bytes and %6.0f ns an interval%n",
                READINGS,
                CPUS,
                name + ":",
                way.bytes(batch) / (double) READINGS,
                each);
    }

    /** Readings a tenth of a second apart, at half a million operations a second on each CPU, none of them even. */
    private static Delivery.Readings batch() {
        List<Reply.Interval> readings = new ArrayList<>();
        for (int seq = 0; seq < READINGS; seq++) {
            long now = seq;
            long[] ops = LongStream.range(0, CPUS)
                    .map(cpu -> 1_000_000_000L + now * 50_000 + (cpu * 7919 + now * 104_729) % 997)
                    .toArray();
            readings.add(new Reply.Interval("t0001", seq, 7_000_000_000_000L + seq * 100_003_111L, 41_000, ops));
        }
        return new Delivery.Readings(new Origin("run1", new Attempt("t0001", 1), "worker-a"), 0, false, readings);
    }
}

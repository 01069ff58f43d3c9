package io.trapline.cluster;

import com.esotericsoftware.kryo.Kryo;
import com.esotericsoftware.kryo.Serializer;
import com.esotericsoftware.kryo.io.Input;
import com.esotericsoftware.kryo.io.Output;
import io.trapline.trigger.Reply;
import java.util.ArrayList;
import java.util.List;

/**
 * Writes readings in columns: sequence numbers, instants and each CPU's counter as the differences from one reading to
 * the next, which are small. A form that has changed needs another id in {@link KryoTable}.
 */
final class ReadingsCodec extends Serializer<Delivery.Readings> {
    ReadingsCodec() {
        super(false, true);
    }

    @Override
    public void write(Kryo kryo, Output out, Delivery.Readings batch) {
        Origin origin = batch.origin();
        out.writeString(origin.run());
        out.writeString(origin.attempt().trial());
        out.writeVarInt(origin.attempt().number(), true);
        out.writeString(origin.incarnation());
        out.writeVarLong(batch.first(), true);
        out.writeBoolean(batch.urgent());
        List<Reply.Interval> readings = batch.replies();
        int cpus = readings.get(0).ops().length;
        out.writeString(readings.get(0).trial());
        out.writeVarInt(readings.size(), true);
        out.writeVarInt(cpus, true);
        column(out, readings.stream().mapToLong(Reply.Interval::seq).toArray());
        column(out, readings.stream().mapToLong(Reply.Interval::ns).toArray());
        for (Reply.Interval reading : readings) {
            out.writeVarLong(reading.readNs(), true);
        }
        for (int cpu = 0; cpu < cpus; cpu++) {
            int index = cpu;
            column(out, readings.stream().mapToLong(r -> r.ops()[index]).toArray());
        }
    }

    @Override
    public Delivery.Readings read(Kryo kryo, Input in, Class<? extends Delivery.Readings> type) {
        Origin origin = new Origin(in.readString(), new Attempt(in.readString(), in.readVarInt(true)), in.readString());
        long first = in.readVarLong(true);
        boolean urgent = in.readBoolean();
        String trial = in.readString();
        int count = in.readVarInt(true);
        int cpus = in.readVarInt(true);
        checkSize(count, cpus, in.limit() - in.position());
        long[] seq = column(in, count);
        long[] ns = column(in, count);
        long[] readNs = new long[count];
        for (int i = 0; i < count; i++) {
            readNs[i] = in.readVarLong(true);
        }
        long[][] ops = new long[count][cpus];
        for (int cpu = 0; cpu < cpus; cpu++) {
            long[] counter = column(in, count);
            for (int i = 0; i < count; i++) {
                ops[i][cpu] = counter[i];
            }
        }
        List<Reply.Interval> readings = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            readings.add(new Reply.Interval(trial, seq[i], ns[i], readNs[i], ops[i]));
        }
        return new Delivery.Readings(origin, first, urgent, readings);
    }

    /** Differences wrap around as the numbers do, so all of 64 bits come through. */
    private static void column(Output out, long[] values) {
        long before = 0;
        for (long value : values) {
            out.writeVarLong(value - before, false);
            before = value;
        }
    }

    private static long[] column(Input in, int count) {
        long[] values = new long[count];
        long before = 0;
        for (int i = 0; i < count; i++) {
            before += in.readVarLong(false);
            values[i] = before;
        }
        return values;
    }

    /** Each counter takes a byte at least: what claims to hold more would have memory for nothing. */
    private static void checkSize(int count, int cpus, int bytes) {
        if (count < 1 || cpus < 0 || (long) count * (cpus + 3) > bytes) {
            throw new IllegalArgumentException(
                    count + " readings of " + cpus + " CPUs can't be in the " + bytes + " bytes of this message");
        }
    }
}

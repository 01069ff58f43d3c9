package io.trapline.cluster;

import com.esotericsoftware.kryo.Kryo;
import com.esotericsoftware.kryo.Serializer;
import java.util.List;
import java.util.zip.CRC32;

/**
 * Which classes Kryo writes, under which ids: frozen. A line is never changed, only added, with a new id; the two sides
 * of a cluster compare {@link #HASH} before they exchange anything.
 */
final class KryoTable {
    private static final List<Line> LINES = List.of(new Line(16, Delivery.Readings.class, new ReadingsCodec()));

    /** The same on two sides only if they agree in every line. */
    static final String HASH = hash();

    private KryoTable() {}

    private record Line(int id, Class<?> type, Serializer<?> codec) {
        @Override
        public String toString() {
            return id + "=" + type.getName() + " by " + codec.getClass().getName();
        }
    }

    /** A Kryo that knows these classes and refuses all others. For one thread at a time. */
    static Kryo newKryo() {
        Kryo kryo = new Kryo();
        kryo.setRegistrationRequired(true);
        kryo.setReferences(false);
        LINES.forEach(line -> kryo.register(line.type(), line.codec(), line.id()));
        return kryo;
    }

    private static String hash() {
        CRC32 crc = new CRC32();
        LINES.forEach(line -> crc.update((line + "\n").getBytes(java.nio.charset.StandardCharsets.UTF_8)));
        return Long.toHexString(crc.getValue());
    }
}

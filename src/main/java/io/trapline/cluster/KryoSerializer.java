package io.trapline.cluster;

import akka.serialization.SerializerWithStringManifest;
import com.esotericsoftware.kryo.Kryo;
import com.esotericsoftware.kryo.KryoException;
import com.esotericsoftware.kryo.io.Input;
import com.esotericsoftware.kryo.io.Output;
import com.esotericsoftware.kryo.util.Pool;
import java.io.NotSerializableException;

/** Akka's way to {@link KryoTable}; {@code trapline.conf} binds it to the batches of readings. */
final class KryoSerializer extends SerializerWithStringManifest {
    private static final int ID = 770_001;
    private static final String MANIFEST = "k1";
    private static final int FIRST_BUFFER = 1 << 10;
    private static final int LARGEST_BUFFER = 1 << 20;
    private static final int POOLED = 4;

    private final Pool<Kryo> kryos = new Pool<>(true, false, POOLED) {
        @Override
        protected Kryo create() {
            return KryoTable.newKryo();
        }
    };

    /** Called by Akka, by name. */
    KryoSerializer() {}

    @Override
    public int identifier() {
        return ID;
    }

    @Override
    public String manifest(Object message) {
        return MANIFEST;
    }

    @Override
    public byte[] toBinary(Object message) {
        Kryo kryo = kryos.obtain();
        try (Output out = new Output(FIRST_BUFFER, LARGEST_BUFFER)) {
            kryo.writeClassAndObject(out, message);
            return out.toBytes();
        } finally {
            kryos.free(kryo);
        }
    }

    @Override
    public Object fromBinary(byte[] bytes, String manifest) throws NotSerializableException {
        if (!manifest.equals(MANIFEST)) {
            throw new NotSerializableException("no message of a kind \"" + manifest + "\" is known here");
        }
        Kryo kryo = kryos.obtain();
        try (Input in = new Input(bytes)) {
            return kryo.readClassAndObject(in);
        } catch (KryoException | IllegalArgumentException e) {
            NotSerializableException refused = new NotSerializableException("these bytes are no message: " + e);
            refused.initCause(e);
            throw refused;
        } finally {
            kryos.free(kryo);
        }
    }
}

package io.trapline.host.simulated;

import java.time.Duration;
import java.util.function.LongSupplier;

/** The monotonic clock of a simulated host, which has been up for longer or shorter than others. Any thread may ask. */
public final class SimulatedClock {
    private static final double MILLION = 1e6;

    private final LongSupplier real;
    private long realBase;
    private long ownBase;
    private int ppm;

    /**
     * A clock that runs with another one.
     *
     * @param ahead how far it is ahead of that one
     */
    public SimulatedClock(LongSupplier real, Duration ahead) {
        this.real = real;
        this.realBase = real.getAsLong();
        this.ownBase = realBase + ahead.toNanos();
    }

    /** What it shows, in nanoseconds. */
    public long now() {
        return at(real());
    }

    /** The clock that it runs with. */
    long real() {
        return real.getAsLong();
    }

    /** What it shows at an instant of the clock that it runs with. */
    synchronized long at(long instant) {
        long passed = instant - realBase;
        return ownBase + passed + Math.round(passed * (ppm / MILLION));
    }

    /** How long it takes, in real nanoseconds, until it shows that; 0 when it has. */
    synchronized long until(long own) {
        return Math.max(0, Math.round((own - now()) / (1 + ppm / MILLION)));
    }

    synchronized void jump(Duration by) {
        ownBase += by.toNanos();
    }

    synchronized void drift(int millionths) {
        long own = now();
        realBase = real.getAsLong();
        ownBase = own;
        ppm = millionths;
    }
}

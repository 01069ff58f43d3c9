package io.trapline.analysis;

import io.trapline.journal.Readings;
import java.util.Arrays;

/** Rates from the stamps of the readings; the nominal length of an interval has no part in them. */
final class IntervalRates {
    static final double NS_PER_SECOND = 1e9;

    private IntervalRates() {}

    /** Operations a second in each interval; readings must be complete and ascend. */
    static double[] of(Readings readings) {
        double[] rates = new double[readings.size() - 1];
        for (int i = 0; i < rates.length; i++) {
            rates[i] = between(readings, i, i + 1);
        }
        return rates;
    }

    /** Operations a second from the first reading to the last. */
    static double overall(Readings readings) {
        return between(readings, 0, readings.size() - 1);
    }

    /** The middle one of some rates; of an even number the lower of the two in the middle, which was measured. */
    static double middle(double[] rates) {
        double[] ascending = rates.clone();
        Arrays.sort(ascending);
        return ascending[(ascending.length - 1) / 2];
    }

    private static double between(Readings readings, int from, int to) {
        return readings.opsBetween(from, to) * NS_PER_SECOND / (readings.ns(to) - readings.ns(from));
    }
}

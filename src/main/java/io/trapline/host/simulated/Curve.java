package io.trapline.host.simulated;

import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;

/**
 * How fast simulated CPUs are together: straight lines between points, in proportion below the first one, and no faster
 * beyond the last one.
 *
 * @param points operations a second by CPU count, at least one
 */
public record Curve(NavigableMap<Integer, Double> points) {
    public Curve {
        points = new TreeMap<>(points);
    }

    /** Operations a second of that many CPUs together. */
    public double rate(int cpus) {
        Map.Entry<Integer, Double> below = points.floorEntry(cpus);
        Map.Entry<Integer, Double> above = points.ceilingEntry(cpus);
        if (below == null) {
            return above.getValue() * cpus / above.getKey();
        }
        if (above == null || above.getKey().equals(below.getKey())) {
            return below.getValue();
        }
        double part = (double) (cpus - below.getKey()) / (above.getKey() - below.getKey());
        return below.getValue() + part * (above.getValue() - below.getValue());
    }
}

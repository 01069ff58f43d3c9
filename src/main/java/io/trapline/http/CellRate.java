package io.trapline.http;

/**
 * What was measured of a cell so far.
 *
 * @param trials how many have a result
 * @param opsPerSecond the mean of their rates
 */
public record CellRate(CellName cell, int trials, double opsPerSecond) {}

package io.trapline.cluster;

/**
 * Where a record comes from. Together with its sequence number, which counts the records of one origin from 0, it tells
 * each record from every other one.
 *
 * @param run the run's id
 * @param incarnation the start of the worker that ran the attempt
 */
record Origin(String run, Attempt attempt, String incarnation) {}

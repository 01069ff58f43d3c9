package io.trapline.cluster;

/**
 * The records of that origin with a sequence number below this one are on the coordinator's disk, or not wanted: the
 * worker need not keep them.
 */
record Receipt(Origin origin, long below) {}

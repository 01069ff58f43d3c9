package io.trapline.cluster;

/**
 * A message that may cross machines, as Jackson's CBOR. Only classes that carry this mark are written and read at all
 * ({@code trapline.conf} binds it); no message names a class, a path or a command.
 */
interface Wire {}

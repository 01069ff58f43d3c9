/* The versions that `profile` and --version print. PROTOCOL.md is the protocol itself. */
#ifndef TRAPLINE_PROTOCOL_H
#define TRAPLINE_PROTOCOL_H

#define PROTOCOL_VERSION 1
#define TRIGGER_VERSION "0.1.0"

#endif

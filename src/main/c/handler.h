/* The handlers of the signal workloads, and the proof that each signal was delivered. */
#ifndef TRAPLINE_HANDLER_H
#define TRAPLINE_HANDLER_H

#include <stdbool.h>

#include "counters.h"
#include "workloads.h"

/* Installs the handler of W for SIGUSR1 in this process. 0, or -1 with F filled. */
int handler_install(const struct workload *w, struct failure *f);

/*
 * Makes the calling thread ready: its handler counts into LANE. For ALTSTACK it gets its alternate stack; with SWAP a
 * second one, and the handler exchanges them each time.
 */
int handler_prepare(const struct workload *w, bool swap, struct lane *lane, struct failure *f);

/* After the last operation: was each handler entered on the stack that it expected, and is the right one set now? */
int handler_check(const struct workload *w, struct failure *f);

#endif

/* Which ways of measuring work for this process on this kernel: tried, not guessed. */
#ifndef TRAPLINE_CAN_H
#define TRAPLINE_CAN_H

#include "json.h"
#include "uprobe.h"

/*
 * The probes of the try, at a function's entry and at its return, still attached. To detach one takes the kernel 50
 * to 100 ms (it waits until no CPU can be in its handler), one after the other; so that is left for after the answer.
 */
struct can {
	struct probe entry, at_return;
};

/* Writes the field `can`. */
void can_write(struct json *j, struct can *c);

void can_close(struct can *c);

#endif

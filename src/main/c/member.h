/*
 * The inside of a process that does the work: its threads, from their first touch of memory to their last operation.
 */
#ifndef TRAPLINE_MEMBER_H
#define TRAPLINE_MEMBER_H

#include "team.h"

/*
 * The life of the process whose first seat is LEADER; called in the child, which inherited the pinning to that seat's
 * CPU. TRIGGER is its parent, whose death it does not survive.
 */
_Noreturn void member_process(const struct team *t, size_t leader, pid_t trigger);

#endif

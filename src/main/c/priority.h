/* The scheduling class of what is measured, and of the reader beside it: the ordinary one. */
#ifndef TRAPLINE_PRIORITY_H
#define TRAPLINE_PRIORITY_H

#include "failure.h"

/*
 * Gives the calling thread policy SCHED_OTHER and nice 0, whatever it inherited, and reads both back. What it creates
 * from then on inherits that. 0, or -1 with F filled.
 *
 * Under an inherited real-time policy (chrt, a service's CPUSchedulingPolicy=) members would spin at the priority of
 * the reader that is to stop them: a trial without end, and a machine without a CPU for anything else. And a nice
 * value would make rates depend on who started the trigger.
 */
int priority_reset(struct failure *f);

#endif

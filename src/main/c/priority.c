#include "priority.h"

#include <errno.h>
#include <sched.h>
#include <sys/resource.h>

static int reset_policy(struct failure *f)
{
	const struct sched_param none = {.sched_priority = 0};
	int policy;

	/*
	 * To leave a real-time policy needs no right, to leave SCHED_IDLE that to a better nice value. Only who has
	 * CAP_SYS_NICE may take SCHED_RESET_ON_FORK off again (sched_setscheduler(2)), so it is put on: what it does
	 * to children, SCHED_OTHER and no negative nice value, is what is wanted of them.
	 */
	if (sched_setscheduler(0, SCHED_OTHER | SCHED_RESET_ON_FORK, &none)) {
		failure_set(f, "sched_setscheduler", errno, "SCHED_OTHER");
		failure_fix(f, "start the program with an ordinary policy: chrt --other 0 COMMAND");
		return -1;
	}
	policy = sched_getscheduler(0);
	if (policy < 0)
		return failure_set(f, "sched_getscheduler", errno, "%s", "");
	policy &= ~SCHED_RESET_ON_FORK;
	return policy == SCHED_OTHER ? 0
				     : failure_set(f, "sched_getscheduler", 0,
						   "SCHED_OTHER was set, but policy %d reads back", policy);
}

static int reset_nice(struct failure *f)
{
	int nice;

	if (setpriority(PRIO_PROCESS, 0, 0)) { /* on Linux, of this thread alone */
		failure_set(f, "setpriority", errno, "nice 0");
		failure_fix(f, "start the program without nice, or as root");
		return -1;
	}
	errno = 0;
	nice = getpriority(PRIO_PROCESS, 0);
	if (errno)
		return failure_set(f, "getpriority", errno, "%s", "");
	return nice ? failure_set(f, "getpriority", 0, "nice 0 was set, but %d reads back", nice) : 0;
}

int priority_reset(struct failure *f)
{
	return reset_policy(f) || reset_nice(f) ? -1 : 0;
}

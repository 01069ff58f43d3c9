/*
 * All that the trigger waits for, in one place: command lines, a deadline, news of its members, the death of a
 * process, the end of its input or of its parent.
 */
#ifndef TRAPLINE_CONTROL_H
#define TRAPLINE_CONTROL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "failure.h"

#define NS_PER_S UINT64_C(1000000000)
#define LINE_MAX_BYTES 65536 /* a list of every second CPU of 8192 takes 24 KiB */

enum control_event {
	CONTROL_LINE,	  /* a line has been read */
	CONTROL_LONG,	  /* a line was longer than LINE_MAX_BYTES and has been dropped */
	CONTROL_MEMBERS,  /* a member has told something: look at the roster */
	CONTROL_CHILD,	  /* a process has ended: call waitpid */
	CONTROL_DEADLINE, /* the deadline has passed */
	CONTROL_END,	  /* end of input, SIGTERM, or the parent is dead: end everything now */
};

struct control {
	int in;	     /* command lines; a pipe, a terminal or a serial port */
	int signals; /* signalfd */
	int timer;   /* timerfd: a deadline to the nanosecond, without the slack of poll's timeout */
	int members; /* eventfd that the members write to */
	pid_t parent;
	bool ended, skipping;
	size_t length, consumed;
	char buffer[LINE_MAX_BYTES];
};

/* Takes over the signals of this process and ties its life to its parent's. 0, or -1 with F filled. */
int control_open(struct control *c, int in, struct failure *f);

/*
 * Waits for the next event; DEADLINE_NS is absolute, on CLOCK_MONOTONIC, 0 for none. With CONTROL_LINE, *LINE is the
 * text without its end, valid until the next call. Lines that are empty are skipped.
 */
enum control_event control_wait(struct control *c, uint64_t deadline_ns, char **line);

/* A member's side: wakes control_wait with CONTROL_MEMBERS. */
void control_tell(const struct control *c);

/* CLOCK_MONOTONIC in nanoseconds. */
uint64_t now_ns(void);

#endif

/*
 * The processes and threads of one trial, seen from the trigger. A model is nothing but a way to deal the CPUs out to
 * processes: all to one, one to each, or those of a NUMA node to one. The trigger itself never does the work: what is
 * measured shares no address space and no signal lock with the reader, and can always be killed.
 */
#ifndef TRAPLINE_TEAM_H
#define TRAPLINE_TEAM_H

#include "command.h"
#include "control.h"
#include "counters.h"
#include "cpulist.h"

struct process {
	pid_t pid;     /* 0: none, or reaped */
	size_t leader; /* its seats are those with this leader */
};

struct team {
	const struct request *request;
	const struct control *control;
	const struct target *target; /* NULL without a probe */
	struct cpuset allowed;	     /* the trigger's own CPUs before the trial */
	struct counters *counters;
	struct process *processes;
	size_t process_count;
};

/*
 * Seats and starts all members: each process is forked and each thread created on the CPU that it is for. Then the
 * trigger leaves those CPUs, if it is allowed on any other. 0, or -1 with F filled; call team_close either way.
 */
int team_start(struct team *t, const struct request *request, const struct control *control, struct failure *f);

/* True when every seat has reached STATE, or failed. */
bool team_reached(const struct team *t, enum member_state state);

/* 0, or -1 and F when a member reports a failure. */
int team_check(const struct team *t, struct failure *f);

/* 0, or -1 and F when a process has died before its work was done. */
int team_reap(struct team *t, struct failure *f);

/* Names the CPUs of the seats that have not reached STATE. Returns TEXT. */
char *team_missing(const struct team *t, enum member_state state, char *text, size_t size);

/* Opens the gate up to GATE, wakes all that wait there. START_NS: see struct counters. */
void team_open_gate(struct team *t, enum gate gate, uint64_t start_ns);

/* Tells every member to end after the operation in hand. */
void team_stop(struct team *t);

/* Kills and reaps what is still there, and gives the trigger its CPUs back. */
void team_close(struct team *t);

#endif

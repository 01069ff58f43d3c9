/*
 * The memory that the trigger shares with the processes that do the work: one roster, read and written in peace, and
 * one lane a thread, written and read while it is hot.
 */
#ifndef TRAPLINE_COUNTERS_H
#define TRAPLINE_COUNTERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "failure.h"

/* Two lines of 64 bytes: the adjacent-line prefetcher of x86 fetches pairs, and some arm64 cores have 128. */
#define LINE 128
#define TARGET_BYTES 16

/*
 * The hot words of one thread, alone on a page that the thread itself touched first, so that it lies on its NUMA
 * node. The reader of the counters takes the first line away for a moment, once an interval; the second stays shared
 * until the trigger writes it, once a trial. Volatile: each operation must really store, and really look.
 */
struct lane {
	_Alignas(LINE) volatile uint64_t operations;
	volatile uint64_t hits;	      /* entries of the signal handler */
	volatile uint64_t mismatches; /* handlers that did not find the alternate stack they expected */
	_Alignas(LINE) volatile uint32_t stop;
};

/* What a member has reached; it only ever goes up. */
enum member_state {
	MEMBER_ABSENT,
	MEMBER_READY,	/* pinned, of the ordinary scheduling class, its memory touched, its handler installed */
	MEMBER_LOOKED,	/* has looked at the target's bytes after the probe was attached */
	MEMBER_STARTED, /* about to do its first operation */
	MEMBER_DONE,	/* has ended after a whole operation */
	MEMBER_FAILED,
};

/* What one thread says about itself. Each is written by its thread, before the state that announces it. */
struct seat {
	int cpu;
	int group;     /* seats with the same number share a process */
	size_t leader; /* the first seat of this process: its main thread sits there */
	uint32_t state;
	pid_t pid, tid;
	int node, counter_node; /* -1: the kernel does not say */
	char mask[64];
	uint64_t first_ns;
	uint64_t voluntary_switches, involuntary_switches;
	int64_t migrations; /* -1: could not be counted */
	unsigned char bytes[TARGET_BYTES], attached[TARGET_BYTES];
	struct failure failure;
};

/* The gate that all members wait at; it only ever goes up. */
enum gate { GATE_CLOSED, GATE_LOOK, GATE_GO, GATE_STOP };

struct counters {
	uint32_t gate;	   /* a futex */
	uint64_t start_ns; /* with GATE_GO: the instant to start at, or 0 */
	size_t size;	   /* of the whole mapping */
	size_t count;	   /* of seats, and of lanes */
	unsigned char *lanes;
	size_t lane_size;
	struct seat seats[];
};

/* A zeroed mapping with COUNT seats, or NULL with F filled. The lanes are left untouched. */
struct counters *counters_map(size_t count, struct failure *f);
void counters_unmap(struct counters *c);

static inline struct lane *counters_lane(const struct counters *c, size_t seat)
{
	return (struct lane *)(void *)(c->lanes + seat * c->lane_size);
}

#endif

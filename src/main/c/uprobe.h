/*
 * Probes on the functions of targets.S, by perf_event_open(2) alone: a probe lives as long as its descriptors, so
 * nothing is left behind however this process ends. (A definition in tracefs would outlive it.)
 */
#ifndef TRAPLINE_UPROBE_H
#define TRAPLINE_UPROBE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "bpf.h"
#include "counters.h"
#include "failure.h"

enum attach { ATTACH_NONE, ATTACH_BPF, ATTACH_PERF };

struct target {
	const char *name;
	const char *instruction;       /* the first one, as an assembler writes it */
	const unsigned char *code;     /* TARGET_BYTES that a probe changes */
	const unsigned char *pristine; /* TARGET_BYTES that it does not */
};

/* The target of this name; NULL when there is none. */
const struct target *target_find(const char *name);

/* Whose hits one event sees: PID and CPU as perf_event_open(2) takes them: -1 for all, PID 0 for the caller. */
struct probe_site {
	pid_t pid;
	int cpu;
};

/*
 * Each event is a consumer of its own in the kernel: perf makes a private trace_uprobe for each
 * (create_local_trace_uprobe), and each hit walks them all, also those that count elsewhere. Measured on x86_64,
 * Linux 6.18, one thread on uprobe-nop: 454 ns a hit with one consumer, 520 with 4, 840 with 16, 1276 with 32.
 */
struct probe {
	enum attach attach;
	int *events;
	size_t count;
	struct bpf_counter bpf;
};

/*
 * Attaches to TARGET's entry, or AT_RETURN, one event a site. 0, or -1 with F filled and nothing left open. A zeroed
 * probe is none: it may be closed.
 */
int probe_open(struct probe *p, const struct target *target, bool at_return, enum attach attach,
	       const struct probe_site *sites, size_t count, struct failure *f);

/*
 * From now on a program counts the hits of a probe that was opened with ATTACH_PERF, from 0. 0, or -1 with F filled;
 * the probe is to be closed in both cases.
 */
int probe_hand_to_bpf(struct probe *p, struct failure *f);

/*
 * Reads the hits so far. BY_SEAT gets COUNT values: of ATTACH_BPF those on CPUS[i], of ATTACH_PERF those of site i.
 * TOTAL is the sum over all CPUs, or sites. 0, or -1 with F filled.
 */
int probe_hits(struct probe *p, const int *cpus, uint64_t *by_seat, size_t count, uint64_t *total, struct failure *f);

void probe_close(struct probe *p);

#endif

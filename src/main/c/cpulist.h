/* Sets of CPU ids: the kernel's list text, and affinity masks of any size. */
#ifndef TRAPLINE_CPULIST_H
#define TRAPLINE_CPULIST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "failure.h"

#define CPU_LIMIT 8192 /* the largest NR_CPUS that any architecture offers (x86 with MAXSMP) */

struct cpuset {
	uint64_t bits[CPU_LIMIT / 64];
};

void cpuset_add(struct cpuset *set, int cpu);
void cpuset_remove(struct cpuset *set, int cpu);
bool cpuset_has(const struct cpuset *set, int cpu);
size_t cpuset_count(const struct cpuset *set);

/* The smallest member that is not below FROM, or -1. */
int cpuset_next(const struct cpuset *set, int from);

/* Walks the members in ascending order. */
#define for_each_cpu(cpu, set) for (int cpu = cpuset_next((set), 0); cpu >= 0; cpu = cpuset_next((set), cpu + 1))

/*
 * Reads the kernel's list text ("0-3,8"; "" is the empty set). True, or false with WHY saying what is wrong with
 * which part. Ids up to 8191.
 */
bool cpulist_parse(const char *text, struct cpuset *set, char *why, size_t why_size);

/* Writes SET as list text, cut to SIZE with "..." at the end. Returns TEXT. */
char *cpulist_format(const struct cpuset *set, char *text, size_t size);

/* The calling thread's affinity mask. 0, or -1 with F filled. */
int affinity_get(struct cpuset *set, struct failure *f);

/* Sets the calling thread's affinity mask. 0, or -1 with errno. */
int affinity_set(const struct cpuset *set);

/* Pins the calling thread to one CPU; the failure names the CPU and what is online. 0 or -1. */
int affinity_pin(int cpu, struct failure *f);

#endif

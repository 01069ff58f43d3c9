/* The command lines of PROTOCOL.md, read strictly: what is not understood is refused, never guessed. */
#ifndef TRAPLINE_COMMAND_H
#define TRAPLINE_COMMAND_H

#include <stdbool.h>
#include <stdint.h>

#include "cpulist.h"
#include "uprobe.h"
#include "workloads.h"

#define TRIAL_NAME_MAX 128

enum model { MODEL_THREADS, MODEL_PROCESSES, MODEL_PER_NUMA_NODE };
enum scope { SCOPE_NONE, SCOPE_SYSTEM, SCOPE_PID };

/* One trial, as the line `run` asks for it. */
struct request {
	char trial[TRIAL_NAME_MAX + 1];
	const struct workload *workload;
	enum model model;
	struct cpuset cpus;
	enum attach attach;
	enum scope scope;
	bool swap; /* altstack=swap */
	bool libc; /* call=libc */
	uint64_t warmup_ns, interval_ns;
	uint64_t intervals;
};

/* Why a line is refused. */
struct refusal {
	char error[512];
	char fix[512];
};

/* LINE is cut into words in place. True, or false with R filled. */
bool command_parse_run(char *line, struct request *request, struct refusal *r);

/* "go" or "go at=NS"; START_NS is 0 for at once. */
bool command_parse_go(char *line, uint64_t *start_ns, struct refusal *r);

#endif

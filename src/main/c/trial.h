/* One trial in hand: what run.c drives and answer.c tells about. */
#ifndef TRAPLINE_TRIAL_H
#define TRAPLINE_TRIAL_H

#include "command.h"
#include "control.h"
#include "json.h"
#include "team.h"
#include "uprobe.h"

struct trial {
	const struct request *request;
	struct control *control;
	struct json *out;
	struct team team;
	struct probe probe;
	struct failure failure;
	size_t count; /* of CPUs */
	int *cpus;
	uint64_t *values;  /* room for one number a CPU */
	uint64_t start_ns; /* when the last member started */
	uint64_t overruns;
	long steal_begin_ms, steal_end_ms;
};

#endif

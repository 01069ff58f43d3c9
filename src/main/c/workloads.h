/* The operations that a thread repeats. The table is workloads.def. */
#ifndef TRAPLINE_WORKLOADS_H
#define TRAPLINE_WORKLOADS_H

#include <stdbool.h>

#include "counters.h"

enum workload_kind { BASELINE, UPROBE, URETPROBE, SIGNAL, ALTSTACK };

struct workload {
	const char *name;
	enum workload_kind kind;
	const char *operation;

	/* Repeats the operation until LANE says stop; LIBC asks for the library's form where there are two. */
	void (*loop)(struct lane *lane, bool libc);
};

/* The workloads in the order of the table; NULL after the last. */
const struct workload *workload_first(void);
const struct workload *workload_next(const struct workload *w);

/* NULL when there is none of this name. */
const struct workload *workload_find(const char *name);

bool workload_is_probe(const struct workload *w);
bool workload_is_signal(const struct workload *w);

#endif

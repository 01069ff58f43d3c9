/* The one BPF program of the trigger: it counts its runs in a per-CPU map. */
#ifndef TRAPLINE_BPF_H
#define TRAPLINE_BPF_H

#include <stddef.h>
#include <stdint.h>

#include "failure.h"

struct bpf_counter {
	int map, program; /* descriptors */
	size_t cpus;	  /* values in the map: one for each possible CPU */
	uint64_t *values;
};

/* Makes the map and loads the program. 0, or -1 with F filled and nothing left open. */
int bpf_counter_open(struct bpf_counter *b, struct failure *f);

/* Reads the counts of all CPUs into B->values, by CPU id. */
int bpf_counter_read(struct bpf_counter *b, struct failure *f);

void bpf_counter_close(struct bpf_counter *b);

#endif

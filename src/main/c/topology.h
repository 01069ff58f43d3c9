/* What is read on a host: CPUs, NUMA nodes, kernel, and the settings that add noise. See PROTOCOL.md, `profile`. */
#ifndef TRAPLINE_TOPOLOGY_H
#define TRAPLINE_TOPOLOGY_H

#include "json.h"

/* Writes the `cpus`, `nodes` and list fields below ROOT ("" for this machine). */
void topology_write(struct json *j, const char *root);

/* The NUMA node of a CPU of this machine; 0 when the kernel knows no nodes. */
int topology_node_of(int cpu);

#endif

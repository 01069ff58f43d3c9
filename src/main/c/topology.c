#include "topology.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sysfile.h"

#define CPU_DIRECTORY "sys/devices/system/cpu"
#define NODE_DIRECTORY "sys/devices/system/node"

/* The processor models of /proc/cpuinfo, by CPU id. */
struct models {
	char *of[CPU_LIMIT];
};

static void write_cpu_file(struct json *j, const char *key, const char *root, int cpu, const char *name,
			   const char *older_name)
{
	char *text = sysfile_text(root, CPU_DIRECTORY "/cpu%d/%s", cpu, name);

	if (!text && older_name)
		text = sysfile_text(root, CPU_DIRECTORY "/cpu%d/%s", cpu, older_name);
	json_text(j, key, text);
	free(text);
}

static void write_cpu_number(struct json *j, const char *key, const char *root, int cpu, const char *name)
{
	unsigned long number;

	if (sysfile_number(root, &number, CPU_DIRECTORY "/cpu%d/%s", cpu, name))
		json_number(j, key, number);
}

/* The last-level cache is the one with the highest level that does not hold instructions alone. */
static void write_last_level_cache(struct json *j, const char *root, int cpu)
{
	unsigned long best_level = 0, level;
	struct cpuset indexes;
	char directory[PATH_MAX];
	int best = -1;

	snprintf(directory, sizeof(directory), CPU_DIRECTORY "/cpu%d/cache", cpu);
	sysfile_ids(root, directory, "index", &indexes);
	for_each_cpu (index, &indexes) {
		char type[32];

		sysfile_read(root, type, sizeof(type), "%s/index%d/type", directory, index);
		if (strcmp(type, "Instruction") &&
		    sysfile_number(root, &level, "%s/index%d/level", directory, index) && level > best_level) {
			best_level = level;
			best = index;
		}
	}
	if (best < 0)
		return;
	snprintf(directory, sizeof(directory), "cache/index%d/shared_cpu_list", best);
	write_cpu_file(j, "llc", root, cpu, directory, NULL);
	json_number(j, "llcLevel", best_level);
}

/* x86 names a model; arm64 gives numbers, from which a name of the same use is made. */
static void read_models(struct models *models, const char *root)
{
	FILE *file = sysfile_open(root, "proc/cpuinfo");
	char *line = NULL, implementer[32] = "", part[32], name[128];
	size_t capacity = 0;
	int cpu = -1;

	memset(models, 0, sizeof(*models));
	if (!file)
		return;
	while (getline(&line, &capacity, file) > 0) {
		name[0] = '\0';
		if (sscanf(line, "processor : %d", &cpu) == 1 && (cpu < 0 || cpu >= CPU_LIMIT))
			cpu = -1;
		if (sscanf(line, "CPU part : %31s", part) == 1)
			snprintf(name, sizeof(name), "implementer %s part %s", implementer, part);
		else if (sscanf(line, "CPU implementer : %31s", implementer) != 1)
			sscanf(line, "model name : %127[^\n]", name);
		if (cpu >= 0 && name[0] && !models->of[cpu])
			models->of[cpu] = strdup(name);
	}
	free(line);
	fclose(file);
}

static void write_cpus(struct json *j, const char *root)
{
	struct cpuset present, online;
	struct models models;
	char *online_text = sysfile_text(root, CPU_DIRECTORY "/online");
	char why[128];

	if (!online_text || !cpulist_parse(online_text, &online, why, sizeof(why)))
		memset(&online, 0, sizeof(online));
	free(online_text);
	sysfile_ids(root, CPU_DIRECTORY, "cpu", &present);
	read_models(&models, root);
	json_open(j, "cpus", '[');
	for_each_cpu (cpu, &present) {
		json_open(j, NULL, '{');
		json_number(j, "id", (uint64_t)cpu);
		json_bool(j, "online", cpuset_has(&online, cpu));
		write_cpu_number(j, "package", root, cpu, "topology/physical_package_id");
		write_cpu_number(j, "core", root, cpu, "topology/core_id");
		write_cpu_file(j, "siblings", root, cpu, "topology/thread_siblings_list", "topology/core_cpus_list");
		write_cpu_file(j, "packageCpus", root, cpu, "topology/core_siblings_list",
			       "topology/package_cpus_list");
		write_last_level_cache(j, root, cpu);
		write_cpu_number(j, "maxKHz", root, cpu, "cpufreq/cpuinfo_max_freq");
		write_cpu_file(j, "governor", root, cpu, "cpufreq/scaling_governor", NULL);
		json_text(j, "model", models.of[cpu]);
		json_close(j, '{');
	}
	json_close(j, '[');
	for (int cpu = 0; cpu < CPU_LIMIT; cpu++)
		free(models.of[cpu]);
}

/* A line "Node 0 MemTotal:  24000 kB", or "MemTotal: 24000 kB" in /proc/meminfo. */
static void write_memory(struct json *j, const char *key, const char *text, const char *field)
{
	const char *at = text ? strstr(text, field) : NULL;

	if (at)
		json_number(j, key, strtoull(at + strlen(field), NULL, 10));
}

static void write_nodes(struct json *j, const char *root)
{
	struct cpuset nodes;

	sysfile_ids(root, NODE_DIRECTORY, "node", &nodes);
	json_open(j, "nodes", '[');
	for_each_cpu (node, &nodes) {
		char *cpus = sysfile_text(root, NODE_DIRECTORY "/node%d/cpulist", node);
		char *distances = sysfile_text(root, NODE_DIRECTORY "/node%d/distance", node);
		char *memory = sysfile_text(root, NODE_DIRECTORY "/node%d/meminfo", node);

		json_open(j, NULL, '{');
		json_number(j, "id", (uint64_t)node);
		json_text(j, "cpus", cpus);
		json_text(j, "distances", distances);
		write_memory(j, "memTotalKiB", memory, "MemTotal:");
		write_memory(j, "memFreeKiB", memory, "MemFree:");
		json_close(j, '{');
		free(cpus);
		free(distances);
		free(memory);
	}
	json_close(j, '[');
}

/* The affinity mask of this process; of a copied tree, what its /proc/self/status or its online list says. */
static void write_allowed(struct json *j, const char *root)
{
	static const char field[] = "Cpus_allowed_list:";
	char text[CPU_LIMIT * 5], *status, *at;
	struct cpuset allowed;
	struct failure failure;

	if (!*root) {
		if (!affinity_get(&allowed, &failure))
			json_text(j, "allowed", cpulist_format(&allowed, text, sizeof(text)));
		return;
	}
	status = sysfile_text(root, "proc/self/status");
	at = status ? strstr(status, field) : NULL;
	if (at && sscanf(at + strlen(field), "%40959s", text) == 1)
		json_text(j, "allowed", text);
	else
		sysfile_write(j, "allowed", root, CPU_DIRECTORY "/online");
	free(status);
}

void topology_write(struct json *j, const char *root)
{
	static const char *const lists[][2] = {
		{"present", CPU_DIRECTORY "/present"},	  {"online", CPU_DIRECTORY "/online"},
		{"possible", CPU_DIRECTORY "/possible"},  {"offline", CPU_DIRECTORY "/offline"},
		{"isolated", CPU_DIRECTORY "/isolated"},  {"nohzFull", CPU_DIRECTORY "/nohz_full"},
		{"smt", CPU_DIRECTORY "/smt/control"},	  {"nodesOnline", NODE_DIRECTORY "/online"},
		{"cpuCore", "sys/devices/cpu_core/cpus"}, {"cpuAtom", "sys/devices/cpu_atom/cpus"},
	};

	for (size_t i = 0; i < sizeof(lists) / sizeof(lists[0]); i++)
		sysfile_write(j, lists[i][0], root, lists[i][1]);
	write_allowed(j, root);
	write_cpus(j, root);
	write_nodes(j, root);
}

int topology_node_of(int cpu)
{
	struct cpuset nodes;
	char directory[PATH_MAX];
	int node;

	/* cpuN holds a link nodeM to its node. */
	snprintf(directory, sizeof(directory), CPU_DIRECTORY "/cpu%d", cpu);
	sysfile_ids("", directory, "node", &nodes);
	node = cpuset_next(&nodes, 0);
	return node < 0 ? 0 : node;
}

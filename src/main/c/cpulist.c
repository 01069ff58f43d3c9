#include "cpulist.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "sysfile.h"

void cpuset_add(struct cpuset *set, int cpu)
{
	set->bits[cpu / 64] |= UINT64_C(1) << (cpu % 64);
}

void cpuset_remove(struct cpuset *set, int cpu)
{
	set->bits[cpu / 64] &= ~(UINT64_C(1) << (cpu % 64));
}

bool cpuset_has(const struct cpuset *set, int cpu)
{
	return cpu >= 0 && cpu < CPU_LIMIT && (set->bits[cpu / 64] >> (cpu % 64) & 1);
}

size_t cpuset_count(const struct cpuset *set)
{
	size_t count = 0;

	for (size_t i = 0; i < CPU_LIMIT / 64; i++)
		count += (size_t)__builtin_popcountll(set->bits[i]);
	return count;
}

int cpuset_next(const struct cpuset *set, int from)
{
	for (int cpu = from; cpu < CPU_LIMIT; cpu = (cpu / 64 + 1) * 64) {
		uint64_t rest = set->bits[cpu / 64] >> (cpu % 64);

		if (rest)
			return cpu + __builtin_ctzll(rest);
	}
	return -1;
}

/* Reads one id at *TEXT and moves behind it; -1 when there is none, or none that is small enough. */
static int parse_id(const char **text)
{
	const char *digit = *text;
	int id = 0;

	while (*digit >= '0' && *digit <= '9' && id < CPU_LIMIT)
		id = id * 10 + (*digit++ - '0');
	if (digit == *text || id >= CPU_LIMIT)
		return -1;
	*text = digit;
	return id;
}

bool cpulist_parse(const char *text, struct cpuset *set, char *why, size_t why_size)
{
	const char *at = text;

	memset(set, 0, sizeof(*set));
	if (!*text)
		return true;
	do {
		const char *part = at;
		int first = parse_id(&at);
		int last = first;

		if (first >= 0 && *at == '-') {
			at++;
			last = parse_id(&at);
		}
		if (first < 0 || last < first || (*at && *at != ',')) {
			snprintf(why, why_size, "\"%.*s\" is no CPU id or range of ids up to %d",
				 (int)strcspn(part, ","), part, CPU_LIMIT - 1);
			return false;
		}
		for (int cpu = first; cpu <= last; cpu++)
			cpuset_add(set, cpu);
	} while (*at++);
	return true;
}

char *cpulist_format(const struct cpuset *set, char *text, size_t size)
{
	size_t used = 0;

	text[0] = '\0';
	for_each_cpu (first, set) {
		int last = first;
		char range[32];

		while (cpuset_has(set, last + 1))
			last++;
		snprintf(range, sizeof(range), last > first ? "%s%d-%d" : "%s%d", used ? "," : "", first, last);
		if (used + strlen(range) + sizeof("...") > size) {
			strcpy(text + used, "...");
			return text;
		}
		strcpy(text + used, range);
		used += strlen(range);
		first = last;
	}
	return text;
}

/*
 * The raw call, because the library's cpu_set_t ends at 1024 CPUs. The kernel refuses a buffer that is shorter than
 * its own mask with EINVAL, so the buffer begins with one word and grows until the kernel is content.
 */
int affinity_get(struct cpuset *set, struct failure *f)
{
	uint64_t *mask = NULL;
	long length = -1;

	for (size_t size = sizeof(*mask); size <= (1 << 20); size *= 2) {
		free(mask);
		mask = calloc(1, size);
		if (!mask)
			return failure_set(f, "malloc", ENOMEM, "affinity mask");
		length = syscall(SYS_sched_getaffinity, 0, size, mask);
		if (length >= 0 || errno != EINVAL)
			break;
	}
	if (length < 0) {
		free(mask);
		return failure_set(f, "sched_getaffinity", errno, "%s", "");
	}
	memset(set, 0, sizeof(*set));
	memcpy(set->bits, mask, (size_t)length < sizeof(set->bits) ? (size_t)length : sizeof(set->bits));
	free(mask);
	return 0;
}

int affinity_set(const struct cpuset *set)
{
	return syscall(SYS_sched_setaffinity, 0, sizeof(set->bits), set->bits) < 0 ? -1 : 0;
}

int affinity_pin(int cpu, struct failure *f)
{
	struct cpuset one = {0};
	char online[256];

	cpuset_add(&one, cpu);
	if (!affinity_set(&one))
		return 0;
	failure_set(f, "sched_setaffinity", errno, "CPU %d", cpu);
	if (errno == EINVAL) {
		sysfile_read("", online, sizeof(online), "sys/devices/system/cpu/online");
		failure_fix(f, "CPU %d is offline or outside this process's cpuset; online: %s", cpu, online);
	}
	return -1;
}

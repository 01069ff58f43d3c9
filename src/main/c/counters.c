#include "counters.h"

#include <errno.h>
#include <sys/mman.h>
#include <unistd.h>

struct counters *counters_map(size_t count, struct failure *f)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE);
	size_t roster = (sizeof(struct counters) + count * sizeof(struct seat) + page - 1) / page * page;
	size_t size = roster + count * page;
	struct counters *c = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);

	if (c == MAP_FAILED) {
		failure_set(f, "mmap", errno, "%zu bytes of counters", size);
		return NULL;
	}
	/* A huge page would put the lanes of many nodes on one. Kernels without huge pages refuse: no harm. */
	madvise(c, size, MADV_NOHUGEPAGE);
	c->size = size;
	c->count = count;
	c->lane_size = page;
	c->lanes = (unsigned char *)c + roster;
	return c;
}

void counters_unmap(struct counters *c)
{
	if (c)
		munmap(c, c->size);
}

#include "workloads.h"

#include <signal.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "arch.h"

/*
 * What is measured, at a glance: the operation, a counter in a register, its store into the thread's own line, and a
 * look at a line that nobody writes until the end. On x86_64 that is five instructions beside the operation.
 */
#define REPEAT(lane, operation)                                                                                      \
	for (uint64_t count = 0; !(lane)->stop; (lane)->operations = ++count)                                        \
	operation

/* Loops begin on a line of their own, so that a change elsewhere in the program does not move them across one. */
#define LOOP(name)                                                                                                   \
	static __attribute__((noinline, aligned(64))) void loop_##name(struct lane *lane,                            \
								       __attribute__((unused)) bool libc)

void target_nop(void);
void target_push(void);
void target_ret(void);

LOOP(count)
{
	REPEAT(lane, {});
}

LOOP(getppid)
{
	REPEAT(lane, raw_syscall0(SYS_getppid));
}

LOOP(nop)
{
	REPEAT(lane, target_nop());
}

LOOP(push)
{
	REPEAT(lane, target_push());
}

LOOP(ret)
{
	REPEAT(lane, target_ret());
}

LOOP(raise)
{
	long pid = getpid(), tid = syscall(SYS_gettid);

	if (libc)
		REPEAT(lane, raise(SIGUSR1));
	else
		REPEAT(lane, raw_syscall3(SYS_tgkill, pid, tid, SIGUSR1));
}

static const struct workload workloads[] = {
#define WORKLOAD(name, kind, operation, text) {name, kind, #operation, loop_##operation},
#include "workloads.def"
#undef WORKLOAD
};

static const struct workload *const end = workloads + sizeof(workloads) / sizeof(workloads[0]);

const struct workload *workload_first(void)
{
	return workloads;
}

const struct workload *workload_next(const struct workload *w)
{
	return w + 1 < end ? w + 1 : NULL;
}

const struct workload *workload_find(const char *name)
{
	for (const struct workload *w = workloads; w < end; w++)
		if (!strcmp(w->name, name))
			return w;
	return NULL;
}

bool workload_is_probe(const struct workload *w)
{
	return w->kind == UPROBE || w->kind == URETPROBE;
}

bool workload_is_signal(const struct workload *w)
{
	return w->kind == SIGNAL || w->kind == ALTSTACK;
}

#include "member.h"

#include <errno.h>
#include <linux/futex.h>
#include <linux/mempolicy.h>
#include <linux/perf_event.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "handler.h"
#include "priority.h"

#define STACK_SIZE 262144
#define GUARD_SIZE 65536 /* the largest page of arm64 */

struct member {
	const struct team *team;
	struct seat *seat;
	struct lane *lane;
	bool leads;
	pthread_t thread;
	int migrations; /* a perf event, or -1 */
};

static void announce(struct member *m, enum member_state state)
{
	__atomic_store_n(&m->seat->state, state, __ATOMIC_RELEASE);
	control_tell(m->team->control);
}

static int check_mask(struct member *m)
{
	struct cpuset mask;

	if (affinity_get(&mask, &m->seat->failure))
		return -1;
	cpulist_format(&mask, m->seat->mask, sizeof(m->seat->mask));
	if (cpuset_count(&mask) == 1 && cpuset_has(&mask, m->seat->cpu))
		return 0;
	failure_set(&m->seat->failure, "sched_getaffinity", 0, "pinned to CPU %d, but the mask reads \"%s\"",
		    m->seat->cpu, m->seat->mask);
	failure_fix(&m->seat->failure, "leave the trial's threads, cpuset and CPUs alone while it runs");
	return -1;
}

/* The counters' page is touched here for the first time, by the thread that will write it. */
static void touch_lane(struct member *m)
{
	unsigned int cpu, node;
	int counter_node;

	m->lane->operations = 0;
	m->seat->node = syscall(SYS_getcpu, &cpu, &node, NULL) ? -1 : (int)node;
	m->seat->counter_node = -1;
	if (!syscall(SYS_get_mempolicy, &counter_node, NULL, 0, m->lane, MPOL_F_NODE | MPOL_F_ADDR))
		m->seat->counter_node = counter_node;
}

/* Best effort: without the right to watch the kernel there is no such counter, and the field is left out. */
static int open_migrations(void)
{
	struct perf_event_attr attributes = {
		.size = sizeof(attributes),
		.type = PERF_TYPE_SOFTWARE,
		.config = PERF_COUNT_SW_CPU_MIGRATIONS,
	};

	return (int)syscall(SYS_perf_event_open, &attributes, 0, -1, -1, PERF_FLAG_FD_CLOEXEC);
}

static int prepare(struct member *m)
{
	const struct team *t = m->team;

	m->seat->pid = getpid();
	m->seat->tid = (pid_t)syscall(SYS_gettid);
	if (check_mask(m) || priority_reset(&m->seat->failure))
		return -1;
	touch_lane(m);
	if (workload_is_signal(t->request->workload) &&
	    handler_prepare(t->request->workload, t->request->swap, m->lane, &m->seat->failure))
		return -1;
	m->migrations = open_migrations();
	if (t->target && m->leads)
		memcpy(m->seat->bytes, t->target->code, TARGET_BYTES);
	return 0;
}

static enum gate wait_for_gate(struct counters *c, enum gate wanted)
{
	enum gate gate;

	while ((gate = __atomic_load_n(&c->gate, __ATOMIC_ACQUIRE)) < wanted)
		syscall(SYS_futex, &c->gate, FUTEX_WAIT, gate, NULL, NULL, 0);
	return gate;
}

/* Sleeps to the instant that was asked for; a stop ends the sleep. */
static void wait_for_start(struct counters *c)
{
	struct timespec at = {
		.tv_sec = (time_t)(c->start_ns / NS_PER_S),
		.tv_nsec = (long)(c->start_ns % NS_PER_S),
	};

	while (__atomic_load_n(&c->gate, __ATOMIC_ACQUIRE) == GATE_GO && now_ns() < c->start_ns)
		syscall(SYS_futex, &c->gate, FUTEX_WAIT_BITSET, GATE_GO, &at, NULL, FUTEX_BITSET_MATCH_ANY);
}

static void work(struct member *m)
{
	struct rusage before, after;
	uint64_t migrations;

	getrusage(RUSAGE_THREAD, &before);
	m->seat->first_ns = now_ns();
	announce(m, MEMBER_STARTED);
	m->team->request->workload->loop(m->lane, m->team->request->libc);
	getrusage(RUSAGE_THREAD, &after);
	m->seat->voluntary_switches = (uint64_t)(after.ru_nvcsw - before.ru_nvcsw);
	m->seat->involuntary_switches = (uint64_t)(after.ru_nivcsw - before.ru_nivcsw);
	m->seat->migrations = -1;
	if (m->migrations >= 0 && read(m->migrations, &migrations, sizeof(migrations)) == sizeof(migrations))
		m->seat->migrations = (int64_t)migrations;
}

static void *live(void *argument)
{
	struct member *m = argument;
	struct counters *c = m->team->counters;
	const struct workload *w = m->team->request->workload;

	if (prepare(m)) {
		announce(m, MEMBER_FAILED);
		return NULL;
	}
	announce(m, MEMBER_READY);
	wait_for_gate(c, GATE_LOOK);
	if (m->team->target && m->leads)
		memcpy(m->seat->attached, m->team->target->code, TARGET_BYTES);
	announce(m, MEMBER_LOOKED);
	wait_for_gate(c, GATE_GO);
	wait_for_start(c);
	work(m);
	/* Whoever else moves a thread (taskset, a cpuset, a CPU that goes offline) makes it share another one's CPU.
	 */
	if (check_mask(m) || (workload_is_signal(w) && handler_check(w, &m->seat->failure)))
		announce(m, MEMBER_FAILED);
	else
		announce(m, MEMBER_DONE);
	return NULL;
}

/*
 * The creator pins itself to the thread's CPU first, so that the stack and the thread's control block, which the
 * library writes before the thread runs, are touched there. The library's own cache of stacks is of no use for that.
 */
static int create_thread(struct member *m)
{
	struct failure *f = &m->seat->failure;
	pthread_attr_t attributes;
	unsigned char *stack;
	int error;

	if (affinity_pin(m->seat->cpu, f))
		return -1;
	stack = mmap(NULL, GUARD_SIZE + STACK_SIZE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_STACK,
		     -1, 0);
	if (stack == MAP_FAILED || mprotect(stack, GUARD_SIZE, PROT_NONE))
		return failure_set(f, "mmap", errno, "a stack of %d bytes", STACK_SIZE);
	pthread_attr_init(&attributes);
	pthread_attr_setstack(&attributes, stack + GUARD_SIZE, STACK_SIZE);
	error = pthread_create(&m->thread, &attributes, live, m);
	pthread_attr_destroy(&attributes);
	return error ? failure_set(f, "pthread_create", error, "the thread of CPU %d", m->seat->cpu) : 0;
}

/* Fills the members of this process, its leader first. Returns their number. */
static size_t gather(const struct team *t, size_t leader, struct member *members)
{
	size_t count = 0;

	for (size_t seat = leader; seat < t->counters->count; seat++) {
		if (t->counters->seats[seat].leader != leader)
			continue;
		members[count++] = (struct member){
			.team = t,
			.seat = &t->counters->seats[seat],
			.lane = counters_lane(t->counters, seat),
			.leads = seat == leader,
		};
	}
	return count;
}

_Noreturn void member_process(const struct team *t, size_t leader, pid_t trigger)
{
	struct member *members = calloc(t->counters->count, sizeof(*members));
	struct failure *f = &t->counters->seats[leader].failure;
	size_t count = members ? gather(t, leader, members) : 0;

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	prctl(PR_SET_TIMERSLACK, 1UL);
	if (!members || getppid() != trigger)
		_exit(1);
	if (workload_is_signal(t->request->workload) && handler_install(t->request->workload, f)) {
		announce(&members[0], MEMBER_FAILED);
		_exit(1);
	}
	for (size_t i = 1; i < count; i++) {
		if (create_thread(&members[i])) {
			announce(&members[i], MEMBER_FAILED);
			_exit(1);
		}
	}
	/* The main thread takes the first seat itself: a process of one CPU is a process of one thread. */
	if (affinity_pin(members[0].seat->cpu, f)) {
		announce(&members[0], MEMBER_FAILED);
		_exit(1);
	}
	live(&members[0]);
	for (size_t i = 1; i < count; i++)
		pthread_join(members[i].thread, NULL);
	_exit(0);
}

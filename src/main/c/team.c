#include "team.h"

#include <errno.h>
#include <limits.h>
#include <linux/futex.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "member.h"
#include "topology.h"

#define REAP_TIMEOUT_NS UINT64_C(2000000000)

/* The number that the CPUs of one process have in common. */
static int group_of(enum model model, int cpu)
{
	switch (model) {
	case MODEL_THREADS:
		return 0;
	case MODEL_PROCESSES:
		return cpu;
	case MODEL_PER_NUMA_NODE:
		return topology_node_of(cpu);
	}
	return 0;
}

static size_t leader_of(const struct counters *c, size_t seat)
{
	for (size_t i = 0; i < seat; i++)
		if (c->seats[i].group == c->seats[seat].group)
			return i;
	return seat;
}

/* Deals the seats out in ascending order of the CPUs. Those of a NUMA node need not be neighbours. */
static void deal_seats(struct team *t)
{
	struct seat *seat = t->counters->seats;
	size_t index = 0;

	for_each_cpu (cpu, &t->request->cpus) {
		seat[index].cpu = cpu;
		seat[index].group = group_of(t->request->model, cpu);
		seat[index].leader = leader_of(t->counters, index);
		index++;
	}
}

static int start_process(struct team *t, size_t leader, struct failure *f)
{
	struct process *p = &t->processes[t->process_count];
	pid_t trigger = getpid();

	/* Pinned before the fork, so that even the child's page tables and copied stack lie on its node. */
	if (affinity_pin(t->counters->seats[leader].cpu, f))
		return -1;
	p->leader = leader;
	p->pid = fork();
	if (p->pid < 0) {
		p->pid = 0;
		return failure_set(f, "fork", errno, "the process of CPU %d", t->counters->seats[leader].cpu);
	}
	if (!p->pid)
		member_process(t, leader, trigger);
	t->process_count++;
	return 0;
}

/* The reader keeps off the measured CPUs, unless there are no others. */
static int leave_measured_cpus(const struct team *t, struct failure *f)
{
	struct cpuset rest = t->allowed;

	for_each_cpu (cpu, &t->request->cpus)
		cpuset_remove(&rest, cpu);
	if (affinity_set(cpuset_count(&rest) ? &rest : &t->allowed))
		return failure_set(f, "sched_setaffinity", errno, "the trigger itself");
	return 0;
}

int team_start(struct team *t, const struct request *request, const struct control *control, struct failure *f)
{
	size_t count = cpuset_count(&request->cpus);

	*t = (struct team){.request = request, .control = control};
	if (workload_is_probe(request->workload))
		t->target = target_find(request->workload->operation);
	if (affinity_get(&t->allowed, f))
		return -1;
	t->counters = counters_map(count, f);
	if (!t->counters)
		return -1;
	t->processes = calloc(count, sizeof(*t->processes));
	if (!t->processes)
		return failure_set(f, "malloc", ENOMEM, "%zu processes", count);
	deal_seats(t);
	for (size_t seat = 0; seat < count; seat++)
		if (t->counters->seats[seat].leader == seat && start_process(t, seat, f))
			return -1;
	return leave_measured_cpus(t, f);
}

static enum member_state state_of(const struct team *t, size_t seat)
{
	return __atomic_load_n(&t->counters->seats[seat].state, __ATOMIC_ACQUIRE);
}

bool team_reached(const struct team *t, enum member_state state)
{
	for (size_t seat = 0; seat < t->counters->count; seat++)
		if (state_of(t, seat) < state)
			return false;
	return true;
}

static void describe_cpus(const struct team *t, size_t leader, char *text, size_t size)
{
	struct cpuset cpus = {0};

	for (size_t seat = leader; seat < t->counters->count; seat++)
		if (t->counters->seats[seat].leader == leader)
			cpuset_add(&cpus, t->counters->seats[seat].cpu);
	cpulist_format(&cpus, text, size);
}

static int process_failure(const struct team *t, const struct process *p, pid_t pid, int status, struct failure *f)
{
	char cpus[128];

	describe_cpus(t, p->leader, cpus, sizeof(cpus));
	if (WIFSIGNALED(status))
		return failure_set(f, "waitpid", 0, "process %d of CPUs %s was killed by signal %d (%s)", (int)pid,
				   cpus, WTERMSIG(status), strsignal(WTERMSIG(status)));
	return failure_set(f, "waitpid", 0, "process %d of CPUs %s ended with status %d before its work was done",
			   (int)pid, cpus, WEXITSTATUS(status));
}

static bool process_done(const struct team *t, const struct process *p)
{
	for (size_t seat = p->leader; seat < t->counters->count; seat++)
		if (t->counters->seats[seat].leader == p->leader && state_of(t, seat) != MEMBER_DONE)
			return false;
	return true;
}

int team_check(const struct team *t, struct failure *f)
{
	for (size_t seat = 0; seat < t->counters->count; seat++) {
		if (state_of(t, seat) == MEMBER_FAILED) {
			*f = t->counters->seats[seat].failure;
			return -1;
		}
	}
	return 0;
}

int team_reap(struct team *t, struct failure *f)
{
	for (size_t i = 0; i < t->process_count; i++) {
		struct process *p = &t->processes[i];
		pid_t pid = p->pid;
		int status;

		if (!pid || waitpid(pid, &status, WNOHANG) != pid)
			continue;
		p->pid = 0;
		if (status || !process_done(t, p))
			return process_failure(t, p, pid, status, f);
	}
	return 0;
}

char *team_missing(const struct team *t, enum member_state state, char *text, size_t size)
{
	struct cpuset cpus = {0};

	for (size_t seat = 0; seat < t->counters->count; seat++)
		if (state_of(t, seat) < state)
			cpuset_add(&cpus, t->counters->seats[seat].cpu);
	return cpulist_format(&cpus, text, size);
}

void team_open_gate(struct team *t, enum gate gate, uint64_t start_ns)
{
	t->counters->start_ns = start_ns;
	__atomic_store_n(&t->counters->gate, gate, __ATOMIC_RELEASE);
	syscall(SYS_futex, &t->counters->gate, FUTEX_WAKE, INT_MAX, NULL, NULL, 0);
}

void team_stop(struct team *t)
{
	for (size_t seat = 0; seat < t->counters->count; seat++)
		counters_lane(t->counters, seat)->stop = 1;
	team_open_gate(t, GATE_STOP, 0);
}

static size_t reap_killed(struct team *t)
{
	size_t left = 0;

	for (size_t i = 0; i < t->process_count; i++) {
		struct process *p = &t->processes[i];

		if (p->pid && waitpid(p->pid, NULL, WNOHANG))
			p->pid = 0;
		left += p->pid != 0;
	}
	return left;
}

void team_close(struct team *t)
{
	uint64_t deadline = now_ns() + REAP_TIMEOUT_NS;
	size_t left;

	for (size_t i = 0; i < t->process_count; i++)
		if (t->processes[i].pid)
			kill(t->processes[i].pid, SIGKILL);
	while ((left = reap_killed(t)) && now_ns() < deadline)
		nanosleep(&(struct timespec){.tv_nsec = 500000}, NULL);
	if (left)
		fprintf(stderr, "trapline-trigger: %zu processes do not end after SIGKILL\n", left);
	if (cpuset_count(&t->allowed))
		affinity_set(&t->allowed);
	free(t->processes);
	counters_unmap(t->counters);
	*t = (struct team){0};
}

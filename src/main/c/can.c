#include "can.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <sched.h>
#include <signal.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "counters.h"
#include "handler.h"
#include "workloads.h"

/* Calls the target once, and looks whether exactly one hit was counted. */
static int call_once(struct probe *probe, const struct target *target, struct failure *f)
{
	uint64_t hits, total;
	int cpu = 0;

	if (!memcmp(target->code, target->pristine, TARGET_BYTES))
		return failure_set(f, "probe", 0, "attached, but the target holds no breakpoint");
	((void (*)(void))(uintptr_t)target->code)();
	if (probe_hits(probe, &cpu, &hits, 1, &total, f))
		return -1;
	return total == 1 ? 0
			  : failure_set(f, "probe", 0, "called once, counted %llu hits", (unsigned long long)total);
}

/* In a process of its own, which the handler and a signal that nobody takes can only end. */
static int try_signal(struct failure *f)
{
	const struct workload *w = workload_find("signal-raise");
	static struct lane lane;
	int status;
	pid_t child = fork();

	if (child < 0)
		return failure_set(f, "fork", errno, "%s", "");
	if (!child) {
		bool ready = !handler_install(w, f) && !handler_prepare(w, false, &lane, f);

		_exit(ready && !syscall(SYS_tgkill, getpid(), syscall(SYS_gettid), SIGUSR1) && lane.hits == 1 ? 0
													      : 1);
	}
	while (waitpid(child, &status, 0) < 0)
		if (errno != EINTR)
			return failure_set(f, "waitpid", errno, "%s", "");
	return status ? failure_set(f, "tgkill", 0, "a signal to oneself was not delivered") : 0;
}

static void write_result(struct json *j, const char *what, int result, const struct failure *f)
{
	json_open(j, NULL, '{');
	json_text(j, "what", what);
	json_bool(j, "ok", !result);
	if (result)
		json_failure(j, f);
	json_close(j, '{');
}

/*
 * The right to watch all processes, which scope=system takes and scope=pid does not: perf_allow_cpu asks the kernel's
 * security modules for it. Tried with an event that counts nothing, because a system-wide probe would change the text
 * of all that run this program, and so disturb a trial that another trigger has in hand.
 */
static int try_to_watch_all(struct failure *f)
{
	struct perf_event_attr attributes = {
		.size = sizeof(attributes),
		.type = PERF_TYPE_SOFTWARE,
		.config = PERF_COUNT_SW_DUMMY,
	};
	int cpu = sched_getcpu();
	int event = (int)syscall(SYS_perf_event_open, &attributes, -1, cpu, -1, PERF_FLAG_FD_CLOEXEC);

	if (event < 0)
		return failure_set(f, "perf_event_open", errno, "an event for all processes on CPU %d", cpu);
	close(event);
	return 0;
}

/*
 * Attaches to this process, and tries both ways of counting on the one event; see struct can for why not on two.
 * TARGET is probed by nobody else: had it a probe already, a breakpoint would prove nothing, and were it one that is
 * measured, a trial that another trigger has in hand would count the call as a hit.
 */
static void try_probe(struct json *j, struct probe *probe, const struct target *target, bool at_return,
		      const char *by_bpf, const char *by_perf)
{
	struct probe_site here = {.pid = 0, .cpu = -1};
	struct failure perf_failure = {0}, bpf_failure = {0};
	int perf, bpf;

	if (probe_open(probe, target, at_return, ATTACH_PERF, &here, 1, &perf_failure) ||
	    try_to_watch_all(&perf_failure)) {
		/* Without an event, or the right to one, no program can be attached to one. */
		perf = bpf = -1;
		bpf_failure = perf_failure;
	} else {
		perf = call_once(probe, target, &perf_failure);
		bpf = probe_hand_to_bpf(probe, &bpf_failure);
		if (!bpf)
			bpf = call_once(probe, target, &bpf_failure);
	}
	write_result(j, by_bpf, bpf, &bpf_failure);
	write_result(j, by_perf, perf, &perf_failure);
}

void can_write(struct json *j, struct can *c)
{
	struct failure f = {0};

	json_open(j, "can", '[');
	try_probe(j, &c->entry, target_find("try-entry"), false, "uprobe-bpf", "uprobe-perf");
	try_probe(j, &c->at_return, target_find("try-return"), true, "uretprobe-bpf", "uretprobe-perf");
	write_result(j, "signal", try_signal(&f), &f);
	json_close(j, '[');
}

void can_close(struct can *c)
{
	probe_close(&c->entry);
	probe_close(&c->at_return);
}

#include "can.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "counters.h"
#include "handler.h"
#include "uprobe.h"
#include "workloads.h"

struct attempt {
	const char *what;
	bool at_return;
	enum attach attach;
	struct probe probe;
	int result;
	struct failure failure;
	pthread_t closer;
	bool closing;
};

/* Attaches to this process, calls the target once, and looks whether exactly one hit was counted. */
static int try_probe(struct attempt *a, const struct target *target)
{
	struct probe_site here = {.pid = 0, .cpu = -1};
	uint64_t hits, total;
	int cpu = 0;

	if (probe_open(&a->probe, target, a->at_return, a->attach, &here, 1, &a->failure))
		return -1;
	if (!memcmp(target->code, target->pristine, TARGET_BYTES))
		return failure_set(&a->failure, "probe", 0, "attached, but the target holds no breakpoint");
	((void (*)(void))(uintptr_t)target->code)();
	if (probe_hits(&a->probe, &cpu, &hits, 1, &total, &a->failure))
		return -1;
	return total == 1 ? 0
			  : failure_set(&a->failure, "probe", 0, "called once, counted %llu hits",
					(unsigned long long)total);
}

static void *close_probe(void *attempt)
{
	probe_close(&((struct attempt *)attempt)->probe);
	return NULL;
}

/*
 * The kernel waits for grace periods of RCU before it lets go of a probe, some 80 ms each; at the same time they wait
 * for the same ones. A thread that can't be had costs time alone.
 */
static void close_together(struct attempt *attempts, size_t count)
{
	for (struct attempt *a = attempts; a < attempts + count; a++) {
		a->closing = !pthread_create(&a->closer, NULL, close_probe, a);
		if (!a->closing)
			close_probe(a);
	}
	for (struct attempt *a = attempts; a < attempts + count; a++)
		if (a->closing)
			pthread_join(a->closer, NULL);
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

void can_write(struct json *j)
{
	struct attempt attempts[] = {
		{.what = "uprobe-bpf", .attach = ATTACH_BPF},
		{.what = "uprobe-perf", .attach = ATTACH_PERF},
		{.what = "uretprobe-bpf", .attach = ATTACH_BPF, .at_return = true},
		{.what = "uretprobe-perf", .attach = ATTACH_PERF, .at_return = true},
	};
	const size_t count = sizeof(attempts) / sizeof(attempts[0]);
	struct failure f = {0};

	for (size_t i = 0; i < count; i++)
		attempts[i].result = try_probe(&attempts[i], target_find("nop"));
	close_together(attempts, count);
	json_open(j, "can", '[');
	for (size_t i = 0; i < count; i++)
		write_result(j, attempts[i].what, attempts[i].result, &attempts[i].failure);
	write_result(j, "signal", try_signal(&f), &f);
	json_close(j, '[');
}

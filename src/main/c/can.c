#include "can.h"

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "counters.h"
#include "handler.h"
#include "uprobe.h"
#include "workloads.h"

/* Attaches to this process, calls the target once, and looks whether exactly one hit was counted. */
static int try_probe(const char *operation, bool at_return, enum attach attach, struct failure *f)
{
	const struct target *target = target_find(operation);
	struct probe_site here = {.pid = 0, .cpu = -1};
	uint64_t hits, total;
	struct probe probe;
	int cpu = 0, result;

	if (probe_open(&probe, target, at_return, attach, &here, 1, f))
		return -1;
	if (!memcmp(target->code, target->pristine, TARGET_BYTES)) {
		result = failure_set(f, "probe", 0, "attached, but the target holds no breakpoint");
	} else {
		((void (*)(void))(uintptr_t)target->code)();
		result = probe_hits(&probe, &cpu, &hits, 1, &total, f);
		if (!result && total != 1)
			result = failure_set(f, "probe", 0, "called once, counted %llu hits",
					     (unsigned long long)total);
	}
	probe_close(&probe);
	return result;
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
	static const struct {
		const char *what;
		bool at_return;
		enum attach attach;
	} probes[] = {
		{"uprobe-bpf", false, ATTACH_BPF},
		{"uprobe-perf", false, ATTACH_PERF},
		{"uretprobe-bpf", true, ATTACH_BPF},
		{"uretprobe-perf", true, ATTACH_PERF},
	};
	struct failure f = {0};

	json_open(j, "can", '[');
	for (size_t i = 0; i < sizeof(probes) / sizeof(probes[0]); i++)
		write_result(j, probes[i].what, try_probe("nop", probes[i].at_return, probes[i].attach, &f), &f);
	write_result(j, "signal", try_signal(&f), &f);
	json_close(j, '[');
}

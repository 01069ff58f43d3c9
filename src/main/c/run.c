#include "run.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "answer.h"
#include "sysfile.h"
#include "trial.h"

#define FARTHEST_START_NS UINT64_C(3600000000000) /* a start that lies an hour ahead is a mistake */

/* How a step of the trial came out. */
enum step { STEP_DONE, STEP_STOPPED, STEP_FAILED, STEP_ENDED };

static void refuse_now(struct trial *t, const char *line)
{
	struct refusal r = {.fix = "send stop, or wait for done"};

	snprintf(r.error, sizeof(r.error), "trial %s is in hand", t->request->trial);
	answer_refused(t->out, line, &r);
}

/*
 * Waits for one event and deals with what is the same in every step. STEP_DONE: there is something new to look at, in
 * *EVENT; of the lines only `go` comes through, to the step that wants it.
 */
static enum step next_event(struct trial *t, uint64_t deadline_ns, enum control_event *event, char **line)
{
	*event = control_wait(t->control, deadline_ns, line);
	if (*event == CONTROL_END)
		return STEP_ENDED;
	if ((*event == CONTROL_CHILD || *event == CONTROL_MEMBERS) && team_check(&t->team, &t->failure))
		return STEP_FAILED; /* before the death that it may have caused */
	if (*event == CONTROL_CHILD && team_reap(&t->team, &t->failure))
		return STEP_FAILED;
	if (*event == CONTROL_LONG)
		refuse_now(t, "");
	if (*event == CONTROL_LINE && !strcmp(*line, "stop"))
		return STEP_STOPPED;
	return STEP_DONE;
}

/*
 * Waits until all members have reached STATE, which takes no time but where the machine is busy with other things,
 * and each of them, and each of the consumers that its operations pass, has to get its turn: 10 s and 0.1 s for each.
 * They begin now, or at FROM_NS when that is later; what came before, such as an attach of a second a consumer, is
 * not paid for from them.
 */
static enum step await_members(struct trial *t, enum member_state state, uint64_t from_ns, const char *what)
{
	uint64_t now = now_ns(), patience_s = 10 + t->count / 10;
	uint64_t deadline_ns = (from_ns > now ? from_ns : now) + patience_s * NS_PER_S;

	while (!team_reached(&t->team, state)) {
		enum control_event event;
		char *line, missing[128];
		enum step step = next_event(t, deadline_ns, &event, &line);

		if (step != STEP_DONE)
			return step;
		if (event == CONTROL_LINE)
			refuse_now(t, line);
		if (event == CONTROL_DEADLINE) {
			team_missing(&t->team, state, missing, sizeof(missing));
			failure_set(&t->failure, "wait", 0, "the threads of CPUs %s did not %s within %u s", missing,
				    what, (unsigned int)patience_s);
			return STEP_FAILED;
		}
	}
	return team_check(&t->team, &t->failure) ? STEP_FAILED : STEP_DONE;
}

/* Where the events go. With BPF one event sees all CPUs, or all threads of a process: see uprobe.c. */
static size_t choose_sites(const struct trial *t, struct probe_site *sites)
{
	const struct seat *seats = t->team.counters->seats;
	bool system = t->request->scope == SCOPE_SYSTEM;
	size_t count = 0;

	for (size_t i = 0; i < t->count; i++) {
		if (t->request->attach == ATTACH_BPF && (system ? i > 0 : seats[i].leader != i))
			continue;
		sites[count++] = system ? (struct probe_site){.pid = -1, .cpu = seats[i].cpu}
					: (struct probe_site){.pid = seats[i].tid, .cpu = -1};
	}
	return count;
}

/* Every process must see the code as it was assembled before, and a breakpoint after. */
static int check_bytes(struct trial *t, bool attached)
{
	const struct target *target = t->team.target;

	for (size_t i = 0; i < t->count; i++) {
		const struct seat *seat = &t->team.counters->seats[i];
		bool pristine = !memcmp(attached ? seat->attached : seat->bytes, target->pristine, TARGET_BYTES);

		if (seat->leader != i || pristine == !attached)
			continue;
		if (attached)
			return failure_set(&t->failure, "probe", 0,
					   "attached, but target %s of process %d holds no breakpoint", target->name,
					   (int)seat->pid);
		failure_set(&t->failure, "probe", 0, "another probe is on target %s of this program already",
			    target->name);
		failure_fix(&t->failure, "end other trials on this machine; list others' probes: perf probe -l, or "
					 "/sys/kernel/tracing/uprobe_events");
		return -1;
	}
	return 0;
}

static enum step attach(struct trial *t)
{
	struct probe_site *sites;
	int result;

	if (check_bytes(t, false))
		return STEP_FAILED;
	sites = calloc(t->count, sizeof(*sites));
	if (!sites) {
		failure_set(&t->failure, "malloc", ENOMEM, "%zu probe sites", t->count);
		return STEP_FAILED;
	}
	result = probe_open(&t->probe, t->team.target, t->request->workload->kind == URETPROBE, t->request->attach,
			    sites, choose_sites(t, sites), &t->failure);
	free(sites);
	return result ? STEP_FAILED : STEP_DONE;
}

static enum step prepare(struct trial *t)
{
	enum step step;

	if (team_start(&t->team, t->request, t->control, &t->failure))
		return STEP_FAILED;
	for (size_t i = 0; i < t->count; i++)
		t->cpus[i] = t->team.counters->seats[i].cpu;
	step = await_members(t, MEMBER_READY, 0, "get ready");
	if (step == STEP_DONE && t->team.target)
		step = attach(t);
	if (step != STEP_DONE)
		return step;
	team_open_gate(&t->team, GATE_LOOK, 0);
	step = await_members(t, MEMBER_LOOKED, 0, "look at the target");
	if (step == STEP_DONE && t->team.target && check_bytes(t, true))
		step = STEP_FAILED;
	return step;
}

/* Waits for `go`, however long that takes: whoever may send it is alive, or this ends. */
static enum step await_go(struct trial *t, uint64_t *at_ns)
{
	for (;;) {
		enum control_event event;
		struct refusal r;
		char *line;
		enum step step = next_event(t, 0, &event, &line);

		if (step != STEP_DONE)
			return step;
		if (event != CONTROL_LINE)
			continue;
		if (strncmp(line, "go", 2))
			refuse_now(t, line);
		else if (command_parse_go(line, at_ns, &r))
			return STEP_DONE;
		else
			answer_refused(t->out, line, &r);
	}
}

static enum step start(struct trial *t)
{
	uint64_t at_ns, first_ns = UINT64_MAX, now;
	enum step step = await_go(t, &at_ns);

	if (step != STEP_DONE)
		return step;
	now = now_ns();
	if (at_ns && (at_ns <= now || at_ns - now > FARTHEST_START_NS)) {
		failure_set(&t->failure, "go", 0, "%s", at_ns <= now ? "late" : "more than an hour ahead");
		failure_fix(&t->failure, "it is %llu now on this machine", (unsigned long long)now);
		return STEP_FAILED;
	}
	team_open_gate(&t->team, GATE_GO, at_ns);
	step = await_members(t, MEMBER_STARTED, at_ns, "start");
	if (step != STEP_DONE)
		return step;
	for (size_t i = 0; i < t->count; i++) {
		uint64_t ns = t->team.counters->seats[i].first_ns;

		first_ns = ns < first_ns ? ns : first_ns;
		t->start_ns = ns > t->start_ns ? ns : t->start_ns;
	}
	answer_started(t, first_ns);
	return STEP_DONE;
}

/* A probe that is attached but never fires looks like a very fast one. */
static int check_fired(struct trial *t)
{
	uint64_t total;

	if (t->request->workload->kind == BASELINE)
		return 0;
	if (trial_hits(t, &total))
		return -1;
	for (size_t i = 0; i < t->count; i++) {
		if (t->values[i])
			continue;
		return failure_set(&t->failure, "probe", 0,
				   "nothing was hit on CPU %d during the warm-up, in %llu operations", t->cpus[i],
				   (unsigned long long)counters_lane(t->team.counters, i)->operations);
	}
	return 0;
}

static enum step await_reading(struct trial *t, uint64_t deadline_ns)
{
	for (;;) {
		enum control_event event;
		char *line;
		enum step step = next_event(t, deadline_ns, &event, &line);

		if (step != STEP_DONE || event == CONTROL_DEADLINE)
			return step;
		if (event == CONTROL_LINE)
			refuse_now(t, line);
	}
}

static enum step measure(struct trial *t)
{
	const struct request *request = t->request;
	uint64_t due_ns = t->start_ns + request->warmup_ns;

	for (uint64_t sequence = 0; sequence <= request->intervals; sequence++, due_ns += request->interval_ns) {
		enum step step;

		/*
		 * A reader that was held up past its next deadline does not make up for it: readings microseconds
		 * apart would be rates of nothing. The schedule moves on from here, and the trial lasts longer.
		 */
		if (sequence && now_ns() > due_ns) {
			t->overruns++;
			due_ns = now_ns() + request->interval_ns;
		}
		step = await_reading(t, due_ns);
		if (step != STEP_DONE)
			return step;
		answer_interval(t, sequence);
		if (!sequence) {
			t->steal_begin_ms = sysfile_steal_ms(&request->cpus);
			if (check_fired(t))
				return STEP_FAILED;
		}
	}
	return STEP_DONE;
}

static enum step finish(struct trial *t, bool stopped)
{
	enum step step;

	if (!stopped)
		t->steal_end_ms = sysfile_steal_ms(&t->request->cpus);
	team_stop(&t->team);
	do /* a second stop asks for nothing new */
		step = await_members(t, MEMBER_DONE, 0, "end");
	while (step == STEP_STOPPED);
	if (step == STEP_DONE && answer_done(t, stopped))
		step = STEP_FAILED;
	return step;
}

static enum step run_steps(struct trial *t)
{
	enum step step = prepare(t);

	if (step == STEP_DONE) {
		answer_ready(t);
		step = start(t);
	}
	if (step == STEP_DONE)
		step = measure(t);
	if (step == STEP_DONE || step == STEP_STOPPED)
		step = finish(t, step == STEP_STOPPED);
	return step;
}

bool run_trial(const struct request *request, struct control *control, struct json *out)
{
	size_t count = cpuset_count(&request->cpus);
	struct trial t = {
		.request = request,
		.control = control,
		.out = out,
		.count = count,
		.cpus = calloc(count, sizeof(*t.cpus)),
		.values = calloc(count, sizeof(*t.values)),
	};
	enum step step = STEP_FAILED;

	if (t.cpus && t.values)
		step = run_steps(&t);
	else
		failure_set(&t.failure, "malloc", ENOMEM, "%zu counters", count);
	/* In this order: members that spin do not wait for the kernel to let go of the probes, which takes it a
	 * while. */
	team_close(&t.team);
	probe_close(&t.probe);
	free(t.cpus);
	free(t.values);
	if (step == STEP_FAILED)
		answer_failed(&t);
	return step != STEP_ENDED;
}

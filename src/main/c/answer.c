#include "answer.h"

#define READINGS_KEPT_NS 500000000ULL
#define READINGS_KEPT_BYTES 32768 /* half of what a pipe takes without its reader */

void answer_refused(struct json *out, const char *line, const struct refusal *r)
{
	json_begin(out, "refused");
	json_text(out, "line", line);
	json_text(out, "error", r->error);
	json_text(out, "fix", r->fix[0] ? r->fix : NULL);
	json_send(out);
}

void answer_failed(struct trial *t)
{
	json_begin(t->out, "failed");
	json_text(t->out, "trial", t->request->trial);
	json_failure(t->out, &t->failure);
	json_send(t->out);
}

void answer_ready(struct trial *t)
{
	const struct seat *seats = t->team.counters->seats;

	json_begin(t->out, "ready");
	json_text(t->out, "trial", t->request->trial);
	if (t->team.target) {
		json_bytes(t->out, "bytes", seats[0].bytes, TARGET_BYTES);
		json_bytes(t->out, "attached", seats[0].attached, TARGET_BYTES);
		json_text(t->out, "instruction", t->team.target->instruction);
		json_number(t->out, "consumers", t->probe.count);
	}
	json_open(t->out, "threads", '[');
	for (size_t i = 0; i < t->count; i++) {
		json_open(t->out, NULL, '{');
		json_number(t->out, "cpu", (uint64_t)seats[i].cpu);
		json_number(t->out, "pid", (uint64_t)seats[i].pid);
		json_number(t->out, "tid", (uint64_t)seats[i].tid);
		json_text(t->out, "mask", seats[i].mask);
		if (seats[i].node >= 0)
			json_number(t->out, "node", (uint64_t)seats[i].node);
		if (seats[i].counter_node >= 0)
			json_number(t->out, "counterNode", (uint64_t)seats[i].counter_node);
		json_close(t->out, '{');
	}
	json_close(t->out, '[');
	json_send(t->out);
}

void answer_started(struct trial *t, uint64_t first_ns)
{
	json_begin(t->out, "started");
	json_text(t->out, "trial", t->request->trial);
	json_number(t->out, "firstNs", first_ns);
	json_number(t->out, "lastNs", t->start_ns);
	json_send(t->out);
}

static void read_operations(struct trial *t)
{
	for (size_t i = 0; i < t->count; i++)
		t->values[i] = counters_lane(t->team.counters, i)->operations;
}

/*
 * Each writing wakes up whoever reads, on a CPU that may be one of the measured. So readings are kept and written
 * together, twice a second; all but the first (which has the warm-up's end to tell) and those of a large machine.
 */
static void send_sometimes(struct trial *t, uint64_t sequence)
{
	uint64_t together = READINGS_KEPT_NS / t->request->interval_ns;

	if (json_end(t->out) > READINGS_KEPT_BYTES || !together || sequence % together == 0)
		json_flush(t->out);
}

/* The stamp first, then the counters: what happens in between is counted early, alike in each reading. */
void answer_interval(struct trial *t, uint64_t sequence)
{
	uint64_t ns = now_ns(), read_ns;

	read_operations(t);
	read_ns = now_ns() - ns;
	json_begin(t->out, "interval");
	json_text(t->out, "trial", t->request->trial);
	json_number(t->out, "seq", sequence);
	json_number(t->out, "ns", ns);
	json_number(t->out, "readNs", read_ns);
	json_numbers(t->out, "ops", t->values, t->count);
	send_sometimes(t, sequence);
}

int trial_hits(struct trial *t, uint64_t *total)
{
	if (t->probe.count)
		return probe_hits(&t->probe, t->cpus, t->values, t->count, total, &t->failure);
	*total = 0;
	for (size_t i = 0; i < t->count; i++) {
		t->values[i] = counters_lane(t->team.counters, i)->hits;
		*total += t->values[i];
	}
	return 0;
}

static uint64_t sum(const uint64_t *values, size_t count)
{
	uint64_t total = 0;

	for (size_t i = 0; i < count; i++)
		total += values[i];
	return total;
}

static void write_switches(struct trial *t)
{
	uint64_t voluntary = 0, involuntary = 0, migrations = 0;
	bool counted = true;

	for (size_t i = 0; i < t->count; i++) {
		const struct seat *seat = &t->team.counters->seats[i];

		voluntary += seat->voluntary_switches;
		involuntary += seat->involuntary_switches;
		if (seat->migrations >= 0)
			migrations += (uint64_t)seat->migrations;
		else
			counted = false;
	}
	json_number(t->out, "voluntarySwitches", voluntary);
	json_number(t->out, "involuntarySwitches", involuntary);
	if (counted)
		json_number(t->out, "migrations", migrations);
}

int answer_done(struct trial *t, bool stopped)
{
	bool has_hits = t->request->workload->kind != BASELINE;
	uint64_t hits;

	json_begin(t->out, "done");
	json_text(t->out, "trial", t->request->trial);
	read_operations(t);
	json_number(t->out, "operations", sum(t->values, t->count));
	json_numbers(t->out, "opsByCpu", t->values, t->count);
	if (has_hits) {
		if (trial_hits(t, &hits))
			return -1;
		json_number(t->out, "hits", hits);
		json_numbers(t->out, "hitsByCpu", t->values, t->count);
	}
	json_number(t->out, "inFlight",
		    0); /* no member was killed: each has ended by itself, after a whole operation */
	write_switches(t);
	if (!stopped && t->steal_begin_ms >= 0 && t->steal_end_ms >= t->steal_begin_ms)
		json_number(t->out, "stealMs", (uint64_t)(t->steal_end_ms - t->steal_begin_ms));
	json_number(t->out, "overruns", t->overruns);
	json_bool(t->out, "stopped", stopped);
	json_send(t->out);
	return 0;
}

#include "command.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NS_PER_HOUR UINT64_C(3600000000000)
#define NS_PER_MS UINT64_C(1000000)
#define INTERVALS_MAX 1000000

enum key {
	KEY_TRIAL,
	KEY_WORKLOAD,
	KEY_MODEL,
	KEY_CPUS,
	KEY_ATTACH,
	KEY_SCOPE,
	KEY_ALTSTACK,
	KEY_CALL,
	KEY_WARMUP,
	KEY_INTERVAL,
	KEY_INTERVALS,
	KEY_COUNT
};

static const char *const key_names[KEY_COUNT] = {
	"trial",    "workload", "model",  "cpus",     "attach",	   "scope",
	"altstack", "call",	"warmup", "interval", "intervals",
};

/* The words that a key takes one of; the index is the value of its enum, and "" can not be given. */
static const char *const *const key_words[KEY_COUNT] = {
	[KEY_MODEL] = (const char *const[]){"threads", "processes", "per-numa-node", NULL},
	[KEY_ATTACH] = (const char *const[]){"none", "bpf", "perf", NULL},
	[KEY_SCOPE] = (const char *const[]){"", "system", "pid", NULL},
	[KEY_ALTSTACK] = (const char *const[]){"same", "swap", NULL},
	[KEY_CALL] = (const char *const[]){"direct", "libc", NULL},
};

static __attribute__((format(printf, 2, 3))) bool refuse(struct refusal *r, const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(r->error, sizeof(r->error), format, arguments);
	va_end(arguments);
	return false;
}

static void append_known(struct refusal *r, const char *word)
{
	size_t used = strlen(r->fix);

	snprintf(r->fix + used, sizeof(r->fix) - used, "%s%s", used ? " " : "known: ", word);
}

static bool read_word(enum key key, const char *value, unsigned int *index, struct refusal *r)
{
	const char *const *words = key_words[key];

	for (unsigned int i = 0; words[i]; i++) {
		if (*value && !strcmp(words[i], value)) {
			*index = i;
			return true;
		}
	}
	for (unsigned int i = 0; words[i]; i++)
		if (*words[i])
			append_known(r, words[i]);
	return refuse(r, "%s \"%s\" is unknown", key_names[key], value);
}

/* Decimal digits alone. ULL_MAX is refused with what is larger. */
static bool read_digits(const char *text, const char **end, uint64_t *number)
{
	char *behind;

	if (*text < '0' || *text > '9')
		return false;
	errno = 0;
	*number = strtoull(text, &behind, 10);
	*end = behind;
	return !errno;
}

static bool read_duration(const char *key, const char *value, uint64_t *ns, struct refusal *r)
{
	static const struct {
		const char *unit;
		uint64_t ns;
	} units[] = {{"ns", 1}, {"us", 1000}, {"ms", NS_PER_MS}, {"s", 1000 * NS_PER_MS}};
	const char *unit;
	uint64_t number;

	snprintf(r->fix, sizeof(r->fix), "a whole number and ns, us, ms or s, from 1ms to 3600s: %s=500ms", key);
	if (!read_digits(value, &unit, &number))
		return refuse(r, "%s \"%s\" is no duration", key, value);
	for (size_t i = 0; i < sizeof(units) / sizeof(units[0]); i++) {
		if (strcmp(unit, units[i].unit))
			continue;
		if (number > NS_PER_HOUR / units[i].ns || number * units[i].ns < NS_PER_MS)
			return refuse(r, "%s %s is out of bounds", key, value);
		*ns = number * units[i].ns;
		r->fix[0] = '\0';
		return true;
	}
	return refuse(r, *unit ? "%s \"%s\" has an unknown unit" : "%s \"%s\" has no unit", key, value);
}

static bool read_intervals(const char *value, uint64_t *count, struct refusal *r)
{
	const char *end;

	if (read_digits(value, &end, count) && !*end && *count >= 1 && *count <= INTERVALS_MAX)
		return true;
	snprintf(r->fix, sizeof(r->fix), "a whole number from 1 to %d", INTERVALS_MAX);
	return refuse(r, "intervals \"%s\" is out of bounds or no number", value);
}

static bool read_cpus(const char *value, struct cpuset *cpus, struct refusal *r)
{
	char why[128] = "the list is empty";

	if (cpulist_parse(value, cpus, why, sizeof(why)) && cpuset_count(cpus))
		return true;
	snprintf(r->fix, sizeof(r->fix), "ids and ranges with commas: cpus=0-3,8");
	return refuse(r, "cpus: %s", why);
}

static bool read_workload(const char *value, const struct workload **workload, struct refusal *r)
{
	*workload = workload_find(value);
	if (*workload)
		return true;
	for (const struct workload *w = workload_first(); w; w = workload_next(w))
		append_known(r, w->name);
	return refuse(r, "workload \"%s\" is unknown", value);
}

static bool read_trial(const char *value, char *trial, struct refusal *r)
{
	size_t length = strlen(value);

	if (length < 1 || length > TRIAL_NAME_MAX)
		return refuse(r, "trial must have 1 to %d bytes, not %zu", TRIAL_NAME_MAX, length);
	memcpy(trial, value, length + 1);
	return true;
}

static bool read_value(enum key key, const char *value, struct request *request, struct refusal *r)
{
	const char *name = key_names[key];
	unsigned int index = 0;

	if (key_words[key] && !read_word(key, value, &index, r))
		return false;
	switch (key) {
	case KEY_TRIAL:
		return read_trial(value, request->trial, r);
	case KEY_WORKLOAD:
		return read_workload(value, &request->workload, r);
	case KEY_CPUS:
		return read_cpus(value, &request->cpus, r);
	case KEY_WARMUP:
		return read_duration(name, value, &request->warmup_ns, r);
	case KEY_INTERVAL:
		return read_duration(name, value, &request->interval_ns, r);
	case KEY_INTERVALS:
		return read_intervals(value, &request->intervals, r);
	case KEY_MODEL:
		request->model = index;
		break;
	case KEY_ATTACH:
		request->attach = index;
		break;
	case KEY_SCOPE:
		request->scope = index;
		break;
	case KEY_ALTSTACK:
		request->swap = index;
		break;
	case KEY_CALL:
		request->libc = index;
		break;
	case KEY_COUNT:
		break;
	}
	return true;
}

/* Which keys there must be, and which must not, given the workload. */
static bool check_keys(const bool *seen, const struct request *request, struct refusal *r)
{
	bool probe = workload_is_probe(request->workload), signal = workload_is_signal(request->workload);
	bool wanted[KEY_COUNT];

	for (int key = 0; key < KEY_COUNT; key++)
		wanted[key] = true;
	wanted[KEY_SCOPE] = probe;
	wanted[KEY_CALL] = signal;
	wanted[KEY_ALTSTACK] = request->workload->kind == ALTSTACK;
	for (int key = 0; key < KEY_COUNT; key++) {
		if (wanted[key] && !seen[key])
			return refuse(r, "%s is missing", key_names[key]);
		if (seen[key] && !wanted[key])
			return refuse(r, "%s does not apply to %s", key_names[key], request->workload->name);
	}
	if (probe != (request->attach != ATTACH_NONE)) {
		snprintf(r->fix, sizeof(r->fix), "%s", probe ? "attach=bpf or attach=perf" : "attach=none");
		return refuse(r, "attach=%s does not apply to %s", key_words[KEY_ATTACH][request->attach],
			      request->workload->name);
	}
	return true;
}

static bool read_pair(char *word, bool *seen, struct request *request, struct refusal *r)
{
	char *equals = strchr(word, '=');

	if (!equals)
		return refuse(r, "\"%.100s\" is not of the form key=value", word);
	*equals = '\0';
	for (enum key key = 0; key < KEY_COUNT; key++) {
		if (strcmp(word, key_names[key]))
			continue;
		if (seen[key])
			return refuse(r, "%s is given twice", word);
		seen[key] = true;
		return read_value(key, equals + 1, request, r);
	}
	for (enum key key = 0; key < KEY_COUNT; key++)
		append_known(r, key_names[key]);
	return refuse(r, "unknown key \"%.100s\"", word);
}

bool command_parse_run(char *line, struct request *request, struct refusal *r)
{
	bool seen[KEY_COUNT] = {0};
	char *rest = line;

	*request = (struct request){0};
	*r = (struct refusal){0};
	strtok_r(rest, " ", &rest); /* the command itself */
	for (char *word; (word = strtok_r(NULL, " ", &rest));)
		if (!read_pair(word, seen, request, r))
			return false;
	if (!seen[KEY_WORKLOAD])
		return refuse(r, "workload is missing");
	return check_keys(seen, request, r);
}

bool command_parse_go(char *line, uint64_t *start_ns, struct refusal *r)
{
	const char *end;

	*r = (struct refusal){0};
	*start_ns = 0;
	if (!strcmp(line, "go"))
		return true;
	if (!strncmp(line, "go at=", 6) && read_digits(line + 6, &end, start_ns) && !*end && *start_ns)
		return true;
	snprintf(r->fix, sizeof(r->fix), "go, or go at=NANOSECONDS of CLOCK_MONOTONIC");
	return refuse(r, "\"%.100s\" is no way to go", line);
}

/* trapline-trigger: reads commands, writes one JSON object a line. PROTOCOL.md is what it keeps to. */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "answer.h"
#include "command.h"
#include "control.h"
#include "guest-init.h"
#include "json.h"
#include "priority.h"
#include "profile.h"
#include "protocol.h"
#include "run.h"

/* The root of `profile`, "" for this machine. */
struct options {
	const char *root;
	bool version;
};

static bool read_options(int count, char **words, struct options *options)
{
	*options = (struct options){.root = ""};
	for (int i = 1; i < count; i++) {
		if (!strcmp(words[i], "--version"))
			options->version = true;
		else if (!strcmp(words[i], "--root") && i + 1 < count)
			options->root = words[++i];
		else
			return false;
	}
	return true;
}

static void print_version(void)
{
	struct utsname names;
	char libc[32];

	profile_libc(libc, sizeof(libc));
	printf("trapline-trigger %d %s %s\n", PROTOCOL_VERSION, uname(&names) ? "unknown" : names.machine, libc);
}

/* Best effort: a counting event a CPU is a descriptor a CPU, and before Linux 5.11 BPF memory was locked memory. */
static void raise_limits(void)
{
	struct rlimit files;

	setrlimit(RLIMIT_MEMLOCK, &(struct rlimit){RLIM_INFINITY, RLIM_INFINITY});
	if (getrlimit(RLIMIT_NOFILE, &files))
		return;
	if (files.rlim_max < 65536 && !setrlimit(RLIMIT_NOFILE, &(struct rlimit){65536, 65536}))
		return;
	files.rlim_cur = files.rlim_max;
	setrlimit(RLIMIT_NOFILE, &files);
}

static void refuse(struct json *out, const char *line, const char *error, const char *fix)
{
	struct refusal r;

	snprintf(r.error, sizeof(r.error), "%s", error);
	snprintf(r.fix, sizeof(r.fix), "%s", fix);
	answer_refused(out, line, &r);
}

/* A line that comes when no trial is in hand. False when everything is to end. */
static bool obey(char *line, const char *root, struct control *control, struct json *out)
{
	char whole[512], error[256];
	struct request request;
	struct refusal r;

	snprintf(whole, sizeof(whole), "%s", line); /* parsing cuts it into words */
	if (!strcmp(line, "profile")) {
		profile_send(out, root);
	} else if (!strncmp(line, "run ", 4)) {
		if (*root)
			refuse(out, whole, "run needs the live machine", "start without --root");
		else if (!command_parse_run(line, &request, &r))
			answer_refused(out, whole, &r);
		else
			return run_trial(&request, control, out);
	} else if (!strcmp(line, "stop") || !strcmp(line, "go") || !strncmp(line, "go ", 3)) {
		refuse(out, whole, "no trial is in hand", "begin one with run");
	} else {
		snprintf(error, sizeof(error), "unknown command \"%.100s\"", line);
		refuse(out, whole, error, "known: profile run go stop");
	}
	return true;
}

static void serve(const char *root, struct control *control, struct json *out)
{
	for (bool more = true; more;) {
		char *line;

		switch (control_wait(control, 0, &line)) {
		case CONTROL_LINE:
			more = obey(line, root, control, out);
			break;
		case CONTROL_LONG:
			refuse(out, "", "the line is too long", "at most 65535 bytes");
			break;
		case CONTROL_END:
			more = false;
			break;
		case CONTROL_MEMBERS: /* late news of a trial that is over */
		case CONTROL_CHILD:
		case CONTROL_DEADLINE:
			break;
		}
	}
}

static void complain(const struct failure *f)
{
	fprintf(stderr, "trapline-trigger: %s: %s\n", f->call, f->text);
}

/* Serves standard input until it ends; a profile may be sent first, unasked. The exit status. */
static int serve_input(const char *root, bool introduce)
{
	static struct control control; /* its line buffer is too large for a stack */
	struct json out = {.out = STDOUT_FILENO};
	struct failure f;

	if (control_open(&control, STDIN_FILENO, &f)) {
		complain(&f);
		return 1;
	}
	/* A profile can be had all the same; a trial fails where a member finds what this has found. */
	if (priority_reset(&f))
		complain(&f);
	raise_limits();
	prctl(PR_SET_TIMERSLACK, 1UL);
	if (introduce)
		profile_send(&out, root);
	serve(root, &control, &out);
	json_free(&out);
	return 0;
}

/*
 * What is sent to a serial port before somebody reads it is lost, so the guest speaks first. Words of its command
 * line that the kernel does not know arrive as ours: they mean nothing here.
 */
static _Noreturn void serve_guest(void)
{
	struct failure f;

	if (guest_init(&f))
		complain(&f);
	else
		serve_input("", true);
	guest_power_off();
}

/*
 * Becomes another program, which the kernel then kills when the process PARENT ends, however that ends. It gets a
 * session of its own, so that a terminal's Ctrl-C is for the parent alone. Returns when it can't.
 */
static int become(const char *parent, char **command)
{
	struct failure f;

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	setsid();
	if (getppid() != atoi(parent)) /* it has ended before the kernel knew */
		return 1;
	execvp(command[0], command);
	failure_set(&f, "execvp", errno, "%s", command[0]);
	complain(&f);
	return 1;
}

int main(int count, char **words)
{
	struct options options;

	if (getpid() == 1)
		serve_guest();
	if (count > 3 && !strcmp(words[1], "--with-parent"))
		return become(words[2], words + 3);
	if (!read_options(count, words, &options)) {
		fprintf(stderr, "usage: trapline-trigger [--root DIR] [--version]\n"
				"       trapline-trigger --with-parent PID COMMAND...\n"
				"Commands on standard input: profile, run, go, stop (see PROTOCOL.md)\n");
		return 1;
	}
	if (options.version) {
		print_version();
		return 0;
	}
	return serve_input(options.root, false);
}

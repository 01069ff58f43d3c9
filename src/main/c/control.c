#include "control.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

uint64_t now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * NS_PER_S + (uint64_t)now.tv_nsec;
}

/*
 * SIGHUP is the signal that the parent's death sends. The kernel sends it at the end of the parent's *thread* that
 * started us (prctl(2)), and a thread pool may end that thread long before the process: so it is only a reason to
 * look whether the parent has changed. Ctrl-C goes to the whole foreground group; whether it ends the trial in hand
 * is the parent's to say.
 */
static int take_signals(struct control *c, struct failure *f)
{
	sigset_t taken;

	sigemptyset(&taken);
	sigaddset(&taken, SIGCHLD);
	sigaddset(&taken, SIGHUP);
	sigaddset(&taken, SIGTERM);
	signal(SIGCHLD, SIG_DFL);
	signal(SIGHUP, SIG_DFL);
	signal(SIGTERM, SIG_DFL);
	signal(SIGINT, SIG_IGN);
	signal(SIGPIPE, SIG_IGN);
	if (sigprocmask(SIG_SETMASK, &taken, NULL))
		return failure_set(f, "rt_sigprocmask", errno, "%s", "");
	c->signals = signalfd(-1, &taken, SFD_CLOEXEC | SFD_NONBLOCK);
	if (c->signals < 0)
		return failure_set(f, "signalfd", errno, "%s", "");
	c->parent = getppid();
	if (prctl(PR_SET_PDEATHSIG, SIGHUP))
		return failure_set(f, "prctl", errno, "PR_SET_PDEATHSIG");
	return 0;
}

int control_open(struct control *c, int in, struct failure *f)
{
	*c = (struct control){.in = in};
	if (take_signals(c, f))
		return -1;
	c->timer = timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK);
	if (c->timer < 0)
		return failure_set(f, "timerfd_create", errno, "%s", "");
	c->members = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	if (c->members < 0)
		return failure_set(f, "eventfd", errno, "%s", "");
	return 0;
}

/* Cuts the next line out of what has been read. At the end of input the rest is a line too. */
static bool next_line(struct control *c, char **line)
{
	char *begin = c->buffer + c->consumed;
	char *end = memchr(begin, '\n', c->length - c->consumed);

	if (!end && c->ended && c->consumed < c->length && c->length < sizeof(c->buffer))
		end = c->buffer + c->length++;
	if (end) {
		*end = '\0';
		c->consumed = (size_t)(end - c->buffer) + 1;
		if (end > begin && end[-1] == '\r') /* a terminal on a serial line */
			end[-1] = '\0';
		*line = begin;
		return true;
	}
	memmove(c->buffer, begin, c->length - c->consumed);
	c->length -= c->consumed;
	c->consumed = 0;
	return false;
}

static void read_input(struct control *c)
{
	ssize_t count = read(c->in, c->buffer + c->length, sizeof(c->buffer) - c->length);

	if (count > 0)
		c->length += (size_t)count;
	else if (!count || (errno != EAGAIN && errno != EINTR))
		c->ended = true;
}

/* The first of the events that the lines in hand make, or -1. */
static int event_of_lines(struct control *c, char **line)
{
	while (next_line(c, line)) {
		bool rest_of_long = c->skipping;

		c->skipping = false;
		if (!rest_of_long && **line)
			return CONTROL_LINE;
	}
	if (c->length == sizeof(c->buffer)) {
		bool first = !c->skipping;

		c->length = 0;
		c->skipping = true;
		if (first)
			return CONTROL_LONG;
	}
	return c->ended ? CONTROL_END : -1;
}

static int event_of_signals(struct control *c)
{
	struct signalfd_siginfo info;

	while (read(c->signals, &info, sizeof(info)) == sizeof(info)) {
		if (info.ssi_signo == SIGTERM || (info.ssi_signo == SIGHUP && getppid() != c->parent))
			return CONTROL_END;
		if (info.ssi_signo == SIGCHLD)
			return CONTROL_CHILD;
	}
	return -1;
}

static void set_deadline(struct control *c, uint64_t deadline_ns)
{
	struct itimerspec at = {
		.it_value = {.tv_sec = (time_t)(deadline_ns / NS_PER_S), .tv_nsec = (long)(deadline_ns % NS_PER_S)},
	};

	timerfd_settime(c->timer, TFD_TIMER_ABSTIME, &at, NULL);
}

enum control_event control_wait(struct control *c, uint64_t deadline_ns, char **line)
{
	set_deadline(c, deadline_ns);
	for (;;) {
		struct pollfd sources[] = {
			{.fd = c->signals, .events = POLLIN},
			{.fd = c->members, .events = POLLIN},
			{.fd = c->in, .events = POLLIN},
			{.fd = c->timer, .events = POLLIN},
		};
		int event = event_of_lines(c, line);
		uint64_t count;

		if (event >= 0)
			return (enum control_event)event;
		if (poll(sources, sizeof(sources) / sizeof(sources[0]), -1) < 0)
			continue; /* EINTR: a debugger */
		if (sources[0].revents && (event = event_of_signals(c)) >= 0)
			return (enum control_event)event;
		if (sources[1].revents && read(c->members, &count, sizeof(count)) == sizeof(count))
			return CONTROL_MEMBERS;
		if (sources[2].revents)
			read_input(c);
		else if (sources[3].revents)
			return CONTROL_DEADLINE;
	}
}

void control_tell(const struct control *c)
{
	uint64_t one = 1;

	/* Can fail only when nobody has looked for 2^64 news. */
	if (write(c->members, &one, sizeof(one)) < 0)
		_exit(1);
}

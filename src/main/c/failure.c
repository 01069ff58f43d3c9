#include "failure.h"

#include <errno.h>
#include <limits.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/*
 * Uprobes ask for CAP_SYS_ADMIN. From 5.8 on CAP_PERFMON was enough (c9e0924e5c2b), until 6.16 and the stable
 * branches of July 2025 took that back (ba677dbe77af, CVE-2025-38466). BPF is content with either.
 */
static void fix_privilege(struct failure *f)
{
	char self[PATH_MAX];
	ssize_t length = readlink("/proc/self/exe", self, sizeof(self) - 1);

	self[length > 0 ? length : 0] = '\0';
	failure_fix(f,
		    "run as root (in a container: a privileged one), or: setcap cap_sys_admin+ep %.400s "
		    "(Linux 5.8 to 6.15 without later fixes: cap_perfmon,cap_bpf+ep)",
		    length > 0 ? self : "trapline-trigger");
}

static void look_up_fix(struct failure *f)
{
	bool privileged_call = !strcmp(f->call, "perf_event_open") || !strcmp(f->call, "bpf") ||
			       !strcmp(f->call, "ioctl PERF_EVENT_IOC_SET_BPF");

	f->fix[0] = '\0';
	if (privileged_call && (f->errnum == EACCES || f->errnum == EPERM))
		fix_privilege(f);
	else if (f->errnum == EMFILE)
		failure_fix(f, "raise the limit of open files: ulimit -n 65536");
	else if (f->errnum == ENFILE)
		failure_fix(f, "raise the system's limit of open files: sysctl fs.file-max");
	else if (f->errnum == ENOMEM || f->errnum == ENOSPC)
		failure_fix(f, "free memory, or raise the memory limit of this cgroup");
	else if (f->errnum == EAGAIN)
		failure_fix(f, "raise the limit of processes and threads: ulimit -u, pids.max of this cgroup");
	else if (f->errnum == ENOSYS)
		failure_fix(f, "this kernel lacks the call, or a seccomp profile hides it");
}

int failure_set(struct failure *f, const char *call, int errnum, const char *format, ...)
{
	char detail[256];
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(detail, sizeof(detail), format, arguments);
	va_end(arguments);
	snprintf(f->call, sizeof(f->call), "%s", call);
	f->errnum = errnum;
	snprintf(f->text, sizeof(f->text), "%s%s%s", errnum ? strerror(errnum) : "", errnum && *detail ? ": " : "",
		 detail);
	look_up_fix(f);
	return -1;
}

void failure_fix(struct failure *f, const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(f->fix, sizeof(f->fix), format, arguments);
	va_end(arguments);
}

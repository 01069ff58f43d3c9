#include "failure.h"

#include <errno.h>
#include <limits.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static void fix_privilege(struct failure *f)
{
	char self[PATH_MAX];
	ssize_t length = readlink("/proc/self/exe", self, sizeof(self) - 1);

	self[length > 0 ? length : 0] = '\0';
	failure_fix(f,
		    "run as root, or give CAP_PERFMON and CAP_BPF (before Linux 5.8: CAP_SYS_ADMIN): "
		    "setcap cap_perfmon,cap_bpf+ep %.400s",
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
	va_list arguments;
	int used = 0;

	snprintf(f->call, sizeof(f->call), "%s", call);
	f->errnum = errnum;
	if (errnum)
		used = snprintf(f->text, sizeof(f->text), "%s%s", strerror(errnum), *format ? ": " : "");
	va_start(arguments, format);
	vsnprintf(f->text + used, sizeof(f->text) - (size_t)used, format, arguments);
	va_end(arguments);
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

#include "guest-init.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/reboot.h>
#include <sys/stat.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

#include "sysfile.h"

#define PORT_KEY "trapline.port="
#define TICK_NS 10000000L /* of /proc/stat */
#define SETTLE_TICKS 20
#define SETTLE_TRIES 25
#define SETTLE_TOLD 5

static int mount_all(struct failure *f)
{
	static const struct {
		const char *type, *place;
	} mounts[] = {{"proc", "/proc"}, {"sysfs", "/sys"}, {"devtmpfs", "/dev"}};

	for (size_t i = 0; i < sizeof(mounts) / sizeof(mounts[0]); i++) {
		const char *type = mounts[i].type, *place = mounts[i].place;

		mkdir(place, 0755); /* the mount tells when it is not there */
		/* EBUSY: the kernel has mounted /dev itself, which today it does not for an initramfs */
		if (mount(type, place, type, MS_NOSUID | MS_NOEXEC, NULL) && errno != EBUSY)
			return failure_set(f, "mount", errno, "%s", place);
	}
	return 0;
}

/* The name of the port into NAME, which stays as it is when the command line holds none. */
static void find_port(char *cmdline, char *name, size_t size)
{
	char *rest;

	for (char *word = strtok_r(cmdline, " \n", &rest); word; word = strtok_r(NULL, " \n", &rest))
		if (!strncmp(word, PORT_KEY, sizeof(PORT_KEY) - 1))
			snprintf(name, size, "%s", word + sizeof(PORT_KEY) - 1);
}

/* Bytes come through as they are: no echo, no signals, no CR. */
static int make_raw(int port, const char *path, struct failure *f)
{
	struct termios settings;

	if (tcgetattr(port, &settings))
		return failure_set(f, "tcgetattr", errno, "%s", path);
	cfmakeraw(&settings);
	settings.c_cflag |= CLOCAL | CREAD;
	if (tcsetattr(port, TCSANOW, &settings))
		return failure_set(f, "tcsetattr", errno, "%s", path);
	return 0;
}

static int open_port(struct failure *f)
{
	char *cmdline = sysfile_text("", "proc/cmdline"), name[32] = "", path[64];
	int port;

	if (cmdline)
		find_port(cmdline, name, sizeof(name));
	free(cmdline);
	if (!name[0])
		return failure_set(f, "cmdline", 0, "the kernel's command line has no %sNAME", PORT_KEY);
	snprintf(path, sizeof(path), "/dev/%s", name);
	port = open(path, O_RDWR | O_NOCTTY);
	if (port < 0)
		return failure_set(f, "open", errno, "%s", path);
	if (make_raw(port, path, f))
		return -1;
	if (dup2(port, STDIN_FILENO) < 0 || dup2(port, STDOUT_FILENO) < 0)
		return failure_set(f, "dup2", errno, "%s", path);
	if (port > STDERR_FILENO)
		close(port);
	return 0;
}

/* Idle time of all CPUs together, in ticks of 1/100 s; 0 when it is not known. */
static unsigned long long idle_ticks(void)
{
	char *stat = sysfile_text("", "proc/stat");
	unsigned long long idle = 0;

	if (stat)
		sscanf(stat, "cpu %*u %*u %*u %llu", &idle);
	free(stat);
	return idle;
}

/*
 * After the first process has begun the kernel goes on with work of its boot for a second or two (it tests its
 * ciphers, for one), which a measurement would pay for. So this waits until the CPUs have been idle for a while.
 */
static void settle(void)
{
	unsigned long long wanted = SETTLE_TICKS * (unsigned long long)sysconf(_SC_NPROCESSORS_ONLN) * 9 / 10;
	struct timespec pause = {.tv_nsec = SETTLE_TICKS * TICK_NS};

	for (int quiet = 0, tries = 0; quiet < 2 && tries < SETTLE_TRIES; tries++) {
		unsigned long long before = idle_ticks();

		nanosleep(&pause, NULL);
		quiet = idle_ticks() - before >= wanted ? quiet + 1 : 0;
		if (tries % SETTLE_TOLD == SETTLE_TOLD - 1) /* who watches the console must not think that it hangs */
			fprintf(stderr, "trapline: the kernel is still at work after its boot\n");
	}
}

int guest_init(struct failure *f)
{
	if (mount_all(f) || open_port(f))
		return -1;
	settle();
	return 0;
}

_Noreturn void guest_power_off(void)
{
	tcdrain(STDOUT_FILENO);
	reboot(RB_POWER_OFF);
	_exit(1);
}

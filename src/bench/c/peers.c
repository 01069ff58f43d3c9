/*
 * The loops of our peers, written anew in their manner, to compare the trigger's rate with: a child repeats the
 * operation, its parent reads a counter each half a second.
 *
 *   peers getppid|raise|uprobe CPU     prints five readings: operations, and nanoseconds that the child ran
 *   peers loop WORKLOAD MILLISECONDS   runs the trigger's own loop, and prints how many operations that were: run
 *                                      twice under a counter of instructions, the differences give those of one
 *
 * getppid and raise count as will-it-scale's getppid1 and signal1 do: the library's call, and an increment of a
 * counter in shared memory. uprobe is as the kernel selftests' trigger bench does it: the loop only calls the probed
 * function, and the BPF program counts.
 */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "cpulist.h"
#include "sysfile.h"
#include "uprobe.h"
#include "workloads.h"

void target_nop(void);

static void peer_getppid(volatile unsigned long long *iterations)
{
	for (;;) {
		getppid();
		(*iterations)++;
	}
}

static void on_signal(int number)
{
	(void)number;
}

static void peer_raise(volatile unsigned long long *iterations)
{
	signal(SIGUSR1, on_signal);
	for (;;) {
		raise(SIGUSR1);
		(*iterations)++;
	}
}

static void peer_uprobe(volatile unsigned long long *iterations)
{
	(void)iterations;
	for (;;)
		target_nop();
}

static _Noreturn void give_up(const struct failure *f)
{
	fprintf(stderr, "peers: %s: %s\n", f->call, f->text);
	exit(1);
}

static uint64_t count_of(struct probe *probe, const volatile unsigned long long *iterations)
{
	uint64_t hits, total;
	struct failure f;
	int cpu = 0;

	if (!probe->count)
		return *iterations;
	if (probe_hits(probe, &cpu, &hits, 1, &total, &f))
		give_up(&f);
	return total;
}

static void print_time_run(pid_t pid)
{
	char times[128];

	sysfile_read("", times, sizeof(times), "proc/%d/schedstat", (int)pid);
	printf("%.*s\n", (int)strcspn(times, " "), times);
}

static void measure(void (*loop)(volatile unsigned long long *), bool probed, int cpu)
{
	volatile unsigned long long *iterations =
		mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	struct probe_site everywhere = {.pid = -1, .cpu = cpu};
	struct probe probe = {0};
	struct failure f;
	pid_t child;

	if (probed && probe_open(&probe, target_find("nop"), false, ATTACH_BPF, &everywhere, 1, &f))
		give_up(&f);
	child = fork();
	if (!child) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		if (affinity_pin(cpu, &f))
			give_up(&f);
		loop(iterations);
	}
	for (int reading = 0; reading < 5; reading++) {
		nanosleep(&(struct timespec){.tv_nsec = 500000000}, NULL);
		printf("%llu ", (unsigned long long)count_of(&probe, iterations));
		print_time_run(child);
	}
	kill(child, SIGKILL);
	waitpid(child, NULL, 0);
	probe_close(&probe);
}

static struct lane lane;

static void on_alarm(int number)
{
	(void)number;
	lane.stop = 1;
}

static void count_loop(const char *name, const char *milliseconds)
{
	const struct workload *w = workload_find(name);
	struct timespec time = {.tv_nsec = strtol(milliseconds, NULL, 10) % 1000 * 1000000};
	struct sigevent event = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGALRM};
	timer_t timer;

	if (!w)
		exit(1);
	time.tv_sec = strtol(milliseconds, NULL, 10) / 1000;
	signal(SIGALRM, on_alarm);
	timer_create(CLOCK_MONOTONIC, &event, &timer);
	timer_settime(timer, 0, &(struct itimerspec){.it_value = time}, NULL);
	w->loop(&lane, false);
	printf("%llu\n", (unsigned long long)lane.operations);
}

int main(int count, char **words)
{
	static const struct {
		const char *name;
		void (*loop)(volatile unsigned long long *);
		bool probed;
	} peers[] = {
		{"getppid", peer_getppid, false},
		{"raise", peer_raise, false},
		{"uprobe", peer_uprobe, true},
	};

	if (count == 4 && !strcmp(words[1], "loop")) {
		count_loop(words[2], words[3]);
		return 0;
	}
	for (size_t i = 0; count == 3 && i < sizeof(peers) / sizeof(peers[0]); i++) {
		if (!strcmp(peers[i].name, words[1])) {
			measure(peers[i].loop, peers[i].probed, (int)strtol(words[2], NULL, 10));
			return 0;
		}
	}
	fprintf(stderr, "usage: peers getppid|raise|uprobe CPU, or peers loop WORKLOAD MILLISECONDS\n");
	return 1;
}

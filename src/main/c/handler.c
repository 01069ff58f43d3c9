#include "handler.h"

#include <errno.h>
#include <signal.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <ucontext.h>
#include <unistd.h>

#ifndef SS_AUTODISARM
#define SS_AUTODISARM (1U << 31) /* linux/signal.h, which does not go with the library's */
#endif
#ifndef AT_MINSIGSTKSZ
#define AT_MINSIGSTKSZ 51
#endif

/* This thread's own, reached by one segment-relative load: a static program has the local-exec model. */
static __thread struct {
	struct lane *lane;
	void *stacks[2]; /* the same one twice unless they are swapped */
} self;

static void on_signal(__attribute__((unused)) int number)
{
	self.lane->hits++;
}

/*
 * The frame holds the alternate stack that rt_sigreturn(2) sets again. Left as it was, a kernel since 5.16 returns
 * before it takes a lock; changed, it must take it (where CONFIG_DYNAMIC_SIGFRAME makes that a lock at all). Both
 * variants run the same instructions here: without swapping, the other stack is this one.
 */
static void on_alternate(__attribute__((unused)) int number, __attribute__((unused)) siginfo_t *info, void *context)
{
	ucontext_t *frame = context;
	struct lane *lane = self.lane;
	uint64_t hits = lane->hits;

	if (frame->uc_stack.ss_sp != self.stacks[hits & 1])
		lane->mismatches++;
	lane->hits = ++hits;
	frame->uc_stack.ss_sp = self.stacks[hits & 1];
}

int handler_install(const struct workload *w, struct failure *f)
{
	struct sigaction action = {.sa_flags = SA_RESTART};
	sigset_t ours;

	sigemptyset(&action.sa_mask);
	if (w->kind == ALTSTACK) {
		action.sa_flags |= SA_ONSTACK | SA_SIGINFO;
		action.sa_sigaction = on_alternate;
	} else {
		action.sa_handler = on_signal;
	}
	if (sigaction(SIGUSR1, &action, NULL))
		return failure_set(f, "rt_sigaction", errno, "%s", "");
	sigemptyset(&ours);
	sigaddset(&ours, SIGUSR1);
	if (sigprocmask(SIG_UNBLOCK, &ours, NULL))
		return failure_set(f, "rt_sigprocmask", errno, "%s", "");
	return 0;
}

/* The kernel's frame grows with the CPU's registers (AVX-512, AMX, SVE); it says itself what it needs. */
static size_t stack_size(void)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE);
	size_t frame = getauxval(AT_MINSIGSTKSZ);

	return ((frame ? frame : 8192) + 16384 + page - 1) / page * page;
}

int handler_prepare(const struct workload *w, bool swap, struct lane *lane, struct failure *f)
{
	stack_t stack = {.ss_size = stack_size(), .ss_flags = swap ? SS_AUTODISARM : 0};

	self.lane = lane;
	if (w->kind != ALTSTACK)
		return 0;
	for (int i = 0; i < (swap ? 2 : 1); i++) {
		self.stacks[i] =
			mmap(NULL, stack.ss_size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
		if (self.stacks[i] == MAP_FAILED)
			return failure_set(f, "mmap", errno, "%zu bytes of signal stack", stack.ss_size);
	}
	if (!swap)
		self.stacks[1] = self.stacks[0];
	/*
	 * While the handler runs on the alternate stack in force, the kernel refuses to set another, and x86 since
	 * 6.12 (d10b554919d4) looks at the handler's stack pointer to find out, no longer at that of the interrupted
	 * code: the swap would be ignored. SS_AUTODISARM (4.7) takes the stack out of force for that time.
	 */
	stack.ss_sp = self.stacks[0];
	if (sigaltstack(&stack, NULL))
		return failure_set(f, "sigaltstack", errno, "%s", "");
	return 0;
}

int handler_check(const struct workload *w, struct failure *f)
{
	stack_t now;

	if (w->kind != ALTSTACK)
		return 0;
	if (sigaltstack(NULL, &now))
		return failure_set(f, "sigaltstack", errno, "%s", "");
	if (self.lane->mismatches)
		return failure_set(f, "sigaltstack", 0,
				   "%llu of %llu handlers found another alternate stack than expected",
				   (unsigned long long)self.lane->mismatches, (unsigned long long)self.lane->hits);
	if (now.ss_sp != self.stacks[self.lane->hits & 1])
		return failure_set(f, "sigaltstack", 0,
				   "the alternate stack after %llu handlers is not the one that the last of them set",
				   (unsigned long long)self.lane->hits);
	return 0;
}

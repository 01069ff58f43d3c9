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
 * The frame holds the alternate stack that rt_sigreturn(2) hands to do_sigaltstack (kernel/signal.c) again. Both
 * variants run the same instructions here: without swapping, the other stack is this one. What the kernel does:
 *
 * same: takes no lock. x86 from 5.16 to 6.11 finds that nothing changes and returns before it (6c3118c32129). Since
 *       6.12 (d10b554919d4, in the stable branches since October 2024) it is still on the handler's stack pointer
 *       when it gets there, so on_sig_stack refuses whatever is to be set with EPERM, before the comparison;
 *       rt_sigreturn ignores that.
 * swap: sets the stack, under the siglock where CONFIG_DYNAMIC_SIGFRAME (x86) makes sigaltstack_lock a lock.
 *
 * That lock is all that threads share in this, but not all that differs. With swap there are also the reset that
 * SS_AUTODISARM asks for at delivery (signal_delivered), the check of the new size and the stores: in the thread's
 * own task, and alike at any number of CPUs. A partner with SS_AUTODISARM and without the lock there can't be: after
 * the reset, whatever the frame holds is a change.
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
	 * x86 since 6.12 would ignore the swap of a stack that is in force: see on_alternate. SS_AUTODISARM (4.7)
	 * takes it out of force while the handler runs. Older kernels could do without, and get it all the same:
	 * swap means one thing on all of them.
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

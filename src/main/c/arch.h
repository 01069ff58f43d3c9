/* System calls as one instruction: the library's wrapper and its errno are no part of what is measured. */
#ifndef TRAPLINE_ARCH_H
#define TRAPLINE_ARCH_H

#if defined(__x86_64__)

static inline long raw_syscall0(long number)
{
	long result;

	__asm__ volatile("syscall" : "=a"(result) : "a"(number) : "rcx", "r11", "memory");
	return result;
}

static inline long raw_syscall3(long number, long first, long second, long third)
{
	long result;

	__asm__ volatile("syscall"
			 : "=a"(result)
			 : "a"(number), "D"(first), "S"(second), "d"(third)
			 : "rcx", "r11", "memory");
	return result;
}

#elif defined(__aarch64__)

static inline long raw_syscall0(long number)
{
	register long x8 __asm__("x8") = number;
	register long x0 __asm__("x0");

	__asm__ volatile("svc #0" : "=r"(x0) : "r"(x8) : "memory");
	return x0;
}

static inline long raw_syscall3(long number, long first, long second, long third)
{
	register long x8 __asm__("x8") = number;
	register long x0 __asm__("x0") = first;
	register long x1 __asm__("x1") = second;
	register long x2 __asm__("x2") = third;

	__asm__ volatile("svc #0" : "+r"(x0) : "r"(x8), "r"(x1), "r"(x2) : "memory");
	return x0;
}

#else
#error "no system call instruction for this architecture: give it here"
#endif

#endif

/* What went wrong, told so that a person can act: the failing call, the errno, the text, and what would fix it. */
#ifndef TRAPLINE_FAILURE_H
#define TRAPLINE_FAILURE_H

struct failure {
	char call[32];	/* the system call, or one of our own steps ("probe", "go") */
	int errnum;	/* its errno, or 0 when no system call failed */
	char text[384]; /* strerror of errnum, then the detail */
	char fix[640];	/* what to do about it; empty when nobody knows */
};

/*
 * Fills F and returns -1, so that a function can end with it. With an errno, FORMAT is the detail that follows its
 * text (and may be empty); without, FORMAT is the text. The fix is looked up from the call and the errno.
 */
int failure_set(struct failure *f, const char *call, int errnum, const char *format, ...)
	__attribute__((format(printf, 4, 5)));

/* Sets a fix that only the caller can know. */
void failure_fix(struct failure *f, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif

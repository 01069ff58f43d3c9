/* The answer to `profile`. */
#ifndef TRAPLINE_PROFILE_H
#define TRAPLINE_PROFILE_H

#include "json.h"

/* Reads the host below ROOT ("" for this machine, whose ways of measuring are then tried too) and sends one line. */
void profile_send(struct json *j, const char *root);

/* "glibc 2.36" */
void profile_libc(char *text, size_t size);

#endif

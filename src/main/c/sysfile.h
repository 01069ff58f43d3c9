/*
 * Reading the small text files of /sys and /proc, below a root: "" for the live machine, or a directory that holds a
 * tree copied from another one. Paths are given without the leading slash.
 */
#ifndef TRAPLINE_SYSFILE_H
#define TRAPLINE_SYSFILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "cpulist.h"
#include "json.h"

/* Opens ROOT/PATH for reading, or NULL with errno. */
FILE *sysfile_open(const char *root, const char *path);

/*
 * Reads the first SIZE - 1 bytes of a file without the white space at its end. False, and TEXT empty, when there is
 * no such file.
 */
bool sysfile_read(const char *root, char *text, size_t size, const char *path, ...)
	__attribute__((format(printf, 4, 5)));

/* The whole text of a file, without the white space at its end; the caller frees it. NULL when there is none. */
char *sysfile_text(const char *root, const char *path, ...) __attribute__((format(printf, 2, 3)));

/* Reads a file that begins with a decimal digit. False when it does not: "-1" is how sysfs says unknown. */
bool sysfile_number(const char *root, unsigned long *number, const char *path, ...)
	__attribute__((format(printf, 3, 4)));

/* Writes a file's text as a field of J; leaves the field out when there is no such file. */
void sysfile_write(struct json *j, const char *key, const char *root, const char *path);

/* The ids N of all entries PREFIXN in a directory. */
void sysfile_ids(const char *root, const char *directory, const char *prefix, struct cpuset *ids);

/* Milliseconds stolen by the hypervisor from CPUS since boot (/proc/stat), or -1 when the kernel does not say. */
long sysfile_steal_ms(const struct cpuset *cpus);

#endif

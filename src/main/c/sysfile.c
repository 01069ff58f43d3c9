#include "sysfile.h"

#include <ctype.h>
#include <dirent.h>
#include <limits.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

FILE *sysfile_open(const char *root, const char *path)
{
	char full[PATH_MAX];

	snprintf(full, sizeof(full), "%s/%s", root, path);
	return fopen(full, "re");
}

static void trim(char *text)
{
	size_t length = strlen(text);

	while (length && isspace((unsigned char)text[length - 1]))
		text[--length] = '\0';
}

static char *text_of(const char *root, const char *path)
{
	FILE *file = sysfile_open(root, path);
	char *text = NULL;
	size_t capacity = 0;
	ssize_t length;

	if (!file)
		return NULL;
	length = getdelim(&text, &capacity, '\0', file);
	if (length < 0 && !ferror(file) && text) {
		text[0] = '\0'; /* an empty file is a text too */
	} else if (length < 0) {
		free(text);
		text = NULL;
	}
	fclose(file);
	if (text)
		trim(text);
	return text;
}

static __attribute__((format(printf, 2, 0))) char *text_at(const char *root, const char *path, va_list arguments)
{
	char name[PATH_MAX];

	vsnprintf(name, sizeof(name), path, arguments);
	return text_of(root, name);
}

bool sysfile_read(const char *root, char *text, size_t size, const char *path, ...)
{
	va_list arguments;
	char *whole;

	va_start(arguments, path);
	whole = text_at(root, path, arguments);
	va_end(arguments);
	snprintf(text, size, "%s", whole ? whole : "");
	free(whole);
	return whole != NULL;
}

char *sysfile_text(const char *root, const char *path, ...)
{
	va_list arguments;
	char *text;

	va_start(arguments, path);
	text = text_at(root, path, arguments);
	va_end(arguments);
	return text;
}

bool sysfile_number(const char *root, unsigned long *number, const char *path, ...)
{
	va_list arguments;
	bool valid;
	char *whole;

	va_start(arguments, path);
	whole = text_at(root, path, arguments);
	va_end(arguments);
	if (!whole)
		return false;
	valid = isdigit((unsigned char)whole[0]);
	if (valid)
		*number = strtoul(whole, NULL, 10);
	free(whole);
	return valid;
}

void sysfile_write(struct json *j, const char *key, const char *root, const char *path)
{
	char *text = text_of(root, path);

	/* Some kernels print an empty mask as " (null)" (seen in cpu/nohz_full). */
	json_text(j, key, text && strstr(text, "(null)") ? "" : text);
	free(text);
}

void sysfile_ids(const char *root, const char *directory, const char *prefix, struct cpuset *ids)
{
	size_t length = strlen(prefix);
	char full[PATH_MAX];
	struct dirent *entry;
	DIR *entries;

	memset(ids, 0, sizeof(*ids));
	snprintf(full, sizeof(full), "%s/%s", root, directory);
	entries = opendir(full);
	if (!entries)
		return;
	while ((entry = readdir(entries))) {
		char *end;
		long id;

		if (strncmp(entry->d_name, prefix, length) || !isdigit((unsigned char)entry->d_name[length]))
			continue;
		id = strtol(entry->d_name + length, &end, 10);
		if (!*end && id < CPU_LIMIT)
			cpuset_add(ids, (int)id);
	}
	closedir(entries);
}

long sysfile_steal_ms(const struct cpuset *cpus)
{
	FILE *file = sysfile_open("", "proc/stat");
	unsigned long steal, sum = 0;
	bool found = false;
	char *line = NULL;
	size_t capacity = 0;
	int cpu;

	if (!file)
		return -1;
	/* The CPUs come first; the line of interrupts behind them is long, and nothing is needed from there on. */
	while (getline(&line, &capacity, file) > 0 && !strncmp(line, "cpu", 3)) {
		if (sscanf(line, "cpu%d %*u %*u %*u %*u %*u %*u %*u %lu", &cpu, &steal) == 2 &&
		    cpuset_has(cpus, cpu)) {
			sum += steal;
			found = true;
		}
	}
	free(line);
	fclose(file);
	return found ? (long)(sum * 1000 / (unsigned long)sysconf(_SC_CLK_TCK)) : -1;
}

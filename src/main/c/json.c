#include "json.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void append(struct json *j, const char *bytes, size_t count)
{
	if (j->length + count > j->capacity) {
		size_t capacity = (j->length + count) * 2 + 4096;
		char *text = realloc(j->text, capacity);

		if (!text) {
			fprintf(stderr, "trapline-trigger: no memory for an answer of %zu bytes\n", capacity);
			_exit(1);
		}
		j->text = text;
		j->capacity = capacity;
	}
	memcpy(j->text + j->length, bytes, count);
	j->length += count;
}

static void append_text(struct json *j, const char *text)
{
	append(j, text, strlen(text));
}

/* The length of the UTF-8 sequence at TEXT, or 0 if it is none (RFC 3629: no overlong forms, no surrogates). */
static size_t utf8_length(const unsigned char *text)
{
	unsigned char lead = text[0], second = text[1];
	size_t length = lead < 0x80 ? 1 : lead >= 0xc2 && lead < 0xe0 ? 2 : lead >= 0xe0 && lead < 0xf0 ? 3 : 4;

	if (length == 1)
		return 1;
	if (lead < 0xc2 || lead > 0xf4)
		return 0;
	if ((lead == 0xe0 && second < 0xa0) || (lead == 0xed && second > 0x9f) || (lead == 0xf0 && second < 0x90) ||
	    (lead == 0xf4 && second > 0x8f))
		return 0;
	for (size_t i = 1; i < length; i++)
		if ((text[i] & 0xc0) != 0x80) /* the terminating NUL ends this too */
			return 0;
	return length;
}

static void append_quoted(struct json *j, const char *value)
{
	const unsigned char *at = (const unsigned char *)value;
	char escape[8];

	append_text(j, "\"");
	while (*at) {
		size_t length = utf8_length(at);

		if (*at == '"' || *at == '\\') {
			snprintf(escape, sizeof(escape), "\\%c", *at);
			append_text(j, escape);
		} else if (*at < 0x20 || *at == 0x7f) {
			snprintf(escape, sizeof(escape), "\\u%04x", *at);
			append_text(j, escape);
		} else if (!length) {
			append_text(j, "\\ufffd");
		} else {
			append(j, (const char *)at, length);
		}
		at += length ? length : 1;
	}
	append_text(j, "\"");
}

/* The comma before a value, and its key. */
static void begin_value(struct json *j, const char *key)
{
	if (j->comma)
		append_text(j, ",");
	j->comma = true;
	if (key) {
		append_quoted(j, key);
		append_text(j, ":");
	}
}

void json_begin(struct json *j, const char *type)
{
	j->length = j->kept; /* a line that was begun and given up is gone */
	j->comma = false;
	append_text(j, "{");
	json_text(j, "type", type);
}

size_t json_end(struct json *j)
{
	append_text(j, "}\n");
	j->kept = j->length;
	return j->kept;
}

void json_send(struct json *j)
{
	json_end(j);
	json_flush(j);
}

void json_flush(struct json *j)
{
	size_t sent = 0;

	while (sent < j->length) {
		ssize_t count = write(j->out, j->text + sent, j->length - sent);

		if (count > 0) {
			sent += (size_t)count;
		} else if (errno == EAGAIN) {
			poll(&(struct pollfd){.fd = j->out, .events = POLLOUT}, 1, -1);
		} else if (errno != EINTR) {
			fprintf(stderr, "trapline-trigger: write: %s\n", strerror(errno));
			_exit(1); /* the measured processes end with their parent, the probes with its
				     descriptors */
		}
	}
	j->length = j->kept = 0;
}

void json_free(struct json *j)
{
	free(j->text);
	*j = (struct json){.out = j->out};
}

void json_text(struct json *j, const char *key, const char *value)
{
	if (!value)
		return;
	begin_value(j, key);
	append_quoted(j, value);
}

void json_number(struct json *j, const char *key, uint64_t value)
{
	char digits[24];

	begin_value(j, key);
	append(j, digits, (size_t)snprintf(digits, sizeof(digits), "%llu", (unsigned long long)value));
}

void json_signed(struct json *j, const char *key, int64_t value)
{
	char digits[24];

	begin_value(j, key);
	append(j, digits, (size_t)snprintf(digits, sizeof(digits), "%lld", (long long)value));
}

void json_bool(struct json *j, const char *key, bool value)
{
	begin_value(j, key);
	append_text(j, value ? "true" : "false");
}

void json_bytes(struct json *j, const char *key, const unsigned char *bytes, size_t count)
{
	char hex[3];

	begin_value(j, key);
	append_text(j, "\"");
	for (size_t i = 0; i < count; i++)
		append(j, hex, (size_t)snprintf(hex, sizeof(hex), "%02x", bytes[i]));
	append_text(j, "\"");
}

void json_numbers(struct json *j, const char *key, const uint64_t *values, size_t count)
{
	json_open(j, key, '[');
	for (size_t i = 0; i < count; i++)
		json_number(j, NULL, values[i]);
	json_close(j, '[');
}

void json_failure(struct json *j, const struct failure *f)
{
	json_text(j, "call", f->call);
	if (f->errnum)
		json_number(j, "errno", (uint64_t)f->errnum);
	json_text(j, "error", f->text);
	json_text(j, "fix", f->fix[0] ? f->fix : NULL);
}

void json_open(struct json *j, const char *key, char bracket)
{
	begin_value(j, key);
	append(j, &bracket, 1);
	j->comma = false;
}

void json_close(struct json *j, char bracket)
{
	append_text(j, bracket == '{' ? "}" : "]");
	j->comma = true;
}

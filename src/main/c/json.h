/* Writes one JSON object a line. Fields whose value could not be had are left out: a NULL text writes nothing. */
#ifndef TRAPLINE_JSON_H
#define TRAPLINE_JSON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "failure.h"

struct json {
	int out; /* the descriptor that lines go to */
	char *text;
	size_t length, capacity;
	size_t kept; /* of these, the bytes of lines that have ended */
	bool comma;
};

/* Begins a line, in place of one that was begun and not ended: an object whose first field is "type". */
void json_begin(struct json *j, const char *type);

/* Ends the line and keeps it for the next json_flush. The bytes that are kept by now. */
size_t json_end(struct json *j);

/* Writes all lines that were kept, whole. Ends this process when nobody reads any more. */
void json_flush(struct json *j);

/* Ends the line and writes it, after those that were kept. */
void json_send(struct json *j);

void json_free(struct json *j);

/* Within an array the key is NULL. Bytes that are no UTF-8 become U+FFFD. */
void json_text(struct json *j, const char *key, const char *value);
void json_number(struct json *j, const char *key, uint64_t value);
void json_signed(struct json *j, const char *key, int64_t value);
void json_bool(struct json *j, const char *key, bool value);
void json_bytes(struct json *j, const char *key, const unsigned char *bytes, size_t count);
void json_numbers(struct json *j, const char *key, const uint64_t *values, size_t count);

/* call, errno, error, fix */
void json_failure(struct json *j, const struct failure *f);

/* BRACKET is '{' or '['; the closing one is the same. */
void json_open(struct json *j, const char *key, char bracket);
void json_close(struct json *j, char bracket);

#endif

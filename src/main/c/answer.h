/* The lines of a trial, as PROTOCOL.md has them. */
#ifndef TRAPLINE_ANSWER_H
#define TRAPLINE_ANSWER_H

#include <stdbool.h>

#include "trial.h"

void answer_ready(struct trial *t);
void answer_started(struct trial *t, uint64_t first_ns);

/* Reads all counters, and sends them with the time of the reading. */
void answer_interval(struct trial *t, uint64_t sequence);

/* All members have ended. 0, or -1 with the trial's failure filled and nothing sent. */
int answer_done(struct trial *t, bool stopped);

void answer_failed(struct trial *t);

/* Reads the hits of each seat into T->values, and their sum. Not for baselines. 0, or -1. */
int trial_hits(struct trial *t, uint64_t *total);

/* The answer to a line that is no command, or none for now. */
void answer_refused(struct json *out, const char *line, const struct refusal *r);

#endif

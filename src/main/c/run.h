/* The life of one trial, from `run` to `done` or `failed`. */
#ifndef TRAPLINE_RUN_H
#define TRAPLINE_RUN_H

#include "command.h"
#include "control.h"
#include "json.h"

/* Runs the trial and sends all its lines. False when everything is to end: CONTROL_END came. */
bool run_trial(const struct request *request, struct control *control, struct json *out);

#endif

/* Which ways of measuring work for this process on this kernel: tried, not guessed. */
#ifndef TRAPLINE_CAN_H
#define TRAPLINE_CAN_H

#include "json.h"

/* Writes the field `can`. */
void can_write(struct json *j);

#endif

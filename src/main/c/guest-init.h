/* This program as the first process (/init) of a guest: it makes the ground that it stands on elsewhere. */
#ifndef TRAPLINE_GUEST_INIT_H
#define TRAPLINE_GUEST_INIT_H

#include "failure.h"

/*
 * Mounts /proc, /sys and /dev, and makes the serial port that the kernel's command line names (trapline.port=ttyS1)
 * standard input and output. 0, or -1 with F filled.
 */
int guest_init(struct failure *f);

/* Ends the guest, because the kernel panics when its first process just ends. */
_Noreturn void guest_power_off(void);

#endif

/* Devices that take the steps of a run off the processor: graphics cards and, by pocl, the processor itself. OpenCL is
 * looked for while the program runs: where there is none, there are no devices, and nothing else is missing. */
#ifndef CAROM_DEVICE_H
#define CAROM_DEVICE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "carom/error.h"

CAROM_BEGIN

struct carom_device;

struct carom_device_about {
    char name[128], driver[192]; /* driver: whose, and its version */
    bool card;                   /* a graphics card or another accelerator, not the processor */
    uint64_t memory;             /* bytes */
    unsigned units;              /* that work side by side */
};

/* The devices that know double precision, in the order of their numbers (1, 2, ...); how many there are, of which
 * `most` are told about. */
size_t carom_device_list(struct carom_device_about *about, size_t most);

/* By number, by a part of its name (capitals do not matter) or, by "auto", the first card; never the processor then. */
struct carom_device *carom_device_open(const char *name, struct carom_error *error);
void carom_device_free(struct carom_device *device);

const struct carom_device_about *carom_device_what(const struct carom_device *device);

CAROM_END

#endif

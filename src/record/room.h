/* Is there room for what is going to be recorded? */
#ifndef CAROM_RECORD_ROOM_H
#define CAROM_RECORD_ROOM_H

#include "carom/record.h"

/* Refuses samples between two times that the disk with the file at `path` cannot hold, as far as it is known when they
 * are due. */
enum carom_status carom_room_check(const struct carom_recorder *recorder, const char *path, double from, double until,
                                   struct carom_error *error);

/* recorder.c: so many samples, of so many numbers each. */
double carom_recorder_samples(const struct carom_recorder *recorder, double from, double until, size_t *numbers);

#endif

/* Is there room for what is going to be recorded? */
#ifndef CAROM_RECORD_ROOM_H
#define CAROM_RECORD_ROOM_H

#include "carom/record.h"

/* Refuses a run whose samples between two times do not fit on the disk of the file at `path`. Samples whose times are
 * not known in advance do not count. */
enum carom_status carom_room_check(const struct carom_recorder *recorder, const char *path, double from, double until,
                                   struct carom_error *error);

/* recorder.c: the number of these samples; *numbers: how many numbers each has. */
double carom_recorder_samples(const struct carom_recorder *recorder, double from, double until, size_t *numbers);

#endif

/* When samples are due. */
#ifndef CAROM_RECORD_SCHEDULE_H
#define CAROM_RECORD_SCHEDULE_H

#include "carom/record.h"

/* The next time to sample after `after` (-HUGE_VAL: the first), or HUGE_VAL. Does not know of steps. */
double carom_schedule_next(const struct carom_schedule *schedule, double after);

#endif

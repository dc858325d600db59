/* When samples are due. */
#ifndef CAROM_RECORD_SCHEDULE_H
#define CAROM_RECORD_SCHEDULE_H

#include "carom/record.h"

#define CAROM_SCHEDULE_MOST 1e9 /* samples; more by interval are a slip of the pen */

/* A copy with times of its own, which the caller frees. Refuses intervals and times that are none. */
enum carom_status carom_schedule_copy(struct carom_schedule *to, const struct carom_schedule *from, double **times,
                                      struct carom_error *error);

/* The next time to sample after `after` (-HUGE_VAL: the first), or HUGE_VAL. Does not know of steps. */
double carom_schedule_next(const struct carom_schedule *schedule, double after);

/* How many there are from a time on until the end, without those of steps and of contacts that act. */
double carom_schedule_count(const struct carom_schedule *schedule, double from, double end);

/* The next one while contacts act, when there are `rows` already: every `nth` of those times. */
double carom_schedule_action(const struct carom_schedule *schedule, uint64_t rows, double nth, double after);

/* How many times further apart they are, a power of 2, so that rows are left until the end of the run; `half`: when the
 * first row of the second half was taken. */
double carom_schedule_thinned(const struct carom_schedule *schedule, uint64_t rows, double half, double after);

/* Where samples are so far apart, longer than a third of a contact, that histories of forces miss their peaks: an
 * interval that shows them, a round number; else 0. */
double carom_schedule_finer(const struct carom_schedule *schedule, double contact_time);

#endif

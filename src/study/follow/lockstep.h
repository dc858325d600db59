/* Several runs beside one reference, all at the same pace: the largest distance of each is kept, and nothing else. */
#ifndef CAROM_STUDY_FOLLOW_LOCKSTEP_H
#define CAROM_STUDY_FOLLOW_LOCKSTEP_H

#include "carom/progress.h"
#include "study/follow/reference.h"

struct carom_lockstep {
    struct carom_track track;
    struct carom_sup sup; /* distance from the reference so far, in the reference's norm: the largest or the sum */
    double last;          /* where it was compared last */
    double next;          /* where it is compared next; HUGE_VAL: nowhere any more */
};

/* Runs all to the end. Against a file, runs are compared at its times; else, runs with a fixed step are compared at
 * their grid points t = k h, others at the times of the schedule or, if it has none, at the ends of their steps; for
 * the L1 norm at a thousand times, since steps of event-driven runs end where velocities jump. */
enum carom_status carom_lockstep_run(struct carom_reference *reference, struct carom_lockstep *entry, size_t count,
                                     const struct carom_schedule *schedule, const struct carom_progress *progress,
                                     struct carom_error *error);

#endif

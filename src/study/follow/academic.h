/* Exact motions of the academic problems of nonsmooth dynamics (Acary 2009): one body above a stop, a force that is
 * constant or goes with the distance, Newton's restitution,
 *
 *     x'' = pull - omega^2 x,   x = q - stop >= 0,   v+ = -e v-.
 *
 * B (ball): omega = 0, pull < 0. O (oscillator): pull = 0. O+ (prestressed): pull < 0. All flights are known in
 * closed form; impacts that accumulate are summed to their limit, after which the body rests. */
#ifndef CAROM_STUDY_FOLLOW_ACADEMIC_H
#define CAROM_STUDY_FOLLOW_ACADEMIC_H

#include <stdbool.h>

#include "carom/model.h"

struct carom_academic {
    double stop, pull, omega, e;
    double q, v; /* at t = 0; q >= stop */
};

/* An impact: when (time + low, where low is less than a unit in the last place), and the speed |v-| at which the stop
 * is met. */
struct carom_academic_impact {
    double time, low, speed;
};

/* A motion with its impacts up to a time. Impacts so close before the accumulation that no double tells them from it
 * are not listed. */
struct carom_academic_motion {
    struct carom_academic problem;
    double until;
    double rest; /* when it has come to rest on the stop; HUGE_VAL: never, or after a million impacts */
    size_t count;
    struct carom_academic_impact *impact; /* count */
};

/* q, and v before and after (they differ at impact times only). */
struct carom_academic_place {
    double q, left, right;
};

/* Works the impacts out. Refused: a start below the stop, e outside [0, 1], more than a million impacts. */
enum carom_status carom_academic_open(struct carom_academic_motion *motion, const struct carom_academic *problem,
                                      double until, struct carom_error *error);
void carom_academic_close(struct carom_academic_motion *motion); /* fine for a zeroed one */

/* The state at t in [0, until], to rounding. */
struct carom_academic_place carom_academic_at(const struct carom_academic_motion *motion, double t);

/* Is the model such a problem (a ball on a floor at rest, an undamped and undriven oscillator with a stop, one rigid
 * contact)? Then `problem` is it. */
bool carom_academic_recognise(const struct carom_model *model, const double *q, const double *v,
                              struct carom_academic *problem);

#endif

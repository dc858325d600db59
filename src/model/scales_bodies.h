/* Scales of bodies in the plane and in space. */
#ifndef CAROM_MODEL_SCALES_BODIES_H
#define CAROM_MODEL_SCALES_BODIES_H

#include "carom/bodies.h"

/* V, the shortest contact time at V, and U for a start (q, v) and a run up to `until` (HUGE_VAL: nobody knows). */
enum carom_status carom_scales_bodies_find(const struct carom_model *model, const double *q, const double *v,
                                           double until, struct carom_scales *scales, struct carom_error *error);

/* Is there anything that could end a fall: a body that is held, led, pushed or hung up, or the end of a domain? */
bool carom_scales_bodies_caught(const struct carom_bodies *bodies);

/* How fast bodies may close, V being `speed`: balls that spin faster than they go close no faster for that. */
double carom_scales_bodies_closing(const struct carom_bodies *bodies, const double *q, const double *v, double until,
                                   double speed);

/* The largest overlap of pairs that close with `speed`, as a part of the smaller radius of the two. */
double carom_scales_bodies_deepest(const struct carom_bodies *bodies, double speed);

#endif

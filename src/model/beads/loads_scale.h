/* What loads, weights and drives add to the scales of a chain: speeds that they can give, and how fast contacts answer
 * that are pressed from the start. */
#ifndef CAROM_MODEL_BEADS_LOADS_SCALE_H
#define CAROM_MODEL_BEADS_LOADS_SCALE_H

#include "carom/model.h"

/* Is the model a chain with any of these? */
bool carom_loads_scale_any(const struct carom_model *model);

/* Stored energy of all beads that is held by an equilibrium. */
double carom_loads_scale_held(const struct carom_model *model);

/* The largest speed that drives have or forces give, from displacements q and up to `until`. */
double carom_loads_scale_speed(const struct carom_model *model, const double *q, double until);

/* The largest speed of bodies that fall through open gaps onto a wall or a driven body, up to `until`. */
double carom_loads_scale_fall(const struct carom_model *model, const double *q, double until);

/* The largest speed up to `until` of bodies that fall with nothing below them, and no force but their weights. */
double carom_loads_scale_falls(const struct carom_model *model, const double *q, double until);

/* The largest speed that weights and forces give up to `until` where nothing is in the way. */
double carom_loads_scale_free(const struct carom_model *model, const double *q, double until);

/* The shortest half period of a pair about its overlap at q; HUGE_VAL if nothing is pressed. */
double carom_loads_scale_time(const struct carom_model *model, const double *q);

#endif

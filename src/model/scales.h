/* What the files of scales share. */
#ifndef CAROM_MODEL_SCALES_H
#define CAROM_MODEL_SCALES_H

#include "carom/model.h"

/* How long a pair of reduced mass m that closes with speed v stays in contact, damping left aside; 0 if the contact
 * has no stiffness. */
double carom_scales_duration(const struct carom_law *law, const double *const *param, double m, double v);

/* How far such a pair overlaps at most; 0 likewise. */
double carom_scales_overlap(const struct carom_law *law, const double *const *param, double m, double v);

/* The largest speed with which contacts close: V, unless springs or strings make a single bead faster. V shares their
 * energy out to all beads, which a bead of a cradle that is let go does not. */
double carom_scales_closing(const struct carom_model *model, const double *q, const double *v, double speed);

/* The largest angular frequency of beads on springs and strings, between whose collisions they fly; 0: of none. */
double carom_scales_swing(const struct carom_model *model);

/* carom_scales_within, where threads may share the work. */
enum carom_status carom_scales_shared(const struct carom_model *model, struct carom_threads *threads, const double *q,
                                      const double *v, double until, struct carom_scales *scales,
                                      struct carom_error *error);

#endif

/* Scales of models with rigid contacts. */
#ifndef CAROM_MODEL_SCALES_RIGID_H
#define CAROM_MODEL_SCALES_RIGID_H

#include "carom/model.h"

/* V and U for a start (q, v) and a run up to `until` (HUGE_VAL: nobody knows); see scales_rigid.c. There is no contact
 * time. */
enum carom_status carom_scales_rigid_find(const struct carom_model *model, const double *q, const double *v,
                                          double until, struct carom_scales *scales, struct carom_error *error);

#endif

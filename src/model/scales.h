/* What the files of scales share. */
#ifndef CAROM_MODEL_SCALES_H
#define CAROM_MODEL_SCALES_H

#include "carom/law.h"

/* How long a pair of reduced mass m that closes with speed v stays in contact, damping left aside; 0 if the contact
 * has no stiffness. */
double carom_scales_duration(const struct carom_law *law, const double *const *param, double m, double v);

#endif

/* Friction of one contact in a step along the path of a blow (blow_path.h). */
#ifndef CAROM_IMPACT_BLOW_FRICTION_H
#define CAROM_IMPACT_BLOW_FRICTION_H

#include <stddef.h>

/* The impulse q of a contact with mobility a (dim x dim, normal first) that slips by `slip` at first and, by what all
 * others do in the step, by `change` more; at most `most`. Where it can it ends the slip; else it opposes the slip in
 * the middle, or keeps it at 0 there. */
void carom_blow_friction(size_t dim, const double *a, double most, const double *slip, const double *change,
                         double q[2]);

#endif

/* The lowest vibrations of an elastic body about any state, loads included, with their shapes: for bodies of any size
 * whose stiffness can still be factored. */
#ifndef CAROM_STUDY_VIBRATION_H
#define CAROM_STUDY_VIBRATION_H

#include "carom/solid.h"

struct carom_vibration {
    size_t count;
    double *square; /* of the angular frequencies, rising; below 0: the state is unstable, and this grows */
    double *shape;  /* count x v of the body: displacements and turns in axes of space, the largest displacement 1 */
};

/* About q (NULL: unloaded) under the loads of time 0, holds kept: the `wanted` lowest, or as many as there can be.
 * CAROM_E_REFUSED if the body is too large. */
enum carom_status carom_vibration_find(const struct carom_solid *solid, const double *q, size_t wanted,
                                       struct carom_vibration *found, struct carom_error *error);
void carom_vibration_free(struct carom_vibration *found);

#endif

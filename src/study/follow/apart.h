/* How far apart two motions of the same bodies are, in metres and metres per second: rotations count by how far a body
 * reaches. Bodies of plane and space may be one mechanism in one of the two runs and contacts that come and go in the
 * other. */
#ifndef CAROM_STUDY_FOLLOW_APART_H
#define CAROM_STUDY_FOLLOW_APART_H

#include "carom/model.h"

/* A state of a model, and which model. */
struct carom_apart_place {
    const struct carom_model *model;
    const double *q, *v;
};

/* The largest difference of displacements and of velocities; NaN counts as infinite. */
void carom_apart_between(const struct carom_apart_place *a, const struct carom_apart_place *b, double *u, double *v);

/* The same numbers one by one: `u` has room for carom_apart_width(model, false) of them, `v` for those with true. */
size_t carom_apart_width(const struct carom_model *model, bool rates);
void carom_apart_metres(const struct carom_apart_place *place, double *u, double *v);

#endif

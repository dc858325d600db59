/* Bodies that have left the domain and are removed: they keep their number and stand still where they went out, touch
 * nobody and weigh nothing. Which they are can be seen from q alone: their anchor is written far away along a side that
 * is open, by whole numbers that come off again exactly. */
#ifndef CAROM_MODEL_BODIES_OUTSIDE_H
#define CAROM_MODEL_BODIES_OUTSIDE_H

#include "carom/bodies.h"

#define CAROM_OUTSIDE_AWAY 0x1p40 /* edges of the anchors' grid */

/* Has body i been removed? */
static inline bool carom_outside_is(const struct carom_bodies *b, size_t i, const double *q)
{
    const size_t nq = carom_bodies_nq(b);
    return b->outside == CAROM_OUTSIDE_REMOVE && q[i * nq + nq - b->dimension + b->open] > 0.5 * CAROM_OUTSIDE_AWAY;
}

/* The first body from `from` on that moves freely and has its centre beyond an open side, and has not been removed yet;
 * n: there is none. */
size_t carom_outside_next(const struct carom_bodies *bodies, const double *q, size_t from);

/* Removes body i at time t: it comes to rest where it met the side, if it has flown freely since then, under its weight
 * and its loads. */
void carom_outside_remove(const struct carom_bodies *bodies, size_t i, double t, double *q, double *v);

#endif

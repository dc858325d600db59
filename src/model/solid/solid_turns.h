/* Turns of cells in space that are held about one or two axes of space: the spin about them is 0. */
#ifndef CAROM_MODEL_SOLID_SOLID_TURNS_H
#define CAROM_MODEL_SOLID_SOLID_TURNS_H

#include "model/solid/solid.h"

/* Bit k: the cell does not turn about axis k, but about others. 0: it turns freely, not at all, or lies in a plane. */
static inline unsigned carom_solid_turns_held(const struct carom_solid *s, size_t cell)
{
    const unsigned turns = s->dimension == 3 && s->held ? (unsigned)s->held[cell] >> 3 : 0U;
    return turns == 7U ? 0U : turns;
}

/* The total turn of a cell's principal axes. */
static inline void carom_solid_turns_axes(const struct carom_solid *s, size_t cell, const double *q, double out[4])
{
    carom_quat_product(q + 7 * cell + 3, carom_solid_sort_of(s, cell)->frame, out);
}

/* Turns of all cells (spins, torques; x is laid out as v) from principal axes to those of space, and back in place. A
 * plane body has one axis only. Threads may share the work. */
void carom_solid_turns_to_space(const struct carom_solid *solid, struct carom_threads *threads, const double *q,
                                const double *x, double *out);
void carom_solid_turns_to_axes(const struct carom_solid *solid, struct carom_threads *threads, const double *q,
                               double *x);

/* Adds to an angular momentum (or torque, in space axes) of such a cell what the hold does: the spin (or its rate)
 * about held axes becomes 0. */
void carom_solid_turns_balance(const struct carom_solid *solid, size_t cell, const double *q, double momentum[3]);

/* Spins in principal axes lose what is held. */
void carom_solid_turns_still(const struct carom_solid *solid, const double *q, double *v);

#endif

/* What single cells do under scheme rattle: kicks, spins. */
#ifndef CAROM_SCHEME_SOLID_RATTLE_CELL_H
#define CAROM_SCHEME_SOLID_RATTLE_CELL_H

#include "model/solid/solid_turns.h"

/* out = v moved on by half x force; v and out may be the same; `dimension` is a constant where this is compiled in */
__attribute__((always_inline)) static inline void carom_rattle_cell_push(const struct carom_solid *s, size_t dimension,
                                                                         size_t i, double half, const double *force,
                                                                         const double *v, double *out)
{
    const double light = half * carom_solid_sort_of(s, i)->inverse_mass;
    const size_t fast = dimension == 3 ? 6 : 3;
    if (s->held && s->held[i]) {
        for (size_t k = 0; k < fast; k++)
            out[k] = carom_solid_holds(s, i, k) ? v[k] : v[k] + (k < dimension ? light : half) * force[k];
        return;
    }
    for (size_t k = 0; k < dimension; k++)
        out[k] = v[k] + light * force[k];
    for (size_t k = dimension; k < fast; k++)
        out[k] = v[k] + half * force[k];
}

/* angular velocity in space axes from angular momentum, of a cell in space */
static inline void carom_rattle_cell_spin(const struct carom_solid *s, size_t cell, const double *q,
                                          const double *momentum, double spin[3])
{
    const struct carom_solid_sort *sort = carom_solid_sort_of(s, cell);
    const double *inverse = sort->inverse_inertia;
    if (inverse[0] == inverse[1] && inverse[1] == inverse[2]) {
        for (int k = 0; k < 3; k++)
            spin[k] = momentum[k] * inverse[k];
        return;
    }
    double turn[4], own[3];
    carom_solid_turns_axes(s, cell, q, turn);
    carom_quat_turn_back(turn, momentum, own);
    for (int k = 0; k < 3; k++)
        own[k] *= inverse[k];
    carom_quat_turn(turn, own, spin);
}

#endif

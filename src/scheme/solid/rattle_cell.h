/* What single cells do under scheme rattle: kicks, spins. */
#ifndef CAROM_SCHEME_SOLID_RATTLE_CELL_H
#define CAROM_SCHEME_SOLID_RATTLE_CELL_H

#include "kernel/damp.h"
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
    double axes[4];
    carom_solid_turns_axes(s, cell, q, axes);
    carom_hinge_spin(carom_solid_sort_of(s, cell)->inverse_inertia, axes, momentum, spin);
}

/* twice the kinetic energy of its turning */
static inline double carom_rattle_cell_turning(const struct carom_solid *s, size_t cell, const double *q,
                                               const double *momentum)
{
    double axes[4] = {0.0, 0.0, 0.0, 0.0};
    if (s->dimension == 3)
        carom_solid_turns_axes(s, cell, q, axes);
    return carom_damp_turning(s->dimension, carom_solid_sort_of(s, cell)->inverse_inertia, axes, momentum);
}

/* how fast the point at `arm` from the centre of a cell moves, and the cell's spin; v has angular momenta */
static inline void carom_rattle_cell_sweep(const struct carom_solid *s, size_t cell, const double arm[3],
                                           const double *q, const double *v, double spin[3], double out[3])
{
    const double *fast = v + s->fast * cell;
    spin[0] = spin[1] = spin[2] = 0.0;
    if (s->dimension == 3)
        carom_rattle_cell_spin(s, cell, q, fast + 3, spin);
    else
        spin[2] = fast[2] * carom_solid_sort_of(s, cell)->inverse_inertia[2];
    carom_vec_cross(spin, arm, out);
    for (int k = 0; k < s->dimension; k++)
        out[k] = fast[k] + out[k];
}

#endif

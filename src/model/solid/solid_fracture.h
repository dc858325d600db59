/* Bodies whose links break: how much of each link is gone stands beside the cells' places in q, and then the energy
 * that took. */
#ifndef CAROM_MODEL_SOLID_SOLID_FRACTURE_H
#define CAROM_MODEL_SOLID_SOLID_FRACTURE_H

#include "model/solid/solid_yield.h"

/* What is known of every link in advance. */
struct carom_solid_breaks {
    double *limit; /* nlinks: traction at which it begins to break */
    double *hard;  /* nlinks: traction that an opening of 1 takes away, while cells stand still and nothing is broken */
    uint8_t *cracked; /* nlinks: is it broken from the start? */
};

void carom_solid_fracture_free(struct carom_solid_breaks *breaks);

/* nlinks numbers of a body that breaks: 0 whole, 1 broken; and the energy that this took. */
static inline double *carom_solid_fracture_damage(const struct carom_solid *s, const double *q)
{
    const double *damage = q + s->wide * s->n + (s->flow ? CAROM_YIELD_STRAIN * s->n : 0);
    return (double *)(uintptr_t)damage; /* NOLINT: as strchr, for those who may write and those who may not */
}

static inline double *carom_solid_fracture_lost(const struct carom_solid *s, double *q)
{
    return s->breaks ? carom_solid_fracture_damage(s, q) + s->nlinks : NULL;
}

/* Does number k of q jump where links break? It is as before until the end of the step. */
static inline bool carom_solid_fracture_jumps(const struct carom_solid *s, size_t k)
{
    const size_t first = s->wide * s->n + (s->flow ? CAROM_YIELD_STRAIN * s->n : 0);
    return s->breaks && k >= first && k <= first + s->nlinks;
}

/* By how much a broken link adds to 1 / (lambda share) of the cell at this side. */
static inline double carom_solid_fracture_frees(const struct carom_solid *s, size_t link, size_t side)
{
    const struct carom_solid_shape *shape = &s->shape[s->link[link].shape];
    return s->cut[s->link[link].shape].area * shape->part[side] / shape->stiff;
}

/* Breaks links as far as their tractions ask, where `f` are the forces that the work has seen last, those of (t, q). If
 * some do, f becomes what is left; the energy that this takes goes to *lost. Is there any? */
bool carom_solid_fracture_break(const struct carom_solid *solid, const struct carom_solid_work *work,
                                struct carom_threads *threads, double t, double *q, double *f, double *lost);

/* The same in steps: the links that the work is for leave in its room how much of each is gone, at CAROM_BOND_OPEN;
 * does any go on breaking? And the energy of dilatations under these pressures. */
bool carom_solid_fracture_look(const struct carom_solid *solid, const struct carom_solid_work *work,
                               struct carom_threads *threads, const double *q);
double carom_solid_fracture_pressed(const struct carom_solid *solid, double t, const double *q, const double *pressure);

#endif

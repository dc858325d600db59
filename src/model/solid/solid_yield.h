/* Bodies whose cells flow: plastic strains beside the cells' places, and the forces they leave. */
#ifndef CAROM_MODEL_SOLID_SOLID_YIELD_H
#define CAROM_MODEL_SOLID_SOLID_YIELD_H

#include "model/solid/solid.h"

enum { CAROM_YIELD_STRAIN = 7 }; /* of each cell: plastic strain xx yy zz yz xz xy in its own axes, and its length p */

static inline double *carom_solid_yield_strain(const struct carom_solid *s, const double *q, size_t cell)
{
    return (double *)(uintptr_t)(q + s->wide * s->n + CAROM_YIELD_STRAIN * cell);
}

/* The links of every cell; made when the body is finished. */
struct carom_solid_yield {
    uint32_t *begin; /* n + 1 */
    uint32_t *entry; /* 2 x link + side */
};

void carom_solid_yield_free(struct carom_solid_yield *yield);

/* Doubles of room for forces; for pressures alone none. */
size_t carom_solid_yield_room(const struct carom_solid *solid);

/* As carom_solid_links_dilate and _pull for all cells: pressures into `sum`, then forces onto f where wanted. */
void carom_solid_yield_dilate(const struct carom_solid *solid, struct carom_threads *threads, const double *q,
                              double *sum, double *room);
void carom_solid_yield_pull(const struct carom_solid *solid, struct carom_threads *threads, const double *q,
                            const double *sum, double *room, double *f);
double carom_solid_yield_energy(const struct carom_solid *solid, const double *q);

/* How far the plastic strain of a cell opens a link of which it has this share. */
void carom_solid_yield_open(const struct carom_solid *solid, const double *q, size_t cell, const double apart[3],
                            double share, double out[3]);

/* Lets cells flow at (t, q), for a time h, as far as their stress asks; the work that this takes on the way from q0,
 * whose forces the work has seen last, or at q alone (q0 = NULL). */
double carom_solid_yield_flow(const struct carom_solid *solid, const struct carom_solid_work *work,
                              struct carom_threads *threads, double t, double h, const double *q0, double *q);

#endif

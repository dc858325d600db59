/* Bodies whose cells flow: plastic strains beside the cells' places, and the forces they leave. */
#ifndef CAROM_MODEL_SOLID_SOLID_YIELD_H
#define CAROM_MODEL_SOLID_SOLID_YIELD_H

#include "model/solid/solid.h"

enum { CAROM_YIELD_STRAIN = 7 }; /* of each cell: plastic strain xx yy zz yz xz xy in its own axes, and its length p */
enum { CAROM_YIELD_ROOM = 12 };  /* numbers a cell needs beside the links' room: strain and slope before it flows */

static inline double *carom_solid_yield_strain(const struct carom_solid *s, const double *q, size_t cell)
{
    const double *strain = q + s->wide * s->n + CAROM_YIELD_STRAIN * cell;
    return (double *)(uintptr_t)strain; /* NOLINT: as strchr, for those who may write and those who may not */
}

/* Strain times x times scale. */
void carom_solid_yield_times(const double strain[6], const double x[3], double scale, double out[3]);

/* How far the plastic strain of a cell opens a link of which it has this share. */
void carom_solid_yield_open(const struct carom_solid *solid, const double *q, size_t cell, const double apart[3],
                            double share, double out[3]);

/* The largest plastic strain there is now, sqrt(2/3) |e|: in tension that along the bar. It is not the path length. */
double carom_solid_yield_most(const struct carom_solid *solid, const double *q);

/* Lets cells flow at (t, q), for a time h, as far as their stress asks; the work that this takes on the way from q0,
 * whose forces the work has seen last, or at q alone (q0 = NULL). */
double carom_solid_yield_flow(const struct carom_solid *solid, const struct carom_solid_work *work,
                              struct carom_threads *threads, double t, double h, const double *q0, double *q);

/* The same in steps, for the cells that the work is for: they flow, and if any does, also of others, all come to know
 * the strains; then each knows what it has lost, whose sum block by block that work is. */
bool carom_solid_yield_move(const struct carom_solid *solid, const struct carom_solid_work *work,
                            struct carom_threads *threads, double t, double h, const double *q0, double *q);
void carom_solid_yield_lose(const struct carom_solid *solid, const struct carom_solid_work *work,
                            struct carom_threads *threads, double t, double *q);
double carom_solid_yield_lost(const struct carom_solid *solid, const struct carom_solid_work *work, size_t cell);

#endif

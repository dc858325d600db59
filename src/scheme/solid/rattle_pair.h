/* The rotation step of scheme rattle in the plane for two cells at a time. */
#ifndef CAROM_SCHEME_SOLID_RATTLE_PAIR_H
#define CAROM_SCHEME_SOLID_RATTLE_PAIR_H

#include "model/solid/solid.h"

/* One cell: its sort, quaternion and angular momentum now, its quaternion a step later. */
struct carom_rattle_pair {
    const struct carom_solid_sort *sort;
    const double *q, *momentum;
    double *next;
};

/* Turns the cells by a step h, each to the bit as if it were alone; quaternions of two numbers, momenta of one. False,
 * and nothing done, if one of them turns too fast: then each goes its own way. */
bool carom_rattle_pair_plane(double h, const struct carom_rattle_pair cell[2]);

#endif

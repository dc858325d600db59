/* The rotation step of scheme rattle for some cells at a time. */
#ifndef CAROM_SCHEME_RATTLE_PAIR_H
#define CAROM_SCHEME_RATTLE_PAIR_H

#include "model/solid.h"

enum { CAROM_RATTLE_PAIR = 4 }; /* cells at a time */

/* One cell: its sort, quaternion and angular momentum now, its quaternion a step later. */
struct carom_rattle_pair {
    const struct carom_solid_sort *sort;
    const double *q, *momentum;
    double *next;
};

/* Turns the cells by a step h, each to the bit as if it were alone. False, and nothing done, if one of them is at rest
 * or turns too fast for the fixed point: then each goes its own way. */
bool carom_rattle_pair_turn(bool framed, double h, const struct carom_rattle_pair cell[CAROM_RATTLE_PAIR]);

/* The same in the plane, for two cells: quaternions of two numbers, momenta of one. */
bool carom_rattle_pair_plane(double h, const struct carom_rattle_pair cell[2]);

#endif

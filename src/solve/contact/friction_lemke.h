/* Contact problems with friction in the plane as linear complementarity problems, for Lemke's pivoting. */
#ifndef CAROM_SOLVE_FRICTION_LEMKE_H
#define CAROM_SOLVE_FRICTION_LEMKE_H

#include "solve/contact/friction.h"
#include "solve/contact/lcp.h"

struct carom_friction_lemke {
    size_t n; /* contacts there is room for */
    double *matrix, *b, *z;
    struct carom_lcp_room room;
};

void carom_friction_lemke_close(struct carom_friction_lemke *lemke);

enum { CAROM_FRICTION_LEMKE_ATTEMPTS = 6 };

/* Solves a problem in blocks of dim 2 from nothing; r gets what was found, good or not: its residual will tell. Where
 * contacts are redundant the rounding of many pivots may lead astray: further attempts let contacts give way by parts
 * of 1e-12 to 1e-8, which is nearly the same problem and another way. Returns how many pivots it took. O(n^3); grows
 * with the problem, false: out of memory. */
bool carom_friction_lemke_solve(struct carom_friction_lemke *lemke, const struct carom_friction_problem *problem,
                                size_t attempt, double *r, size_t *pivots);

#endif

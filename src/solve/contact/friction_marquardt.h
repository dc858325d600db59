/* Contact problems of a few contacts by least squares of the natural map, for islands at which all else comes to a
 * stop. */
#ifndef CAROM_SOLVE_CONTACT_FRICTION_MARQUARDT_H
#define CAROM_SOLVE_CONTACT_FRICTION_MARQUARDT_H

#include "solve/contact/friction.h"

struct carom_friction_marquardt {
    size_t width;                                        /* of the problems there is room for */
    double *w, *slope, *normal;                          /* width^2 each: W, the map's derivative J, J^T J */
    double *x, *map, *step, *trial, *next, *best, *free; /* width each */
};

void carom_friction_marquardt_close(struct carom_friction_marquardt *room);

/* The largest island it is worth its time for: its matrices are dense. */
enum { CAROM_FRICTION_MARQUARDT_MOST = 60 };

/* Solves a problem in blocks from r on, then from one start after the other, to a residual of tol; r gets the best
 * found. Adds to *iterations. Grows with the problem, false: out of memory. */
bool carom_friction_marquardt_solve(struct carom_friction_marquardt *room, const struct carom_friction_problem *problem,
                                    double tol, double *r, size_t *iterations);

#endif

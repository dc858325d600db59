/* Friction whose bounds are known (Tresca's): the tangential impulses q of n contacts with two tangents each, q_i in
 * the disc |q_i| <= radius_i, with the least of 1/2 q A q + b q, A symmetric and positive semidefinite. A slip b + A q
 * then is 0 or opposes an impulse at the edge of its disc. There always is an answer. Its slips are unique; where
 * impulses are not, as of corners of a face that hold each other, it is the smallest. */
#ifndef CAROM_SOLVE_CONTACT_DISCS_H
#define CAROM_SOLVE_CONTACT_DISCS_H

#include <stdbool.h>
#include <stddef.h>

struct carom_discs {
    size_t n;
    double *a, *b, *radius; /* 2n x 2n, 2n, n: to be filled in */
    double *q;              /* 2n: where to begin, and the answer */
    double *slip;           /* 2n: b + A q */
    double *matrix, *step;  /* (2n)^2, 2n: a linear system */
    double *centre, *held;  /* 2n, see nearest; b of it */
    double *presses, *room; /* n: of the inner way, slips over impulses, and what is left of discs */
    double *kept, *first;   /* 2n */
    double hold;            /* the proximal term, see discs.c */
    bool *edge;             /* n: at the edge of its disc */
};

/* For up to `most` contacts; NULL: out of memory. */
struct carom_discs *carom_discs_create(size_t most);
void carom_discs_free(struct carom_discs *d);

/* Looks for impulses with slips off the law by no more than `accuracy`; returns by how much they are. That may be more
 * where b has slips that no impulse changes, as rounding leaves of contacts that hold each other; infinite: none were
 * found. */
double carom_discs_solve(struct carom_discs *d, double accuracy);

#endif

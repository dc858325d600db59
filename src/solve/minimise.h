/* Minimum of a smooth energy: Newton's method whose steps come from preconditioned conjugate gradients. Knows no
 * model: the unknowns live with the caller, who says slope, curvature along a direction and energy, and moves. */
#ifndef CAROM_SOLVE_MINIMISE_H
#define CAROM_SOLVE_MINIMISE_H

#include <stdbool.h>
#include <stddef.h>

struct carom_minimise {
    size_t n;
    void *own;
    double (*energy)(void *own);                                 /* at the point */
    void (*slope)(void *own, double *g);                         /* n, at the point */
    void (*curve)(void *own, const double *along, double *out);  /* curvature times a direction */
    void (*precondition)(void *own, const double *r, double *z); /* z ~ curvature^-1 r; almost linear */
    void (*go)(void *own, const double *along, double s);        /* the point = the kept point moved by s along */
    void (*keep)(void *own);                                     /* keeps the point */
    double (*noise)(void *own);                                  /* of slopes, from rounding, at the point */
    double (*reach)(void *own, const double *along);             /* how far s may go at once */
    bool (*go_on)(void *own, double residual);                   /* asked now and then; false: stop. May be NULL */
};

struct carom_minimise_result {
    size_t iterations, products; /* of Newton's method; curvature times direction */
    double residual;             /* largest slope that is left */
    bool converged, stopped;
};

/* Goes down from the kept point until the largest slope is at most `goal`, or noise. `work` has room for 5 n. */
struct carom_minimise_result carom_minimise_run(const struct carom_minimise *problem, double goal, size_t most,
                                                double *work);

/* Is the kept point, where the slope is 0, no minimum: does the energy fall in some direction? The first n numbers of
 * `work` hold a slope that has something of every direction. */
bool carom_minimise_wavers(const struct carom_minimise *problem, double *work);

#endif

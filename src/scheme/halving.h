/* Steps that may fail: a step that cannot be solved is tried in halves, each a step of its own. What is then left of
 * the regular step is remembered in the first number of the state's memory and comes next, so that the steps end on
 * the regular grid again. */
#ifndef CAROM_SCHEME_HALVING_H
#define CAROM_SCHEME_HALVING_H

#include "scheme/stepper.h"

enum { CAROM_HALVING_REST = 0 }; /* its place in the memory */

/* Advances within the bound by steps of size `step`; gives up, with the state as it was, after twelve halvings.
 * `one_step` takes one step of size h; false, with the state as it was, if it cannot be solved. */
enum carom_status carom_halving_steps(struct carom_stepper *stepper, struct carom_state *state,
                                      const struct carom_bound *bound, double step,
                                      bool (*one_step)(struct carom_stepper *stepper, struct carom_state *state,
                                                       double h, double t_stop),
                                      struct carom_error *error);

/* Newton's method for the minimum of a function of n numbers that is convex, or nearly so, with a symmetric tridiagonal
 * matrix. `assemble` fills it and the residual at `x`, and returns how large that is and in *noise what rounding alone
 * makes of it; updates are halved where it grows. False: there is no solution within reach. */
struct carom_halving_newton {
    size_t n;
    double *x, *diagonal, *off, *update, *taken; /* n: unknown; matrix; residual, then update; the update, kept */
    double (*assemble)(void *own, struct carom_stepper *stepper, double h, double *noise);
    void *own;
};
bool carom_halving_newton(const struct carom_halving_newton *problem, struct carom_stepper *stepper, double h);

#endif

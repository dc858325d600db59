/* Gauss-Seidel over contacts: each contact in turn is solved exactly with the impulses of the others as they are. Sure
 * and cheap, slow on tall stacks. Forward and backward sweeps take turns, so that news travels both ways. */
#include <math.h>
#include <stdint.h>
#include <string.h>

#include "solve/contact/friction_parts.h"

enum { LOOK = 16 };

/* velocity of contact i, without what block `left_out` makes of it */
static inline void velocity(const struct carom_friction_view *view, const double *r, size_t i, size_t dim,
                            size_t left_out, double *q)
{
    const size_t square = dim * dim;
    for (size_t k = 0; k < dim; k++)
        q[k] = view->b[i * dim + k];
    for (size_t l = view->first[i]; l < view->first[i + 1]; l++) {
        if (l == left_out)
            continue;
        const double *block = view->block + l * square, *of = r + view->column[l] * dim;
        for (size_t k = 0; k < dim; k++)
            for (size_t m = 0; m < dim; m++)
                q[k] += block[k * dim + m] * of[m];
    }
}

void carom_friction_sweep_velocity(const struct carom_friction_view *view, const double *r, double *u)
{
    const size_t dim = view->dim;
    for (size_t i = 0; i < view->n; i++) {
        double q[CAROM_FRICTION_MOST_DIM];
        velocity(view, r, i, dim, SIZE_MAX, q);
        memcpy(u + i * dim, q, dim * sizeof *u);
    }
}

/* one contact; how far its impulse moved, as a velocity */
static double renew(const struct carom_friction_view *view, size_t i, double *r)
{
    const size_t dim = view->dim;
    double q[CAROM_FRICTION_MOST_DIM], next[CAROM_FRICTION_MOST_DIM], moved = 0.0;
    if (dim == 2)
        velocity(view, r, i, 2, view->diagonal[i], q);
    else
        velocity(view, r, i, 3, view->diagonal[i], q);
    carom_friction_local_solve(dim, view->block + view->diagonal[i] * dim * dim, q, view->mu[i], next);
    for (size_t k = 0; k < dim; k++) {
        const double part = fabs(next[k] - r[i * dim + k]);
        moved = part > moved ? part : moved;
        r[i * dim + k] = next[k];
    }
    return view->weight[i] * moved;
}

double carom_friction_sweep_run(const struct carom_friction_view *view, double tol, size_t most,
                                struct carom_friction_room *room, double *r, size_t *iterations)
{
    double residual = HUGE_VAL;
    for (size_t sweep = 1; sweep <= most; sweep++) {
        double moved = 0.0;
        for (size_t k = 0; k < view->n; k++) {
            const double part = renew(view, sweep % 2 ? k : view->n - 1 - k, r);
            moved = part > moved ? part : moved;
        }
        ++*iterations;
        /* the change of a sweep is a cheap hint; the residual decides */
        if (sweep == most || sweep % LOOK == 0 || moved <= tol * view->speed) {
            residual = carom_friction_judge(view, r, room->velocity);
            if (moved == 0.0 || !(residual > tol) || !carom_friction_go_on(room, *iterations, residual))
                break;
        }
    }
    return residual;
}

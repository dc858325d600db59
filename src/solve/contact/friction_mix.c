/* Sweeps of Gauss-Seidel, mixed: two of them, there and back, make g(r) of impulses r; of the last few r and g(r) the
 * combination is taken whose g(r) - r is least (Anderson 1965). As long as the same contacts stick and slip this is
 * GMRES with sweeps as preconditioner, and columns that plain sweeps need thousands for take dozens. Mixed impulses are
 * put back into their cones; where that led astray it begins again from the best. */
#include <math.h>
#include <stdint.h>
#include <string.h>

#include "solve/contact/friction_parts.h"

enum { DEPTH = 15, LOOK = 4, PATIENCE = 4 }; /* differences kept; mixings between looks; looks without gain */

struct mix {
    const struct carom_friction_view *view;
    size_t width, count; /* numbers of r; differences kept so far */
    double *moved[DEPTH], *after[DEPTH];
    double gram[DEPTH][DEPTH];
    double *last_move, *last_after, *move, *best;
};

/* a product in squares of velocity, so that light and heavy bodies count alike */
static double dot(const struct mix *mix, const double *x, const double *y)
{
    const size_t dim = mix->view->dim;
    double sum = 0.0;
    for (size_t i = 0; i < mix->view->n; i++) {
        double part = 0.0;
        for (size_t k = i * dim; k < (i + 1) * dim; k++)
            part += x[k] * y[k];
        sum += mix->view->weight[i] * mix->view->weight[i] * part;
    }
    return sum;
}

/* gram x = right by elimination, a little on its diagonal: differences may be nearly parallel */
static void combine(const struct mix *mix, double *right)
{
    double a[DEPTH][DEPTH];
    const size_t n = mix->count;
    memcpy(a, mix->gram, sizeof a);
    for (size_t k = 0; k < n; k++)
        a[k][k] *= 1.0 + 1e-12;
    for (size_t k = 0; k < n; k++)
        for (size_t l = k + 1; l < n; l++) {
            const double factor = a[k][k] > 0.0 ? a[l][k] / a[k][k] : 0.0;
            for (size_t m = k; m < n; m++)
                a[l][m] -= factor * a[k][m];
            right[l] -= factor * right[k];
        }
    for (size_t k = n; k-- > 0;) {
        for (size_t l = k + 1; l < n; l++)
            right[k] -= a[k][l] * right[l];
        right[k] = a[k][k] > 0.0 ? right[k] / a[k][k] : 0.0;
    }
}

/* the newest differences take the place of the oldest */
static void remember(struct mix *mix, size_t turn, const double *after)
{
    const size_t at = turn % DEPTH;
    for (size_t k = 0; k < mix->width; k++) {
        mix->moved[at][k] = mix->move[k] - mix->last_move[k];
        mix->after[at][k] = after[k] - mix->last_after[k];
    }
    mix->count = turn + 1 < DEPTH ? turn + 1 : DEPTH;
    for (size_t k = 0; k < mix->count; k++)
        mix->gram[at][k] = mix->gram[k][at] = dot(mix, mix->moved[at], mix->moved[k]);
}

/* r = g(r) less what the differences make of g(r) - r */
static void blend(const struct mix *mix, double *r)
{
    double share[DEPTH];
    for (size_t k = 0; k < mix->count; k++)
        share[k] = dot(mix, mix->moved[k], mix->move);
    combine(mix, share);
    for (size_t k = 0; k < mix->count; k++)
        for (size_t l = 0; l < mix->width; l++)
            r[l] -= share[k] * mix->after[k][l];
    for (size_t i = 0; i < mix->view->n; i++)
        carom_friction_local_project(mix->view->dim, mix->view->mu[i], r + i * mix->view->dim);
}

double carom_friction_mix_run(const struct carom_friction_view *view, double tol, size_t most,
                              struct carom_friction_room *room, double *r, size_t *iterations)
{
    struct mix mix = {.view = view, .width = view->n * view->dim};
    const size_t bytes = mix.width * sizeof *r;
    for (size_t k = 0; k < DEPTH; k++) {
        mix.moved[k] = room->basis + k * mix.width;
        mix.after[k] = room->basis + (DEPTH + k) * mix.width;
    }
    mix.last_move = room->row[0];
    mix.last_after = room->row[1];
    mix.move = room->row[2];
    mix.best = room->row[3];
    double least = HUGE_VAL, before = HUGE_VAL;
    size_t turn = 0, vain = 0;
    memcpy(mix.best, r, bytes);
    for (size_t done = 0; done + 2 <= most && least > tol && vain < PATIENCE; done += 2, turn++) {
        memcpy(mix.move, r, bytes);
        const double residual = carom_friction_sweep_run(view, 0.0, 2, room, r, iterations);
        for (size_t k = 0; k < mix.width; k++)
            mix.move[k] = r[k] - mix.move[k];
        if (residual < least) {
            least = residual;
            memcpy(mix.best, r, bytes);
        }
        if (done / 2 % LOOK == LOOK - 1) {
            vain = least < 0.5 * before ? 0 : vain + 1;
            before = least;
        }
        if (residual > 10.0 * least) { /* astray */
            memcpy(r, mix.best, bytes);
            turn = SIZE_MAX;
            mix.count = 0;
            continue;
        }
        if (turn > 0)
            remember(&mix, turn - 1, r);
        memcpy(mix.last_move, mix.move, bytes);
        memcpy(mix.last_after, r, bytes);
        if (turn > 0 && least > tol)
            blend(&mix, r);
        if (!carom_friction_go_on(room, *iterations, least))
            break;
    }
    memcpy(r, mix.best, bytes);
    return least;
}

/* Flights by Gauss and Radau IIA methods, for stiff systems. The stages solve Z_i = h sum_j a_ij f(y0 + Z_j); Newton's
 * method with the slopes of f at the start, by differences, (I - h A x J) dZ = h A F - Z. The matrix is full: for
 * mechanisms and short rows. */
#include "scheme/tableau_implicit.h"

#include <float.h>
#include <string.h>

#include "base/memory.h"
#include "model/beads/loads.h"
#include "scheme/rigid/mannshardt/mannshardt.h"
#include "solve/dense.h"

enum { TURNS = 40, STAGES = CAROM_TABLEAU_IMPLICIT_STAGES };

void carom_mannshardt_implicit_close(struct carom_mannshardt *m)
{
    carom_memory_free(m->jacobian);
}

enum carom_status carom_mannshardt_implicit_open(struct carom_mannshardt *m, struct carom_error *error)
{
    const size_t n = m->n, all = STAGES * n;
    if (carom_memory_together(CAROM_ROOM(m->jacobian, n * n), CAROM_ROOM(m->matrix, all * all),
                              CAROM_ROOM(m->side, all), CAROM_ROOM(m->guess, STAGES * m->ny),
                              CAROM_ROOM(m->pivot, all)))
        return CAROM_OK;
    return carom_error_set(error, CAROM_E_MEMORY, "out of memory for scheme mannshardt on %zu coordinates", n);
}

/* J = df/dy of q and v at the start, whose slope is k[0] */
static void differentiate(struct carom_stepper *stepper)
{
    struct carom_mannshardt *m = stepper->work;
    struct carom_event_smooth *s = &m->event.smooth;
    const size_t n = m->n, nq = stepper->model->nq;
    for (size_t c = 0; c < n; c++) {
        const double scale = fmax(fabs(s->start[c]), c < nq ? m->event.length : m->event.speed);
        memcpy(s->look, s->start, m->ny * sizeof(double));
        s->look[c] += 1e-7 * scale;
        const double moved = s->look[c] - s->start[c];
        carom_event_smooth_rates(stepper, s->from, s->look, s->slope);
        for (size_t i = 0; i < n; i++)
            m->jacobian[i * n + c] = (s->slope[i] - m->k[0][i]) / moved;
    }
    m->differentiated = true;
}

static bool factorise(struct carom_mannshardt *m, const struct carom_tableau_implicit *t, double h)
{
    const size_t n = m->n, all = (size_t)t->stages * n;
    double *a = m->matrix;
    for (size_t i = 0; i < all; i++)
        for (size_t j = 0; j < all; j++)
            a[i * all + j] = (i == j ? 1.0 : 0.0) - h * t->a[i / n][j / n] * m->jacobian[(i % n) * n + j % n];
    return carom_dense_factor(all, a, m->pivot, NULL) == all;
}

/* slopes at y0 + Z_i into k[1 + i] */
static void slopes(struct carom_stepper *stepper, const struct carom_tableau_implicit *t, double h)
{
    struct carom_mannshardt *m = stepper->work;
    struct carom_event_smooth *s = &m->event.smooth;
    for (int i = 0; i < t->stages; i++) {
        const double at = fmin(s->from + t->c[i] * h, carom_loads_within(s->from, s->from + h));
        const double *z = m->guess + (size_t)i * m->ny;
        for (size_t c = 0; c < m->ny; c++)
            s->stage[c] = s->start[c] + (c < m->n ? z[c] : 0.0);
        carom_event_smooth_rates(stepper, at, s->stage, m->k[2 + i]);
        for (size_t j = 0; j < s->nheld; j++)
            m->least[j] = s->lambda[j] < m->least[j] ? s->lambda[j] : m->least[j];
    }
}

bool carom_mannshardt_implicit_fly(struct carom_stepper *stepper, bool radau, int order, double h, double *y)
{
    struct carom_mannshardt *m = stepper->work;
    struct carom_event_smooth *s = &m->event.smooth;
    const struct carom_tableau_implicit *t = carom_tableau_implicit_of(radau, order);
    const size_t n = m->n, nq = stepper->model->nq, all = (size_t)t->stages * n;
    double last = HUGE_VAL;
    bool solved = false;
    s->to = s->from + h;
    if (!m->differentiated)
        differentiate(stepper);
    if (!factorise(m, t, h))
        return false;
    for (int i = 0; i < t->stages; i++)
        for (size_t c = 0; c < n; c++)
            m->guess[(size_t)i * m->ny + c] = t->c[i] * h * m->k[0][c];
    for (int turn = 0; turn < TURNS && !solved; turn++) {
        double change = 0.0, poison = 0.0;
        slopes(stepper, t, h);
        for (size_t i = 0; i < all; i++) {
            double sum = -m->guess[i / n * m->ny + i % n];
            for (int j = 0; j < t->stages; j++)
                sum += h * t->a[i / n][j] * m->k[2 + j][i % n];
            m->side[i] = sum;
        }
        carom_dense_factor_solve(all, m->matrix, m->pivot, m->side);
        for (size_t i = 0; i < all; i++) {
            m->guess[i / n * m->ny + i % n] += m->side[i];
            const double size = i % n < nq ? m->event.length : m->event.speed;
            change = fmax(change, fabs(m->side[i]) / fmax(size, fabs(s->start[i % n])));
            poison += m->side[i] * 0.0;
        }
        stepper->counts.iterations++;
        if (poison != 0.0)
            return false;
        solved = change <= 4.0 * DBL_EPSILON || (change <= 1e-11 && change >= 0.5 * last);
        last = change;
    }
    if (!solved)
        return false;
    slopes(stepper, t, h);
    for (size_t c = 0; c < m->ny; c++) {
        double sum = 0.0;
        for (int j = 0; j < t->stages; j++)
            sum += t->b[j] * m->k[2 + j][c];
        y[c] = s->start[c] + h * sum;
    }
    return true;
}

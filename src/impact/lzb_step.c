/* A step of x'' = - r W F(x), a' = - W F(x): RKN 6(4)6FM of Dormand, El-Mikkawy and Prince 1987, six stages of which
 * the last is the first of the next step. Works on the spans of contacts that move only. Contacts that are held get the
 * forces that keep their a; all combinations of forces are made so, which linearity allows. */
#include "impact/lzb_step.h"

#include <math.h>
#include <string.h>

#include "impact/lzb_linear.h"

enum { STAGES = CAROM_LZB_STAGES };

static const double node[STAGES] = {0.0, 0.1, 0.3, 0.7, 0.68, 1.0};

static const double stage[STAGES][STAGES] = {
    {0},
    {1.0 / 200.0},
    {-1.0 / 2200.0, 1.0 / 22.0},
    {637.0 / 6600.0, -7.0 / 110.0, 7.0 / 33.0},
    {225437.0 / 1968750.0, -30073.0 / 281250.0, 65569.0 / 281250.0, -9367.0 / 984375.0},
    {151.0 / 2142.0, 5.0 / 116.0, 385.0 / 1368.0, 55.0 / 168.0, -6250.0 / 28101.0},
};

/* weights of a (those of x are the last row above), and how those of the fourth order differ */
static const double weight[STAGES] = {151.0 / 2142.0, 25.0 / 522.0,        275.0 / 684.0,
                                      275.0 / 252.0,  -78125.0 / 112404.0, 1.0 / 12.0};
static const double weight_off[STAGES] = {151.0 / 2142.0 - 1349.0 / 157500.0, 25.0 / 522.0 - 7873.0 / 45000.0,
                                          275.0 / 684.0 - 27457.0 / 90000.0,  275.0 / 252.0 - 521683.0 / 630000.0,
                                          -78125.0 / 112404.0 + 2.0 / 5.0,    0.0};
static const double stage_off[STAGES] = {151.0 / 2142.0 - 1349.0 / 157500.0,   5.0 / 116.0 - 7873.0 / 50000.0,
                                         385.0 / 1368.0 - 192199.0 / 900000.0, 55.0 / 168.0 - 521683.0 / 2100000.0,
                                         -6250.0 / 28101.0 + 16.0 / 125.0,     0.0};

/* --- forces and W ------------------------------------------------------------------------------------------------ */

void carom_lzb_step_hold(const struct carom_lzb *w, double *force)
{
    if (w->held == 0)
        return;
    for (size_t s = 0; s < w->nspans; s++)
        for (size_t i = w->span[s].first; i < w->span[s].last; i++)
            if (w->mode[i] == CAROM_LZB_HELD)
                force[i] = 0.0;
    carom_lzb_linear_solve(w, &w->hold, force);
}

/* in chains `in` must be 0 beside spans, where nothing presses: see `fence` */
static void turn_span(const struct carom_lzb *w, size_t first, size_t last, const double *in, double *out)
{
    const double *diagonal = w->frame->diagonal, *left = w->left;
    for (size_t i = first; i < last; i++)
        out[i] = diagonal[i] * in[i] + (left[i] * in[i - 1] + left[i + 1] * in[i + 1]);
}

static void fence(const struct carom_lzb *w, size_t s, double *in)
{
    in[w->span[s].first - 1] = in[w->span[s].last] = 0.0; /* arrays have room on both sides */
}

static void turn_dense(const struct carom_lzb *w, const double *in, double *out)
{
    const size_t n = w->n;
    for (size_t i = 0; i < n; i++) {
        const double *row = w->frame->matrix + i * n;
        double sum = 0.0;
        for (size_t j = 0; j < n; j++)
            sum += row[j] * in[j];
        out[i] = sum;
    }
}

void carom_lzb_step_turn(const struct carom_lzb *w, double *in, double *out)
{
    if (!w->frame->chain) {
        turn_dense(w, in, out);
        return;
    }
    for (size_t s = 0; s < w->nspans; s++) {
        fence(w, s, in);
        turn_span(w, w->span[s].first, w->span[s].last, in, out);
    }
}

/* forces of contacts [first, last) at x; those that are open or held have active = 0 */
static void forces(const struct carom_lzb *w, size_t first, size_t last, const double *x, double *force)
{
    if (w->hertz) {
        for (size_t i = first; i < last; i++) {
            const double d = x[i] > 0.0 ? x[i] : 0.0;
            force[i] = w->active[i] * (d * sqrt(d));
        }
        return;
    }
    for (size_t i = first; i < last; i++)
        force[i] = w->active[i] > 0.0 && x[i] > 0.0 ? w->active[i] * carom_lzb_power(x[i], w->p[i]) : 0.0;
}

void carom_lzb_step_forces(const struct carom_lzb *w, const double *x, double *force)
{
    for (size_t s = 0; s < w->nspans; s++)
        forces(w, w->span[s].first, w->span[s].last, x, force);
}

void carom_lzb_step_begin(struct carom_lzb *w)
{
    for (size_t s = 0; w->held > 0 && s < w->nspans; s++)
        for (size_t i = w->span[s].first; i < w->span[s].last; i++)
            w->y[i] = w->mode[i] == CAROM_LZB_HELD ? -1.0 : 0.0;
    if (w->held > 0)
        carom_lzb_linear_set(w, &w->hold, w->y);
    carom_lzb_step_forces(w, w->x, w->force[0]);
    carom_lzb_step_hold(w, w->force[0]);
    carom_lzb_step_turn(w, w->force[0], w->bend);
    w->changed = false;
}

/* --- a step ------------------------------------------------------------------------------------------------------ */

/* sum of the first `count` forces, weighted; `count` is a constant wherever this is called, so that it unrolls */
static inline void mix(const struct carom_lzb *w, size_t first, size_t last, const double *by, int count, double *out)
{
    const double *const *force = (const double *const *)w->force;
    for (size_t i = first; i < last; i++) {
        double sum = by[0] * force[0][i];
        for (int c = 1; c < count; c++)
            sum += by[c] * force[c][i];
        out[i] = sum;
    }
}

static void mix_stage(const struct carom_lzb *w, size_t first, size_t last, int c)
{
    switch (c) {
    case 1:
        mix(w, first, last, stage[1], 1, w->mix);
        break;
    case 2:
        mix(w, first, last, stage[2], 2, w->mix);
        break;
    case 3:
        mix(w, first, last, stage[3], 3, w->mix);
        break;
    case 4:
        mix(w, first, last, stage[4], 4, w->mix);
        break;
    default:
        mix(w, first, last, stage[5], 5, w->mix);
    }
}

/* where x is at stage c, from W times its combination of forces */
static void place(const struct carom_lzb *w, size_t first, size_t last, double h, double at, double *x)
{
    for (size_t i = first; i < last; i++)
        x[i] = w->x[i] + h * w->r[i] * (at * w->a[i] - h * w->turn[i]);
}

static void take_stage(struct carom_lzb *w, int c, double h)
{
    double *x = c + 1 < STAGES ? w->y : w->new_x;
    const bool whole = w->held > 0 || !w->frame->chain; /* spans must be mixed before one of them is turned */
    for (size_t s = 0; s < w->nspans; s++)
        mix_stage(w, w->span[s].first, w->span[s].last, c);
    if (whole) {
        carom_lzb_step_hold(w, w->mix);
        carom_lzb_step_turn(w, w->mix, w->turn);
    }
    for (size_t s = 0; s < w->nspans; s++) {
        const size_t first = w->span[s].first, last = w->span[s].last;
        if (!whole) {
            fence(w, s, w->mix);
            turn_span(w, first, last, w->mix, w->turn);
        }
        place(w, first, last, h, node[c], x);
        forces(w, first, last, x, w->force[c]);
    }
}

/* the larger, and a NaN stays one */
static double larger(double a, double b)
{
    return b > a || isnan(b) ? b : a;
}

/* the error of the embedded method: the largest of all contacts, relative to what is allowed */
static double error_of(struct carom_lzb *w, double h, double *speeds)
{
    double worst = 0.0, fastest = 0.0;
    carom_lzb_step_hold(w, w->mix_a);
    carom_lzb_step_turn(w, w->mix_a, w->turn);
    for (size_t s = 0; s < w->nspans; s++)
        for (size_t i = w->span[s].first; i < w->span[s].last; i++)
            fastest = larger(fastest, fabs(w->turn[i]));
    carom_lzb_step_hold(w, w->mix_x);
    carom_lzb_step_turn(w, w->mix_x, w->turn);
    for (size_t s = 0; s < w->nspans; s++)
        for (size_t i = w->span[s].first; i < w->span[s].last; i++)
            worst = larger(worst, fabs(w->r[i] * w->turn[i]) / w->size[i]);
    *speeds = h * fastest;
    return larger(h * fastest / w->speed, h * h * worst) / w->tol;
}

double carom_lzb_step_try(struct carom_lzb *w, double h, double *speeds)
{
    for (int c = 1; c < STAGES; c++)
        take_stage(w, c, h);
    carom_lzb_step_hold(w, w->force[STAGES - 1]);
    carom_lzb_step_turn(w, w->force[STAGES - 1], w->new_bend);
    for (size_t s = 0; s < w->nspans; s++) {
        const size_t first = w->span[s].first, last = w->span[s].last;
        mix(w, first, last, weight, STAGES, w->push);
        mix(w, first, last, weight_off, STAGES - 1, w->mix_a);
        mix(w, first, last, stage_off, STAGES - 1, w->mix_x);
    }
    carom_lzb_step_hold(w, w->push);
    carom_lzb_step_turn(w, w->push, w->turn);
    for (size_t s = 0; s < w->nspans; s++)
        for (size_t i = w->span[s].first; i < w->span[s].last; i++) {
            w->new_a[i] = w->a[i] - h * w->turn[i];
            w->push[i] *= h;
        }
    return error_of(w, h, speeds);
}

void carom_lzb_step_take(struct carom_lzb *w, double h)
{
    for (size_t s = 0; s < w->nspans; s++)
        for (size_t i = w->span[s].first; i < w->span[s].last; i++) {
            w->x[i] = w->new_x[i];
            w->a[i] = w->new_a[i];
            w->bend[i] = w->new_bend[i];
            w->impulse[i] += w->push[i];
            w->force[0][i] = w->force[STAGES - 1][i];
        }
    w->time += h;
}

double carom_lzb_step_between(const struct carom_lzb *w, size_t i, double h, double s)
{
    const double r = w->r[i], x0 = w->x[i], x1 = w->new_x[i];
    const double v0 = h * r * w->a[i], v1 = h * r * w->new_a[i];
    const double b0 = -h * h * r * w->bend[i], b1 = -h * h * r * w->new_bend[i];
    const double t = 1.0 - s, cube = s * s * s;
    return x0 + (x1 - x0) * cube * (10.0 + s * (6.0 * s - 15.0)) + v0 * s * t * t * t * (1.0 + 3.0 * s) -
           v1 * cube * t * (4.0 - 3.0 * s) + 0.5 * s * s * t * t * (b0 * t + b1 * s);
}

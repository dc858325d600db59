/* A step of x'' = - r W F(x), a' = - W F(x): RKN 6(4)6FM of Dormand, El-Mikkawy and Prince 1987, six stages of which
 * the last is the first of the next step. Works on the spans of contacts that move only. Contacts that are held get the
 * forces that keep their a; all combinations of forces are made so, which linearity allows. */
#include "impact/lzb_step.h"

#include <math.h>

#include "impact/lzb.h"

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
static void turn_span(const struct carom_lzb *w, size_t first, size_t last, const double *restrict in,
                      double *restrict out)
{
    const double *restrict diagonal = w->frame->diagonal, *restrict left = w->left;
    const double *before = in - 1; /* arrays have room on both sides */
    for (size_t i = first; i < last; i++)
        out[i] = diagonal[i] * in[i] + (left[i] * before[i] + left[i + 1] * in[i + 1]);
}

static void fence(const struct carom_lzb *w, size_t s, double *in)
{
    double *first = in + w->span[s].first;
    first[-1] = in[w->span[s].last] = 0.0;
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
static void forces(const struct carom_lzb *w, size_t first, size_t last, const double *restrict x,
                   double *restrict force)
{
    const double *restrict active = w->active;
    if (w->hertz) {
        for (size_t i = first; i < last; i++) {
            const double d = x[i] > 0.0 ? x[i] : 0.0;
            force[i] = active[i] * (d * sqrt(d));
        }
        return;
    }
    for (size_t i = first; i < last; i++)
        force[i] = active[i] > 0.0 && x[i] > 0.0 ? active[i] * carom_lzb_power(x[i], w->p[i]) : 0.0;
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
    carom_lzb_step_turn(w, w->force[0], w->turned[0]);
    w->changed = false;
}

/* --- a step ------------------------------------------------------------------------------------------------------ */

/* Sum of the first `count` arrays at i, weighted. `count` is a constant wherever this is called, so that it unrolls. */
static inline double mixed(double *const *of, size_t i, const double *by, int count)
{
    double sum = by[0] * of[0][i];
    for (int c = 1; c < count; c++)
        sum += by[c] * of[c][i];
    return sum;
}

/* x of contacts [first, last) at stage c, whose number of stages before it is `count` */
static inline void place(const struct carom_lzb *w, size_t first, size_t last, double h, int c, int count, double *x)
{
    const double at = node[c];
    for (size_t i = first; i < last; i++)
        x[i] = w->x[i] + h * w->r[i] * (at * w->a[i] - h * mixed(w->turned, i, stage[c], count));
}

static void place_stage(const struct carom_lzb *w, size_t first, size_t last, double h, int c, double *x)
{
    switch (c) {
    case 1:
        place(w, first, last, h, 1, 1, x);
        break;
    case 2:
        place(w, first, last, h, 2, 2, x);
        break;
    case 3:
        place(w, first, last, h, 3, 3, x);
        break;
    case 4:
        place(w, first, last, h, 4, 4, x);
        break;
    default:
        place(w, first, last, h, 5, 5, x);
    }
}

static void take_stage(struct carom_lzb *w, int c, double h)
{
    double *x = c + 1 < STAGES ? w->y : w->new_x;
    for (size_t s = 0; s < w->nspans; s++) {
        const size_t first = w->span[s].first, last = w->span[s].last;
        place_stage(w, first, last, h, c, x);
        forces(w, first, last, x, w->force[c]);
    }
    carom_lzb_step_hold(w, w->force[c]);
    carom_lzb_step_turn(w, w->force[c], w->turned[c]);
}

/* the larger, and a NaN stays one */
static double larger(double a, double b)
{
    return b > a || isnan(b) ? b : a;
}

/* velocities, impulses and errors of contacts [first, last) at the end; errors of x go into y */
static void conclude(struct carom_lzb *w, size_t first, size_t last, double h)
{
    for (size_t i = first; i < last; i++) {
        w->new_a[i] = w->a[i] - h * mixed(w->turned, i, weight, STAGES);
        w->doubt[i] = h * fabs(mixed(w->turned, i, weight_off, STAGES - 1));
        w->push[i] = h * mixed(w->force, i, weight, STAGES);
        w->y[i] = w->r[i] * fabs(mixed(w->turned, i, stage_off, STAGES - 1)) * w->per_size[i];
    }
}

/* Near where it opens or closes the force of a contact is not smooth, and steps are no better than they state. */
static bool rough(const struct carom_lzb *w, size_t i)
{
    return fmin(w->x[i], w->new_x[i]) < 0.5 * fmax(w->x[i], w->new_x[i]);
}

/* what the force of contact i alone has to do with the error of its a (or of its x, in parts of its size over h^2) */
static double own_error(const struct carom_lzb *w, size_t i, double h)
{
    const double quick = h * fabs(mixed(w->force, i, weight_off, STAGES - 1)) / w->speed;
    const double far = h * h * w->r[i] * fabs(mixed(w->force, i, stage_off, STAGES - 1)) * w->per_size[i];
    return w->frame->diagonal[i] * larger(quick, far);
}

double carom_lzb_step_try(struct carom_lzb *w, double h)
{
    double worst = 0.0, fastest = 0.0, own = 0.0;
    for (int c = 1; c < STAGES; c++)
        take_stage(w, c, h);
    for (size_t s = 0; s < w->nspans; s++) {
        conclude(w, w->span[s].first, w->span[s].last, h);
        for (size_t i = w->span[s].first; i < w->span[s].last; i++) {
            fastest = larger(fastest, w->doubt[i]);
            worst = larger(worst, w->y[i]);
            if (rough(w, i))
                own = larger(own, own_error(w, i, h));
        }
    }
    return larger(larger(fastest / w->speed, h * h * worst) / w->smooth, own / w->tol);
}

void carom_lzb_step_take(struct carom_lzb *w, double h)
{
    for (size_t s = 0; s < w->nspans; s++)
        for (size_t i = w->span[s].first; i < w->span[s].last; i++) {
            w->x[i] = w->new_x[i];
            w->a[i] = w->new_a[i];
            w->turned[0][i] = w->turned[STAGES - 1][i];
            w->impulse[i] += w->push[i];
            w->blur[i] += w->trust * w->doubt[i];
            w->force[0][i] = w->force[STAGES - 1][i];
        }
    w->time += h;
}

double carom_lzb_step_way(const struct carom_lzb *w, size_t i, double h)
{
    return h * (w->a[i] - h * mixed(w->turned, i, stage[STAGES - 1], STAGES - 1));
}

double carom_lzb_step_twice(const struct carom_lzb *w, size_t i, double h)
{
    return h * h * mixed(w->force, i, stage[STAGES - 1], STAGES - 1);
}

struct carom_cubic carom_lzb_step_speed(const struct carom_lzb *w, size_t i, double h)
{
    return (struct carom_cubic){{w->a[i], w->new_a[i]}, {-h * w->turned[0][i], -h * w->turned[STAGES - 1][i]}};
}

double carom_lzb_step_between(const struct carom_lzb *w, size_t i, double h, double s)
{
    const double r = w->r[i], x0 = w->x[i], x1 = w->new_x[i];
    const double v0 = h * r * w->a[i], v1 = h * r * w->new_a[i];
    const double b0 = -h * h * r * w->turned[0][i], b1 = -h * h * r * w->turned[STAGES - 1][i];
    const double t = 1.0 - s, cube = s * s * s;
    return x0 + (x1 - x0) * cube * (10.0 + s * (6.0 * s - 15.0)) + v0 * s * t * t * t * (1.0 + 3.0 * s) -
           v1 * cube * t * (4.0 - 3.0 * s) + 0.5 * s * s * t * t * (b0 * t + b1 * s);
}

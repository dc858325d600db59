/* A step of x'' = - r W F(x), a' = - W F(x): RKN 6(4)6FM of Dormand, El-Mikkawy and Prince 1987, six stages of which
 * the last is the first of the next step. Works on the spans of contacts that move only. */
#include "impact/lzb_step.h"

#include <math.h>
#include <string.h>

enum { STAGES = CAROM_LZB_STAGES };

static const double node[STAGES] = {0.0, 0.1, 0.3, 0.7, 0.68, 1.0};

static const double stage[STAGES][STAGES - 1] = {
    {0},
    {1.0 / 200.0},
    {-1.0 / 2200.0, 1.0 / 22.0},
    {637.0 / 6600.0, -7.0 / 110.0, 7.0 / 33.0},
    {225437.0 / 1968750.0, -30073.0 / 281250.0, 65569.0 / 281250.0, -9367.0 / 984375.0},
    {151.0 / 2142.0, 5.0 / 116.0, 385.0 / 1368.0, 55.0 / 168.0, -6250.0 / 28101.0},
};

/* weights of x (the last row of the stages) and of a, and those of the fourth order beside them */
static const double speed_weight[STAGES] = {151.0 / 2142.0, 25.0 / 522.0,        275.0 / 684.0,
                                            275.0 / 252.0,  -78125.0 / 112404.0, 1.0 / 12.0};
static const double place_fourth[STAGES] = {1349.0 / 157500.0,    7873.0 / 50000.0, 192199.0 / 900000.0,
                                            521683.0 / 2100000.0, -16.0 / 125.0,    0.0};
static const double speed_fourth[STAGES] = {1349.0 / 157500.0,   7873.0 / 45000.0, 27457.0 / 90000.0,
                                            521683.0 / 630000.0, -2.0 / 5.0,       1.0 / 12.0};

/* contacts that are open carry no force, whatever a stage makes of them */
static void forces(const struct carom_lzb *w, const double *x, double *force)
{
    for (size_t s = 0; s < w->nspans; s++)
        for (size_t i = w->span[s].first; i < w->span[s].last; i++) {
            const double d = x[i] > 0.0 ? x[i] : 0.0;
            force[i] =
                w->mode[i] == CAROM_LZB_OPEN ? 0.0 : w->k[i] * (w->hertz ? d * sqrt(d) : carom_lzb_power(d, w->p[i]));
        }
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

void carom_lzb_step_turn(const struct carom_lzb *w, const double *in, double *out)
{
    const double *diagonal = w->frame->diagonal, *beside = w->frame->beside;
    if (!w->frame->chain) {
        turn_dense(w, in, out);
        return;
    }
    for (size_t s = 0; s < w->nspans; s++) {
        const size_t first = w->span[s].first, last = w->span[s].last;
        for (size_t i = first; i < last; i++)
            out[i] = diagonal[i] * in[i];
        for (size_t i = first; i + 1 < last; i++) {
            out[i] += beside[i] * in[i + 1];
            out[i + 1] += beside[i] * in[i];
        }
    }
}

void carom_lzb_step_begin(struct carom_lzb *w)
{
    forces(w, w->x, w->force[0]);
    carom_lzb_step_turn(w, w->force[0], w->bend);
}

/* sum of the first `count` forces, weighted */
static void mix(const struct carom_lzb *w, const double *weight, int count, double *out)
{
    for (size_t s = 0; s < w->nspans; s++) {
        const size_t first = w->span[s].first, last = w->span[s].last;
        for (size_t i = first; i < last; i++)
            out[i] = weight[0] * w->force[0][i];
        for (int c = 1; c < count; c++) {
            const double *force = w->force[c], by = weight[c];
            for (size_t i = first; i < last; i++)
                out[i] += by * force[i];
        }
    }
}

/* the error of the embedded method: the largest of all contacts, relative to what is allowed */
static double error_of(struct carom_lzb *w, double h, double *speeds)
{
    double weight[STAGES], worst = 0.0, fastest = 0.0;
    for (int c = 0; c < STAGES; c++)
        weight[c] = speed_weight[c] - speed_fourth[c];
    mix(w, weight, STAGES, w->mix);
    carom_lzb_step_turn(w, w->mix, w->turn);
    for (size_t s = 0; s < w->nspans; s++)
        for (size_t i = w->span[s].first; i < w->span[s].last; i++)
            fastest = fmax(fastest, fabs(h * w->turn[i]));
    for (int c = 0; c < STAGES; c++)
        weight[c] = (c + 1 < STAGES ? stage[STAGES - 1][c] : 0.0) - place_fourth[c];
    mix(w, weight, STAGES, w->mix);
    carom_lzb_step_turn(w, w->mix, w->turn);
    for (size_t s = 0; s < w->nspans; s++)
        for (size_t i = w->span[s].first; i < w->span[s].last; i++)
            if (w->mode[i] != CAROM_LZB_OPEN)
                worst = fmax(worst, fabs(h * h * w->r[i] * w->turn[i]) / w->size[i]);
    *speeds = fastest;
    return fmax(fastest / w->speed, worst) / w->tol;
}

double carom_lzb_step_try(struct carom_lzb *w, double h, double *speeds)
{
    for (int c = 1; c < STAGES; c++) {
        double *x = c + 1 < STAGES ? w->y : w->new_x;
        mix(w, stage[c], c, w->mix);
        carom_lzb_step_turn(w, w->mix, w->turn);
        for (size_t s = 0; s < w->nspans; s++)
            for (size_t i = w->span[s].first; i < w->span[s].last; i++)
                x[i] =
                    w->mode[i] == CAROM_LZB_OPEN ? 0.0 : w->x[i] + h * w->r[i] * (node[c] * w->a[i] - h * w->turn[i]);
        forces(w, x, w->force[c]);
    }
    carom_lzb_step_turn(w, w->force[STAGES - 1], w->new_bend);
    mix(w, speed_weight, STAGES, w->push);
    for (size_t s = 0; s < w->nspans; s++)
        for (size_t i = w->span[s].first; i < w->span[s].last; i++)
            w->push[i] *= h;
    carom_lzb_step_turn(w, w->push, w->turn);
    for (size_t s = 0; s < w->nspans; s++)
        for (size_t i = w->span[s].first; i < w->span[s].last; i++)
            w->new_a[i] = w->a[i] - w->turn[i];
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

/* The formulas of dormand_prince.h. */
#include "scheme/dormand_prince.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

enum { STAGES = CAROM_DORMAND_PRINCE_STAGES };

static const double node[STAGES] = {0.0, 0.2, 0.3, 0.8, 8.0 / 9.0, 1.0, 1.0};
static const double weight[STAGES][6] = {
    {0.0},
    {1.0 / 5.0},
    {3.0 / 40.0, 9.0 / 40.0},
    {44.0 / 45.0, -56.0 / 15.0, 32.0 / 9.0},
    {19372.0 / 6561.0, -25360.0 / 2187.0, 64448.0 / 6561.0, -212.0 / 729.0},
    {9017.0 / 3168.0, -355.0 / 33.0, 46732.0 / 5247.0, 49.0 / 176.0, -5103.0 / 18656.0},
    {35.0 / 384.0, 0.0, 500.0 / 1113.0, 125.0 / 192.0, -2187.0 / 6784.0, 11.0 / 84.0},
};
/* fifth order minus fourth order */
static const double error_weight[STAGES] = {71.0 / 57600.0,      0.0,          -71.0 / 16695.0, 71.0 / 1920.0,
                                            -17253.0 / 339200.0, 22.0 / 525.0, -1.0 / 40.0};
/* the last term of the dense output */
static const double dense_weight[STAGES] = {-12715105075.0 / 11282082432.0,  0.0,
                                            87487479700.0 / 32700410799.0,   -10690763975.0 / 1880347072.0,
                                            701980252875.0 / 199316789632.0, -1453857185.0 / 822651844.0,
                                            69997945.0 / 29380423.0};

double carom_dormand_prince_node(size_t s)
{
    return node[s];
}

/* every stage's sum is written out, so that it vectorises */
void carom_dormand_prince_stage(const struct carom_dormand_prince *step, size_t s, size_t from, size_t to,
                                double *restrict out)
{
    const double *restrict y = step->y0, *c = weight[s], h = step->h;
    const double *restrict k0 = step->k[0], *restrict k1 = step->k[1], *restrict k2 = step->k[2];
    const double *restrict k3 = step->k[3], *restrict k4 = step->k[4], *restrict k5 = step->k[5];
    switch (s) {
    case 1:
        for (size_t i = from; i < to; i++)
            out[i] = y[i] + h * (c[0] * k0[i]);
        break;
    case 2:
        for (size_t i = from; i < to; i++)
            out[i] = y[i] + h * (c[0] * k0[i] + c[1] * k1[i]);
        break;
    case 3:
        for (size_t i = from; i < to; i++)
            out[i] = y[i] + h * (c[0] * k0[i] + c[1] * k1[i] + c[2] * k2[i]);
        break;
    case 4:
        for (size_t i = from; i < to; i++)
            out[i] = y[i] + h * (c[0] * k0[i] + c[1] * k1[i] + c[2] * k2[i] + c[3] * k3[i]);
        break;
    case 5:
        for (size_t i = from; i < to; i++)
            out[i] = y[i] + h * (c[0] * k0[i] + c[1] * k1[i] + c[2] * k2[i] + c[3] * k3[i] + c[4] * k4[i]);
        break;
    default: /* the solution itself: c[1] is 0 */
        for (size_t i = from; i < to; i++)
            out[i] = y[i] + h * (c[0] * k0[i] + c[2] * k2[i] + c[3] * k3[i] + c[4] * k4[i] + c[5] * k5[i]);
    }
}

double carom_dormand_prince_rise(const struct carom_dormand_prince *step, size_t i)
{
    const double *c = weight[STAGES - 1];
    return step->h * (c[0] * step->k[0][i] + c[2] * step->k[2][i] + c[3] * step->k[3][i] + c[4] * step->k[4][i] +
                      c[5] * step->k[5][i]);
}

double carom_dormand_prince_excess(double near, double run, bool ends)
{
    const double far = near + run;
    double sum = 0.0;
    for (size_t s = 0; s + 1 < STAGES; s++) {
        const double d = near + run * (ends ? 1.0 - node[s] : node[s]);
        sum += weight[STAGES - 1][s] * (d * sqrt(d));
    }
    return sum - 0.4 * (far * far * sqrt(far) - near * near * sqrt(near)) / run;
}

double carom_dormand_prince_error(const struct carom_dormand_prince *step, size_t from, size_t to)
{
    const double *e = error_weight, *k0 = step->k[0], *k2 = step->k[2], *k3 = step->k[3], *k4 = step->k[4],
                 *k5 = step->k[5], *k6 = step->k[6];
    int64_t most = 0; /* sizes compared as integers, which vectorises and does not lose a NaN */
    for (size_t i = from; i < to; i++) {
        const double sum = e[0] * k0[i] + e[2] * k2[i] + e[3] * k3[i] + e[4] * k4[i] + e[5] * k5[i] + e[6] * k6[i];
        int64_t size;
        memcpy(&size, &sum, sizeof size);
        size &= INT64_MAX;
        most = size > most ? size : most;
    }
    double worst;
    memcpy(&worst, &most, sizeof worst);
    return worst < HUGE_VAL ? step->h * worst : HUGE_VAL;
}

/* the nested form y0 + s (rise + (1 - s) (early + s (late + (1 - s) last))) */
static inline void terms(const struct carom_dormand_prince *step, size_t i, double rise, double *early, double *late,
                         double *last)
{
    const double *d = dense_weight, h = step->h;
    *early = h * step->k[0][i] - rise;
    *late = rise - h * step->k[6][i] - *early;
    *last = h * (d[0] * step->k[0][i] + d[2] * step->k[2][i] + d[3] * step->k[3][i] + d[4] * step->k[4][i] +
                 d[5] * step->k[5][i] + d[6] * step->k[6][i]);
}

void carom_dormand_prince_dense(const struct carom_dormand_prince *step, double s, size_t from, size_t to, double *out)
{
    for (size_t i = from; i < to; i++) {
        const double rise = step->y1[i] - step->y0[i];
        double early, late, last;
        terms(step, i, rise, &early, &late, &last);
        out[i] = step->y0[i] + s * (rise + (1.0 - s) * (early + s * (late + (1.0 - s) * last)));
    }
}

double carom_dormand_prince_value(const struct carom_dormand_prince *step, double s, size_t i, double *rate)
{
    const double rise = step->y1[i] - step->y0[i];
    double early, late, last;
    terms(step, i, rise, &early, &late, &last);
    const double r = 1.0 - s, a = late + r * last, b = early + s * a, c = rise + r * b;
    const double b_slope = a - s * last, c_slope = r * b_slope - b;
    *rate = (c + s * c_slope) / step->h;
    return step->y0[i] + s * c;
}

double carom_dormand_prince_gain(const struct carom_dormand_prince *step, double s, size_t i)
{
    const double rise = carom_dormand_prince_rise(step, i);
    double early, late, last;
    terms(step, i, rise, &early, &late, &last);
    return s * (rise + (1.0 - s) * (early + s * (late + (1.0 - s) * last)));
}

/* The formulas of dormand_prince.h. */
#include "scheme/dormand_prince.h"

#include "base/lane.h"
#include "base/power.h"

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

double carom_dormand_prince_weight(size_t s)
{
    return s + 1 < STAGES ? weight[STAGES - 1][s] : 0.0;
}

/* every stage's sum is written out, so that it vectorises */
void carom_dormand_prince_stage(const struct carom_dormand_prince *step, size_t s, size_t from, size_t to,
                                double *restrict out)
{
    const double *restrict y = step->y0, *w = weight[s], h = step->h;
    const double c0 = h * w[0], c1 = h * w[1], c2 = h * w[2], c3 = h * w[3], c4 = h * w[4], c5 = h * w[5];
    const double *restrict k0 = step->k[0], *restrict k1 = step->k[1], *restrict k2 = step->k[2];
    const double *restrict k3 = step->k[3], *restrict k4 = step->k[4], *restrict k5 = step->k[5];
    switch (s) {
    case 1:
        for (size_t i = from; i < to; i++)
            out[i] = y[i] + c0 * k0[i];
        break;
    case 2:
        for (size_t i = from; i < to; i++)
            out[i] = y[i] + (c0 * k0[i] + c1 * k1[i]);
        break;
    case 3:
        for (size_t i = from; i < to; i++)
            out[i] = y[i] + (c0 * k0[i] + c1 * k1[i] + c2 * k2[i]);
        break;
    case 4:
        for (size_t i = from; i < to; i++)
            out[i] = y[i] + (c0 * k0[i] + c1 * k1[i] + c2 * k2[i] + c3 * k3[i]);
        break;
    case 5:
        for (size_t i = from; i < to; i++)
            out[i] = y[i] + (c0 * k0[i] + c1 * k1[i] + c2 * k2[i] + c3 * k3[i] + c4 * k4[i]);
        break;
    default: /* the solution itself: c1 is 0 */
        for (size_t i = from; i < to; i++)
            out[i] = y[i] + (c0 * k0[i] + c2 * k2[i] + c3 * k3[i] + c4 * k4[i] + c5 * k5[i]);
    }
}

/* 1/2 -+ this: Gauss' places, at which what a polynomial of degree 6 is missed by in mid-step is next to nothing */
static const double aside = 0.28867513459481288;

double carom_dormand_prince_place(size_t second)
{
    return second ? 0.5 + aside : 0.5 - aside;
}

double carom_dormand_prince_rise(const struct carom_dormand_prince *step, size_t i)
{
    const double *c = weight[STAGES - 1];
    if (step->fine)
        return step->k[CAROM_DORMAND_PRINCE_SUMS][i];
    return step->h * (c[0] * step->k[0][i] + c[2] * step->k[2][i] + c[3] * step->k[3][i] + c[4] * step->k[4][i] +
                      c[5] * step->k[5][i]);
}

/* x^power; Hertz' without a library function */
static double raised(double x, double power)
{
    return power == 1.5 ? x * sqrt(x) : power == 1.0 ? x : carom_power(x, power);
}

static double force_at(const struct carom_dormand_prince_touch *t, double a)
{
    const double rise = 1.0 - t->near, b = 3.0 * rise - 2.0 * t->run - t->far, c = t->run + t->far - 2.0 * rise;
    const double x = t->near + a * (t->run + a * (b + a * c));
    return x > 0.0 ? raised(x, t->power) : 0.0;
}

/* its integral from touch to a: Gauss' rule in the root of a, which makes half powers whole ones */
static double impulse_to(const struct carom_dormand_prince_touch *t, double a)
{
    static const double place[] = {0.18343464249564980, 0.52553240991632899, 0.79666647741362674, 0.96028985649753623};
    static const double weighs[] = {0.36268378337836198, 0.31370664587788729, 0.22238103445337447, 0.10122853629037626};
    double sum = 0.0;
    for (size_t i = 0; i < 4; i++) {
        const double low = 0.5 - 0.5 * place[i], high = 0.5 + 0.5 * place[i];
        sum += weighs[i] * (low * force_at(t, a * low * low) + high * force_at(t, a * high * high));
    }
    return a * sum;
}

double carom_dormand_prince_excess_of(const struct carom_dormand_prince_touch *t)
{
    double sum = 0.0;
    if (t->power == 1.0 || t->power == 2.0) /* these they integrate exactly */
        return 0.0;
    for (size_t s = 0; s + 1 < STAGES; s++)
        sum += weight[STAGES - 1][s] * force_at(t, t->ends ? 1.0 - node[s] : node[s]);
    return sum - impulse_to(t, 1.0);
}

/* two numbers of the fifth order less the fourth */
ALWAYS_INLINE carom_lane apart(const double *const *k, const double *e, size_t i)
{
    return e[0] * carom_lane_load(k[0] + i) + e[2] * carom_lane_load(k[2] + i) + e[3] * carom_lane_load(k[3] + i) +
           e[4] * carom_lane_load(k[4] + i) + e[5] * carom_lane_load(k[5] + i) + e[6] * carom_lane_load(k[6] + i);
}

/* sizes compared as integers, which does not lose a NaN; two at a time on each of two tracks, or comparing would take
 * longer than summing */
double carom_dormand_prince_error(const struct carom_dormand_prince *step, size_t from, size_t to)
{
    const double *k[STAGES], *e = error_weight;
    for (size_t s = 0; s < STAGES; s++)
        k[s] = step->k[s];
    carom_lane_mask most = {0, 0}, more = most;
    size_t i = from;
    for (; i + 4 <= to; i += 4) {
        most = carom_lane_larger(most, apart(k, e, i));
        more = carom_lane_larger(more, apart(k, e, i + 2));
    }
    for (; i < to; i++) {
        const double one =
            e[0] * k[0][i] + e[2] * k[2][i] + e[3] * k[3][i] + e[4] * k[4][i] + e[5] * k[5][i] + e[6] * k[6][i];
        most = carom_lane_larger(most, (carom_lane){one, one});
    }
    const double worst = carom_lane_largest(carom_lane_larger(most, (carom_lane)more));
    return worst < HUGE_VAL ? step->h * worst : HUGE_VAL;
}

double carom_dormand_prince_error_of(const struct carom_dormand_prince *step, size_t i)
{
    double sum = 0.0;
    for (size_t s = 0; s < STAGES; s++)
        sum += s == 1 ? 0.0 : error_weight[s] * step->k[s][i];
    return step->h * sum;
}

void carom_dormand_prince_stand_in(struct carom_dormand_prince *step, size_t n, const double *error)
{
    const double *e = error_weight, *d = dense_weight, det = e[2] * d[3] - e[3] * d[2];
    for (size_t i = 0; i < n; i++) {
        const double ends[2] = {step->k[0][i], step->k[6][i]};
        const double one = error[i] / step->h - e[0] * ends[0] - e[6] * ends[1], two = -d[0] * ends[0] - d[6] * ends[1];
        step->k[2][i] = (one * d[3] - e[3] * two) / det;
        step->k[3][i] = (e[2] * two - d[2] * one) / det;
        step->k[4][i] = step->k[5][i] = 0.0;
    }
}

/* the nested form y0 + s (rise + (1 - s) (early + s (late + (1 - s) last))) */
static inline struct carom_dormand_prince_terms terms(const struct carom_dormand_prince *step, size_t i, double rise)
{
    const double *d = dense_weight, h = step->h;
    const double early = h * step->k[0][i] - rise;
    return (struct carom_dormand_prince_terms){.start = step->y0[i],
                                               .rise = rise,
                                               .early = early,
                                               .late = rise - h * step->k[6][i] - early,
                                               .last = h * (d[0] * step->k[0][i] + d[2] * step->k[2][i] +
                                                            d[3] * step->k[3][i] + d[4] * step->k[4][i] +
                                                            d[5] * step->k[5][i] + d[6] * step->k[6][i])};
}

struct carom_dormand_prince_terms carom_dormand_prince_terms_of(const struct carom_dormand_prince *step, size_t i)
{
    return terms(step, i, step->y1[i] - step->y0[i]);
}

static inline double gained(const struct carom_dormand_prince_terms *x, double s)
{
    return s * (x->rise + (1.0 - s) * (x->early + s * (x->late + (1.0 - s) * x->last)));
}

double carom_dormand_prince_along(const struct carom_dormand_prince_terms *x, double s)
{
    return x->start + gained(x, s);
}

/* The same with slopes (times h) at both places: the last term, which s^2 (1 - s)^2 goes with, becomes one of s. */
static double gained_fine(double rise, double start, double end, const double inside[2], double s)
{
    const double early = start - rise, late = rise - end - early, w = 0.25 - aside * aside;
    double lacks[2];
    for (size_t i = 0; i < 2; i++) { /* what the slopes of the cubic lack */
        const double at = carom_dormand_prince_place(i);
        lacks[i] = inside[i] - (rise + (1.0 - 2.0 * at) * early + at * (2.0 - 3.0 * at) * late);
    }
    const double even = (lacks[0] - lacks[1]) / (8.0 * w * aside),
                 odd = (lacks[0] + lacks[1]) / (2.0 * w * (w - 4.0 * aside * aside));
    const struct carom_dormand_prince_terms x = {0.0, rise, early, late, even + odd * (s - 0.5)};
    return gained(&x, s);
}

/* what number i of the step has gained at s if it rises so much in all */
static double gain(const struct carom_dormand_prince *step, double s, size_t i, double rise)
{
    if (step->fine) {
        const double h = step->h, inside[2] = {h * step->k[CAROM_DORMAND_PRINCE_FIRST][i],
                                               h * step->k[CAROM_DORMAND_PRINCE_SECOND][i]};
        return gained_fine(rise, h * step->k[0][i], h * step->k[6][i], inside, s);
    }
    const struct carom_dormand_prince_terms x = terms(step, i, rise);
    return gained(&x, s);
}

void carom_dormand_prince_refine(struct carom_dormand_prince *step, size_t n)
{
    for (size_t i = 0; i < n; i++)
        step->k[CAROM_DORMAND_PRINCE_SUMS][i] = carom_dormand_prince_rise(step, i);
    step->fine = true;
}

void carom_dormand_prince_dense(const struct carom_dormand_prince *step, double s, size_t from, size_t to, double *out)
{
    for (size_t i = from; i < to; i++)
        out[i] = step->y0[i] + gain(step, s, i, step->y1[i] - step->y0[i]);
}

double carom_dormand_prince_value(const struct carom_dormand_prince *step, double s, size_t i, double *rate)
{
    const struct carom_dormand_prince_terms x = terms(step, i, step->y1[i] - step->y0[i]);
    const double r = 1.0 - s, a = x.late + r * x.last, b = x.early + s * a, c = x.rise + r * b;
    const double b_slope = a - s * x.last, c_slope = r * b_slope - b;
    *rate = (c + s * c_slope) / step->h;
    return x.start + s * c;
}

double carom_dormand_prince_excess_within(const struct carom_dormand_prince_touch *t, double s, bool fine)
{
    double value[STAGES], inside[2], last = 0.0;
    for (size_t i = 0; i < STAGES; i++) {
        value[i] = force_at(t, t->ends ? 1.0 - node[i] : node[i]);
        last += dense_weight[i] * value[i];
    }
    for (size_t i = 0; i < 2; i++) {
        const double at = carom_dormand_prince_place(i);
        inside[i] = force_at(t, t->ends ? 1.0 - at : at);
    }
    const double rise = impulse_to(t, 1.0), early = value[0] - rise;
    const struct carom_dormand_prince_terms x = {0.0, rise, early, rise - value[6] - early, last};
    const double seen = fine ? gained_fine(rise, value[0], value[6], inside, s) : gained(&x, s);
    return seen - (t->ends ? rise - impulse_to(t, 1.0 - s) : impulse_to(t, s));
}

double carom_dormand_prince_gain(const struct carom_dormand_prince *step, double s, size_t i)
{
    return gain(step, s, i, carom_dormand_prince_rise(step, i));
}

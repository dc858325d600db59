/* Levenberg (1944) and Marquardt (1963), with columns scaled by their lengths. A number at a bound is held while the
 * slope leads outwards. Differences may be noisy: steps are the caller's choice, and the end is judged by standard
 * errors, not by digits. */
#include "solve/least_squares.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "solve/dense.h"

enum { MOST = CAROM_LEAST_SQUARES_MOST };

struct work {
    const struct carom_least_squares *p;
    struct carom_least_squares_result *to;
    double *x, *points, *r, *trial, *sides, *jacobian; /* n; 2n x n; m; m; 2n x m; n x m: columns lie in one piece */
    double normal[MOST * MOST], slope[MOST], length[MOST]; /* of scaled columns */
    double width[MOST];                                    /* over which columns are differences */
};

static double square(const double *r, size_t m)
{
    double sum = 0.0;
    for (size_t i = 0; i < m; i++)
        sum += r[i] * r[i];
    return sum;
}

/* --- derivatives ------------------------------------------------------------------------------------------------- */

/* The points on both sides of x along each number, inside the bounds; w->width is the distance of each pair. */
static void lay_points(struct work *w)
{
    const size_t n = w->p->n;
    for (size_t i = 0; i < n; i++) {
        double *up = w->points + 2 * i * n, *down = up + n;
        memcpy(up, w->x, n * sizeof *up);
        memcpy(down, w->x, n * sizeof *down);
        up[i] = fmin(w->x[i] + w->p->step[i], w->p->high[i]);
        down[i] = fmax(w->x[i] - w->p->step[i], w->p->low[i]);
        w->width[i] = up[i] - down[i];
    }
}

static bool sound(const double *r, size_t m)
{
    for (size_t i = 0; i < m; i++)
        if (!isfinite(r[i]))
            return false;
    return true;
}

static enum carom_status differentiate(struct work *w, struct carom_error *error)
{
    const size_t n = w->p->n, m = w->p->m;
    lay_points(w);
    if (w->p->residuals(w->p->own, 2 * n, w->points, w->sides, error) != CAROM_OK)
        return error->status;
    for (size_t i = 0; i < n; i++) {
        const double *up = w->sides + 2 * i * m, *down = up + m;
        double *width = &w->width[i];
        if (!sound(up, m)) { /* one side will do */
            *width = w->x[i] - w->points[(2 * i + 1) * n + i];
            up = w->r;
        } else if (!sound(down, m)) {
            *width = w->points[2 * i * n + i] - w->x[i];
            down = w->r;
        }
        if (!(*width > 0.0) || !sound(up, m) || !sound(down, m)) {
            w->to->idle = i;
            return carom_error_set(error, CAROM_E_NUMERIC, "number %zu cannot be varied", i + 1);
        }
        for (size_t k = 0; k < m; k++)
            w->jacobian[i * m + k] = (up[k] - down[k]) / *width;
    }
    return CAROM_OK;
}

/* Normal equations of columns of length 1. */
static enum carom_status make_normal(struct work *w, struct carom_error *error)
{
    const size_t n = w->p->n, m = w->p->m;
    const double rounding = DBL_EPSILON * sqrt(square(w->r, m) + (double)m);
    const double chance = w->p->error != NULL ? sqrt(square(w->p->error, m)) : 0.0;
    for (size_t i = 0; i < n; i++) {
        w->length[i] = sqrt(square(w->jacobian + i * m, m));
        if (!(w->length[i] * w->p->step[i] > rounding) || !(w->length[i] * w->width[i] > chance)) {
            w->to->idle = i;
            return carom_error_set(error, CAROM_E_NUMERIC, "number %zu has no influence", i + 1);
        }
    }
    for (size_t i = 0; i < n; i++) {
        double sum = 0.0;
        for (size_t k = 0; k < m; k++)
            sum += w->jacobian[i * m + k] * w->r[k];
        w->slope[i] = sum / w->length[i];
        for (size_t j = 0; j <= i; j++) {
            double product = 0.0;
            for (size_t k = 0; k < m; k++)
                product += w->jacobian[i * m + k] * w->jacobian[j * m + k];
            w->normal[i * n + j] = w->normal[j * n + i] = product / w->length[i] / w->length[j];
        }
    }
    return CAROM_OK;
}

static void find_fixed(struct work *w)
{
    for (size_t i = 0; i < w->p->n; i++)
        w->to->fixed[i] =
            (w->x[i] <= w->p->low[i] && w->slope[i] > 0.0) || (w->x[i] >= w->p->high[i] && w->slope[i] < 0.0);
}

/* --- linear algebra ---------------------------------------------------------------------------------------------- */

/* Cholesky's factor of the normal matrix plus `damping` on its diagonal; held numbers get a row of the identity. False:
 * it is singular. */
static bool factor(const struct work *w, const bool *held, double damping, double least, double *l)
{
    const size_t n = w->p->n;
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j <= i; j++) {
            const bool any = held[i] || held[j];
            l[i * n + j] = i == j ? 1.0 + (any ? 0.0 : damping) : any ? 0.0 : w->normal[i * n + j];
        }
    return carom_dense_cholesky(n, l, least) == 0;
}

/* Numbers without which the rest is as singular are left out one by one. */
static enum carom_status cannot_tell(struct work *w, double least, struct carom_error *error)
{
    bool held[MOST];
    double l[MOST * MOST];
    memcpy(held, w->to->fixed, sizeof held);
    for (size_t i = 0; i < w->p->n; i++) {
        if (held[i])
            continue;
        held[i] = true;
        held[i] = !factor(w, held, 0.0, least, l);
        if (!held[i])
            w->to->twins[w->to->ntwins++] = i;
    }
    return carom_error_set(error, CAROM_E_NUMERIC, "%zu numbers cannot be told apart", w->to->ntwins);
}

static enum carom_status find_covariance(struct work *w, struct carom_error *error)
{
    const size_t n = w->p->n, m = w->p->m;
    const double least = fmax(1e-13, 100.0 * w->p->noise * w->p->noise);
    double l[MOST * MOST], column[MOST];
    size_t held = 0;
    for (size_t i = 0; i < n; i++)
        held += w->to->fixed[i];
    w->to->variance = w->p->scaled ? 1.0 : m > n - held ? w->to->sum / (double)(m - (n - held)) : nan("");
    if (!factor(w, w->to->fixed, 0.0, least, l))
        return cannot_tell(w, least, error);
    for (size_t j = 0; j < n; j++) {
        memset(column, 0, sizeof column);
        column[j] = 1.0;
        carom_dense_cholesky_solve(n, l, column);
        for (size_t i = 0; i < n; i++)
            w->to->inverse[i * n + j] =
                w->to->fixed[i] || w->to->fixed[j] ? nan("") : column[i] / w->length[i] / w->length[j];
    }
    if (w->p->jacobian != NULL)
        memcpy(w->p->jacobian, w->jacobian, n * m * sizeof(double));
    return CAROM_OK;
}

/* --- steps ------------------------------------------------------------------------------------------------------- */

/* A step from x with this damping, cut at the bounds. Its size is measured in standard errors. False: singular. */
static bool try_step(const struct work *w, double damping, double *there, double *size)
{
    const size_t n = w->p->n;
    double l[MOST * MOST], d[MOST];
    if (!factor(w, w->to->fixed, damping, 1e-13, l))
        return false;
    for (size_t i = 0; i < n; i++)
        d[i] = w->to->fixed[i] ? 0.0 : -w->slope[i];
    carom_dense_cholesky_solve(n, l, d);
    for (size_t i = 0; i < n; i++) {
        there[i] = fmin(fmax(w->x[i] + d[i] / w->length[i], w->p->low[i]), w->p->high[i]);
        d[i] = (there[i] - w->x[i]) * w->length[i];
    }
    double sum = 0.0;
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++)
            sum += d[i] * w->normal[i * n + j] * d[j];
    const double free = (double)w->p->m - (double)n,
                 variance = w->p->scaled ? 1.0 : w->to->sum / (free > 0.0 ? free : 1.0);
    *size = sqrt(fmax(sum, 0.0) / fmax(variance, DBL_MIN));
    return true;
}

/* One iteration; *done: nothing more is to be gained. */
static enum carom_status iterate(struct work *w, double *damping, bool *done, struct carom_error *error)
{
    const size_t n = w->p->n, m = w->p->m;
    double there[MOST], size = 0.0;
    if (differentiate(w, error) != CAROM_OK || make_normal(w, error) != CAROM_OK)
        return error->status;
    find_fixed(w);
    for (int tries = 0; tries < 12; tries++, *damping *= 8.0) {
        if (!try_step(w, *damping, there, &size))
            continue;
        if (w->p->residuals(w->p->own, 1, there, w->trial, error) != CAROM_OK)
            return error->status;
        const double sum = square(w->trial, m);
        const bool better = sum < w->to->sum;
        if (better) {
            const bool small = !(sum < w->to->sum * (1.0 - 1e-3));
            memcpy(w->x, there, n * sizeof *there);
            memcpy(w->r, w->trial, m * sizeof *w->r);
            w->to->sum = sum;
            *damping *= 0.1;
            *done = size < w->p->goal && small;
            return CAROM_OK;
        }
        if (size < w->p->goal) /* as near as the noise of the residuals lets it */
            break;
    }
    *done = true;
    return CAROM_OK;
}

static enum carom_status go_down(struct work *w, struct carom_error *error)
{
    double damping = 1e-4;
    bool done = false;
    if (w->p->residuals(w->p->own, 1, w->x, w->r, error) != CAROM_OK)
        return error->status;
    w->to->sum = square(w->r, w->p->m);
    if (!isfinite(w->to->sum))
        return carom_error_set(error, CAROM_E_NUMERIC, "there are no residuals at the start");
    while (!done && w->to->iterations < w->p->most) {
        w->to->iterations++;
        if (iterate(w, &damping, &done, error) != CAROM_OK)
            return error->status;
    }
    w->to->converged = done;
    if (differentiate(w, error) != CAROM_OK || make_normal(w, error) != CAROM_OK)
        return error->status;
    find_fixed(w);
    return find_covariance(w, error);
}

enum carom_status carom_least_squares_run(const struct carom_least_squares *problem, double *x,
                                          struct carom_least_squares_result *result, struct carom_error *error)
{
    const size_t n = problem->n, m = problem->m;
    *result = (struct carom_least_squares_result){.idle = n};
    struct work w = {.p = problem, .to = result, .x = x};
    double *block = carom_memory_zeroed(2 * n * n + 2 * m + 3 * n * m, sizeof *block);
    if (block == NULL)
        return carom_memory_error(error);
    w.points = block;
    w.r = w.points + 2 * n * n;
    w.trial = w.r + m;
    w.sides = w.trial + m;
    w.jacobian = w.sides + 2 * n * m;
    const enum carom_status status = go_down(&w, error);
    carom_memory_free(block);
    return status;
}

/* --- chi-square, Student's t ---------------------------------------------------------------------------------- */

/* The upper incomplete gamma function over the whole: a series where it converges fast, else a continued fraction
 * (Lentz). */
double carom_least_squares_probability(double sum, double freedom)
{
    const double a = 0.5 * freedom, x = 0.5 * sum;
    if (!(a > 0.0) || !(x >= 0.0))
        return nan("");
    if (x == 0.0)
        return 1.0;
    const double front = exp(a * log(x) - x - lgamma(a));
    if (x < a + 1.0) {
        double term = 1.0 / a, all = term;
        for (double k = a + 1.0; term > all * 1e-16; k += 1.0)
            all += term *= x / k;
        return fmax(0.0, 1.0 - front * all);
    }
    double b = x + 1.0 - a, c = 1.0 / DBL_MIN, d = 1.0 / b, h = d;
    for (int k = 1; k < 100000; k++) {
        const double up = -k * (k - a);
        b += 2.0;
        d = 1.0 / (up * d + b);
        c = b + up / c;
        h *= d * c;
        if (fabs(d * c - 1.0) < 1e-15)
            break;
    }
    return front * h;
}

/* The probability that |t| of `freedom` degrees is larger: the regularised incomplete beta function of freedom / 2 and
 * 1/2 at x = freedom / (freedom + t^2), by its continued fraction (Lentz). */
static double beyond(double t, double freedom)
{
    const double square = t * t, p = freedom / (freedom + square), q = square / (freedom + square);
    const bool turn = p > (0.5 * freedom + 1.0) / (0.5 * freedom + 2.5);
    const double a = turn ? 0.5 : 0.5 * freedom, b = turn ? 0.5 * freedom : 0.5, x = turn ? q : p;
    double c = 1.0, d = 1.0 / (1.0 - (a + b) * x / (a + 1.0)), h = d, change = 0.0;
    for (int m = 1; m < 10000 && fabs(change - 1.0) > 1e-15; m++) {
        const double k = a + 2.0 * m, even = m * (b - m) * x / ((k - 1.0) * k);
        const double odd = -(a + m) * (a + b + m) * x / (k * (k + 1.0));
        d = 1.0 / (1.0 + even * d);
        c = 1.0 + even / c;
        h *= d * c;
        d = 1.0 / (1.0 + odd * d);
        c = 1.0 + odd / c;
        change = d * c;
        h *= change;
    }
    const double log_beta = lgamma(a) + lgamma(b) - lgamma(a + b);
    const double part = exp(a * log(x) + b * log(turn ? p : q) - log_beta) * h / a;
    return turn ? 1.0 - part : part;
}

double carom_least_squares_widening(double freedom)
{
    const double wanted = erfc(sqrt(2.0));
    double low = 2.0, high = 4.0;
    if (!(freedom > 0.0))
        return nan("");
    if (freedom > 1e6) /* t / 2 = 1 + 5 / (4 freedom) + ... */
        return 1.0 + 1.25 / freedom;
    while (high < 1e100 && beyond(high, freedom) > wanted)
        high *= 2.0;
    for (int k = 0; k < 400 && high - low > 1e-14 * high; k++) {
        const double middle = 0.5 * (low + high);
        *(beyond(middle, freedom) > wanted ? &low : &high) = middle;
    }
    return 0.25 * (low + high);
}

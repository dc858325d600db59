/* Brent's method: inverse quadratic interpolation or secant where they help, halving where they do not, so that the
 * bracket always holds a change of sign and the number of calls is bounded. One root of many is found, not all. Where
 * there is no more than a yes or no to go by, halving alone. */
#include "solve/root.h"

#include <float.h>
#include <math.h>
#include <stddef.h>

struct bracket {
    double a, fa;        /* the point before */
    double b, fb;        /* the best point */
    double c, fc;        /* the other end: f(b) and f(c) differ in sign */
    double step, before; /* last step and the one before */
};

static bool same_sign(double x, double y)
{
    return (x > 0.0 && y > 0.0) || (x < 0.0 && y < 0.0);
}

/* The other end of the bracket must lie across the root, and b must be the better end. */
static void order(struct bracket *k)
{
    if (same_sign(k->fb, k->fc)) {
        k->c = k->a;
        k->fc = k->fa;
        k->step = k->before = k->b - k->a;
    }
    if (fabs(k->fc) < fabs(k->fb)) {
        k->a = k->b;
        k->fa = k->fb;
        k->b = k->c;
        k->fb = k->fc;
        k->c = k->a;
        k->fc = k->fa;
    }
}

/* The next step from b: interpolated if it stays well inside the bracket and shrinks fast, else half the bracket. */
static void choose(struct bracket *k, double half, double resolution)
{
    const double halving = half;
    if (fabs(k->before) < resolution || fabs(k->fa) <= fabs(k->fb)) {
        k->step = k->before = halving;
        return;
    }
    const double s = k->fb / k->fa;
    double p, q;
    if (k->a == k->c) {
        p = 2.0 * half * s;
        q = 1.0 - s;
    } else {
        const double r = k->fb / k->fc, u = k->fa / k->fc;
        p = s * (2.0 * half * u * (u - r) - (k->b - k->a) * (r - 1.0));
        q = (u - 1.0) * (r - 1.0) * (s - 1.0);
    }
    if (p > 0.0)
        q = -q;
    p = fabs(p);
    if (2.0 * p < fmin(3.0 * half * q - fabs(resolution * q), fabs(k->before * q))) {
        k->before = k->step;
        k->step = p / q;
    } else {
        k->step = k->before = halving;
    }
}

/* k->b becomes the root */
static enum carom_status narrow(double (*f)(void *own, double x), void *own, double tolerance, struct bracket *k,
                                struct carom_error *error)
{
    const double a = k->a, b = k->b;
    k->fa = f(own, a);
    k->c = b;
    k->fb = k->fc = f(own, b);
    if (isnan(k->fa) || isnan(k->fb) || same_sign(k->fa, k->fb))
        return carom_error_set(error, CAROM_E_NUMERIC, "no change of sign between %g and %g", a, b);
    /* halving alone would end in about 1100 calls, for doubles of any size; Brent's bound is a small multiple */
    for (int i = 0; i < 4000; i++) {
        order(k);
        const double resolution = 2.0 * DBL_EPSILON * fabs(k->b) + 0.5 * tolerance;
        const double half = 0.5 * (k->c - k->b);
        if (fabs(half) <= resolution || k->fb == 0.0)
            return CAROM_OK;
        choose(k, half, resolution);
        k->a = k->b;
        k->fa = k->fb;
        k->b += fabs(k->step) > resolution ? k->step : copysign(resolution, half);
        k->fb = f(own, k->b);
        if (isnan(k->fb))
            return carom_error_set(error, CAROM_E_NUMERIC, "the function has no value at %g", k->b);
    }
    return carom_error_set(error, CAROM_E_NUMERIC, "no root found between %g and %g", a, b);
}

enum carom_status carom_root_find(double (*f)(void *own, double x), void *own, double a, double b, double tolerance,
                                  double *root, struct carom_error *error)
{
    struct bracket k = {.a = a, .b = b};
    const enum carom_status status = narrow(f, own, tolerance, &k, error);
    if (status == CAROM_OK)
        *root = k.b;
    return status;
}

double carom_root_near(double (*f)(void *own, double x), void *own, double a, double b, double tolerance)
{
    struct bracket k = {.a = a, .b = b};
    return narrow(f, own, tolerance, &k, NULL) == CAROM_OK ? k.b : b;
}

double carom_root_switch(bool (*beyond)(void *own, double x), void *own, double low, double high, double tolerance,
                         int halvings)
{
    for (int i = 0; i < halvings && high - low > tolerance; i++) {
        const double middle = 0.5 * (low + high);
        *(beyond(own, middle) ? &high : &low) = middle;
    }
    return high;
}

/* Tops between samples, which need not be evenly spaced: by polynomials through the nearest. */
#include "solve/summit.h"

#include <math.h>
#include <stdbool.h>

enum { POINTS = 5 };

/* Coefficients of the polynomial through `count` points, by divided differences. */
static void interpolate(size_t count, const double *x, const double *y, double *c)
{
    double difference[POINTS];
    for (size_t k = 0; k < count; k++)
        difference[k] = y[k];
    for (size_t order = 1; order < count; order++)
        for (size_t k = count - 1; k >= order; k--)
            difference[k] = (difference[k] - difference[k - 1]) / (x[k] - x[k - order]);
    for (size_t k = 0; k < count; k++)
        c[k] = 0.0;
    for (size_t k = count; k-- > 0;) { /* c = c (x - x_k) + difference_k */
        for (size_t power = count - 1; power > 0; power--)
            c[power] = c[power - 1] - x[k] * c[power];
        c[0] = difference[k] - x[k] * c[0];
    }
}

/* A maximum of the polynomial near x, by Newton's method on its slope; false if there is none between low and high. */
static bool climb(size_t count, const double *c, double low, double high, double *x, double *height)
{
    double at_x = *x;
    for (int round = 0; round < 30; round++) {
        double rise = 0.0, bend = 0.0;
        for (size_t k = count - 1; k > 0; k--) {
            bend = bend * at_x + rise;
            rise = rise * at_x + (double)k * c[k];
        }
        if (!(bend < 0.0))
            return false;
        const double step = -rise / bend;
        at_x += step;
        if (!(at_x > low) || !(at_x < high))
            return false;
        if (fabs(step) < 1e-14 * (high - low))
            break;
    }
    *x = at_x;
    *height = 0.0;
    for (size_t k = count; k-- > 0;)
        *height = *height * at_x + c[k];
    return true;
}

/* Through samples first ... first + count, in units of their distance about i. A summit may stand above its sample by
 * no more than the sample stands above its neighbours: beyond that the samples are no smooth top. */
static bool top_of(const double *time, const double *value, size_t i, size_t first, size_t count, double *x,
                   double *height)
{
    const double unit = 0.5 * (time[i + 1] - time[i - 1]);
    double place[POINTS], above[POINTS], c[POINTS];
    for (size_t k = 0; k < count; k++) {
        if (value[first + k] == 0.0)
            return false;
        place[k] = (time[first + k] - time[i]) / unit;
        above[k] = value[first + k] - value[i];
    }
    interpolate(count, place, above, c);
    const double drop = -fmin(above[i - 1 - first], above[i + 1 - first]);
    double top = 0.0, at_x = *x;
    if (!climb(count, c, place[i - 1 - first], place[i + 1 - first], &at_x, &top) || !(top >= 0.0) || !(top <= drop))
        return false;
    *x = at_x;
    *height = value[i] + top;
    return true;
}

void carom_summit_find(size_t n, const double *time, const double *value, size_t i, double *when, double *height)
{
    double x = 0.0;
    *when = time[i];
    *height = value[i];
    if (i == 0 || i + 1 >= n || !top_of(time, value, i, i - 1, 3, &x, height))
        return;
    if (i >= 2 && i + 2 < n)
        top_of(time, value, i, i - 2, POINTS, &x, height);
    *when = time[i] + x * 0.5 * (time[i + 1] - time[i - 1]);
}

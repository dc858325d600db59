/* Curves through samples of a force: values, integrals, crossings and the maximum between samples. Samples need not be
 * evenly spaced. Knows nothing of waves; see pulse.c. */
#include "study/pulse/pulse_curve.h"

#include <math.h>
#include <stdbool.h>

#include "solve/locate.h"

double carom_pulse_curve_sample(const struct carom_pulse_curve *curve, size_t i)
{
    return curve->force[i] - curve->rest;
}

/* by the parabola through three samples, at the ends through the nearest three */
static double slope(const struct carom_pulse_curve *curve, size_t i)
{
    const size_t m = i == 0 ? 1 : i == curve->n - 1 ? curve->n - 2 : i;
    const double *t = curve->time, *f = curve->force;
    const double left = t[m] - t[m - 1], right = t[m + 1] - t[m];
    const double before = (f[m] - f[m - 1]) / left, after = (f[m + 1] - f[m]) / right;
    const double bend = (after - before) / (left + right);
    return i < m ? before - bend * left : i > m ? after + bend * right : before + bend * left;
}

size_t carom_pulse_curve_interval(const struct carom_pulse_curve *curve, double t)
{
    size_t low = 0, high = curve->n - 1;
    while (high - low > 1) {
        const size_t middle = low + (high - low) / 2;
        if (curve->time[middle] <= t)
            low = middle;
        else
            high = middle;
    }
    return low;
}

/* an interval and its cubic, less `level` */
struct piece {
    double start, width; /* in time */
    struct carom_cubic force;
};

static struct piece piece_of(const struct carom_pulse_curve *curve, size_t i, double level)
{
    const double width = curve->time[i + 1] - curve->time[i];
    const double from = carom_pulse_curve_sample(curve, i), to = carom_pulse_curve_sample(curve, i + 1);
    return (struct piece){
        .start = curve->time[i],
        .width = width,
        .force = {{from - level, to - level}, {width * slope(curve, i), width * slope(curve, i + 1)}}};
}

double carom_pulse_curve_value(const struct carom_pulse_curve *curve, double t)
{
    if (!(t >= curve->time[0]) || !(t <= curve->time[curve->n - 1]))
        return nan("");
    const struct piece p = piece_of(curve, carom_pulse_curve_interval(curve, t), 0.0);
    return carom_cubic_at(&p.force, (t - p.start) / p.width);
}

double carom_pulse_curve_integral(const struct carom_pulse_curve *curve, double a, double b)
{
    const double from = fmax(a, curve->time[0]), to = fmin(b, curve->time[curve->n - 1]);
    if (!(from < to))
        return 0.0;
    const size_t first = carom_pulse_curve_interval(curve, from), last = carom_pulse_curve_interval(curve, to);
    double sum = 0.0;
    for (size_t i = first; i <= last; i++) {
        const struct piece p = piece_of(curve, i, 0.0);
        sum += p.width * carom_cubic_integral(&p.force, i == last ? (to - p.start) / p.width : 1.0);
        if (i == first)
            sum -= p.width * carom_cubic_integral(&p.force, (from - p.start) / p.width);
    }
    return sum;
}

double carom_pulse_curve_crossing(const struct carom_pulse_curve *curve, size_t i, double level)
{
    const struct piece p = piece_of(curve, i, level);
    return p.start + p.width * carom_locate_on_cubic(&p.force, 1.0);
}

/* --- the maximum ----------------------------------------------------------------------------------------------- */

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

/* Through `count` samples from `first` on, in units of the distance of samples about i. A summit may stand above its
 * sample by no more than the sample stands above its neighbours: beyond that the samples are no smooth top. */
static bool summit_of(const struct carom_pulse_curve *curve, size_t i, size_t first, size_t count, double *x,
                      double *height)
{
    const double unit = 0.5 * (curve->time[i + 1] - curve->time[i - 1]), own = carom_pulse_curve_sample(curve, i);
    double place[POINTS], value[POINTS], c[POINTS];
    for (size_t k = 0; k < count; k++) {
        place[k] = (curve->time[first + k] - curve->time[i]) / unit;
        value[k] = carom_pulse_curve_sample(curve, first + k) - own;
    }
    interpolate(count, place, value, c);
    const double before = place[i - 1 - first], after = place[i + 1 - first];
    const double drop = -fmin(value[i - 1 - first], value[i + 1 - first]);
    double above = 0.0, at_x = *x;
    if (!climb(count, c, before, after, &at_x, &above) || !(above >= 0.0) || !(above <= drop))
        return false;
    *x = at_x;
    *height = own + above;
    return true;
}

void carom_pulse_curve_summit(const struct carom_pulse_curve *curve, size_t i, double *time, double *height)
{
    double x = 0.0;
    *time = curve->time[i];
    *height = carom_pulse_curve_sample(curve, i);
    if (i == 0 || i + 1 >= curve->n || !summit_of(curve, i, i - 1, 3, &x, height))
        return;
    if (i >= 2 && i + 2 < curve->n)
        summit_of(curve, i, i - 2, POINTS, &x, height);
    *time = curve->time[i] + x * 0.5 * (curve->time[i + 1] - curve->time[i - 1]);
}

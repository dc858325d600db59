/* Curves through samples of a force: values, integrals, crossings and the maximum between samples. Samples need not be
 * evenly spaced. Knows nothing of waves; see pulse.c. */
#include "study/pulse/pulse_curve.h"

#include <math.h>

#include "base/sorted.h"
#include "solve/locate.h"
#include "solve/summit.h"

#define UNEVEN 8.0

double carom_pulse_curve_sample(const struct carom_pulse_curve *curve, size_t i)
{
    return curve->force[i] - curve->rest;
}

/* By the parabola through three samples, at the ends through the nearest three. Where one interval is far longer than
 * the other, as where flights end, no more than what keeps both cubics between their ends. */
static double slope(const struct carom_pulse_curve *curve, size_t i)
{
    const size_t m = i == 0 ? 1 : i == curve->n - 1 ? curve->n - 2 : i;
    const double *t = curve->time, *f = curve->force;
    const double left = t[m] - t[m - 1], right = t[m + 1] - t[m];
    const double before = (f[m] - f[m - 1]) / left, after = (f[m + 1] - f[m]) / right;
    const double bend = (after - before) / (left + right);
    if (fmax(left, right) > UNEVEN * fmin(left, right)) {
        const double least = 3.0 * fmin(fabs(before), fabs(after)), middle = before + bend * left;
        return i != m                 ? (i < m ? before : after)
               : before * after > 0.0 ? copysign(fmin(fabs(middle), least), middle)
                                      : 0.0;
    }
    return i < m ? before - bend * left : i > m ? after + bend * right : before + bend * left;
}

/* the interval [i, i + 1] that holds t; the first or last one for times outside */
static size_t interval_at(const struct carom_pulse_curve *curve, double t)
{
    size_t next = 1;
    CAROM_SORTED_FIRST(next, curve->n - 1, curve->time[middle] <= t);
    return next - 1;
}

/* an interval and its cubic, less `level` */
struct piece {
    double start, width; /* in time */
    struct carom_cubic force;
};

/* Where a contact closes or opens its force comes from 0 or goes there: the cubic must not go below it. */
static void stay_above(const struct carom_pulse_curve *curve, size_t i, double slopes[2])
{
    const double f[] = {curve->force[i], curve->force[i + 1]};
    for (int end = 0; end < 2; end++)
        if (f[end] == 0.0 && f[1 - end] >= 0.0) {
            slopes[end] = 0.0;
            slopes[1 - end] = copysign(fmin(fabs(slopes[1 - end]), 3.0 * f[1 - end]), slopes[1 - end]);
        }
}

static struct piece piece_of(const struct carom_pulse_curve *curve, size_t i, double level)
{
    const double width = curve->time[i + 1] - curve->time[i];
    const double from = carom_pulse_curve_sample(curve, i), to = carom_pulse_curve_sample(curve, i + 1);
    double slopes[] = {width * slope(curve, i), width * slope(curve, i + 1)};
    stay_above(curve, i, slopes);
    return (struct piece){
        .start = curve->time[i], .width = width, .force = {{from - level, to - level}, {slopes[0], slopes[1]}}};
}

double carom_pulse_curve_value(const struct carom_pulse_curve *curve, double t)
{
    if (!(t >= curve->time[0]) || !(t <= curve->time[curve->n - 1]))
        return nan("");
    const struct piece p = piece_of(curve, interval_at(curve, t), 0.0);
    return carom_cubic_at(&p.force, (t - p.start) / p.width);
}

double carom_pulse_curve_integral(const struct carom_pulse_curve *curve, double a, double b)
{
    const double from = fmax(a, curve->time[0]), to = fmin(b, curve->time[curve->n - 1]);
    if (!(from < to))
        return 0.0;
    const size_t first = interval_at(curve, from), last = interval_at(curve, to);
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

void carom_pulse_curve_summit(const struct carom_pulse_curve *curve, size_t i, double *time, double *height)
{
    carom_summit_find(curve->n, curve->time, curve->force, i, time, height);
    *height -= curve->rest;
}

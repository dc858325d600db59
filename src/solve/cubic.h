/* The cubic on [0, 1] that has given values and slopes at both ends. Slopes are per interval: rates times its length.
 * Written as its start plus what a straight line lacks, so that short intervals lose little. */
#ifndef CAROM_SOLVE_CUBIC_H
#define CAROM_SOLVE_CUBIC_H

#include <math.h>

struct carom_cubic {
    double value[2], slope[2];
};

static inline double carom_cubic_at(const struct carom_cubic *c, double s)
{
    const double rise = c->value[1] - c->value[0], early = c->slope[0] - rise, late = c->slope[1] - rise;
    return c->value[0] + s * rise + s * (1.0 - s) * ((1.0 - s) * early - s * late);
}

static inline double carom_cubic_slope(const struct carom_cubic *c, double s)
{
    const double rise = c->value[1] - c->value[0], early = c->slope[0] - rise, late = c->slope[1] - rise;
    return rise + (1.0 - s) * (1.0 - 3.0 * s) * early + s * (3.0 * s - 2.0) * late;
}

/* from 0 to s */
static inline double carom_cubic_integral(const struct carom_cubic *c, double s)
{
    const double rise = c->value[1] - c->value[0], early = c->slope[0] - rise, late = c->slope[1] - rise;
    const double square = s * s;
    return c->value[0] * s + 0.5 * rise * square + early * square * (0.5 - s * (2.0 / 3.0 - 0.25 * s)) -
           late * square * s * (1.0 / 3.0 - 0.25 * s);
}

/* The control points between the ends: the cubic does not leave the range of ends and control points. */
static inline double carom_cubic_early(const struct carom_cubic *c)
{
    return c->value[0] + c->slope[0] / 3.0;
}

static inline double carom_cubic_late(const struct carom_cubic *c)
{
    return c->value[1] - c->slope[1] / 3.0;
}

/* Where it turns from down to up; NaN: nowhere. The slope is a (1 - s)^2 + 2 b s (1 - s) + c s^2, so nothing cancels
 * under the root where the slopes at the ends differ in sign. */
static inline double carom_cubic_lowest(const struct carom_cubic *of)
{
    const double a = of->slope[0], c = of->slope[1], b = 3.0 * (of->value[1] - of->value[0]) - a - c;
    const double size = fabs(b) + fmax(fabs(a), fabs(c));
    const double root = size * sqrt(b / size * (b / size) - a / size * (c / size));
    const double s = b > 0.0 ? -a / ((b + root) - a) : (root - b) / ((root - b) + c);
    return s > 0.0 && s < 1.0 ? s : nan("");
}

/* from up to down */
static inline double carom_cubic_highest(const struct carom_cubic *of)
{
    const struct carom_cubic mirrored = {{-of->value[0], -of->value[1]}, {-of->slope[0], -of->slope[1]}};
    return carom_cubic_lowest(&mirrored);
}

#endif

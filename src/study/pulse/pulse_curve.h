/* A force as a curve through its samples: cubics whose slopes are those of the parabola through three neighbours.
 * Between samples of a smooth pulse it is right to the fourth order in their distance. */
#ifndef CAROM_STUDY_PULSE_PULSE_CURVE_H
#define CAROM_STUDY_PULSE_PULSE_CURVE_H

#include <stddef.h>

/* n >= 3 samples at rising times; the curve stands above `rest`. */
struct carom_pulse_curve {
    size_t n;
    const double *time, *force;
    double rest;
};

/* Sample i above the rest. */
double carom_pulse_curve_sample(const struct carom_pulse_curve *curve, size_t i);

/* The value at t; NaN outside of the samples. */
double carom_pulse_curve_value(const struct carom_pulse_curve *curve, double t);

/* The integral from a to b, as far as there are samples. */
double carom_pulse_curve_integral(const struct carom_pulse_curve *curve, double a, double b);

/* When the curve passes `level` inside the interval [i, i + 1], whose ends lie on both sides of it. */
double carom_pulse_curve_crossing(const struct carom_pulse_curve *curve, size_t i, double level);

/* The maximum near sample i, which is no lower than its neighbours: by the polynomial of fourth degree through five
 * samples, the parabola through three, or the sample itself, whichever first makes sense. */
void carom_pulse_curve_summit(const struct carom_pulse_curve *curve, size_t i, double *time, double *height);

#endif

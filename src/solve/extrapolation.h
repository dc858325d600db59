/* Very accurate steps of small smooth systems y' = rate(t, y): Gragg's midpoint rule, extrapolated (order 14).
 * For binary collisions and other problems of a few unknowns, not for stepping models. */
#ifndef CAROM_SOLVE_EXTRAPOLATION_H
#define CAROM_SOLVE_EXTRAPOLATION_H

#include <stddef.h>

#include "carom/error.h"

#define CAROM_EXTRAPOLATION_ROOM 8 /* largest n */

struct carom_extrapolation {
    size_t n;
    void (*rate)(const void *own, double t, const double *y, double *rate);
    const void *own;
    double tolerance;                       /* local error allowed, times scale */
    double scale[CAROM_EXTRAPOLATION_ROOM]; /* size of each unknown */
};

/* One step from (t, y) by h, of either sign; `after` may be y. Returns the estimated error in units of
 * tolerance * scale (NaN if the rate had no value somewhere). */
double carom_extrapolation_step(const struct carom_extrapolation *of, double t, double h, const double *y,
                                double *after);

/* One step within tolerance, of at most *h and never past `end`; moves t and y and puts the size to try next into *h.
 * Fails with CAROM_E_NUMERIC where no step is small enough. */
enum carom_status carom_extrapolation_advance(const struct carom_extrapolation *of, double end, double *t, double *h,
                                              double *y, struct carom_error *error);

#endif

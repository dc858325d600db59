/* Gragg's midpoint rule with 2, 4, ..., 14 substeps, extrapolated in h^2 (Gragg 1965, Bulirsch and Stoer 1966).
 * Works on increments, so that the alternating weights of the extrapolation magnify only the rounding of what
 * changes. The order is fixed; only the step adapts. */
#include "solve/extrapolation.h"

#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "solve/control.h"

#define ROOM CAROM_EXTRAPOLATION_ROOM
#define ROWS 7

/* of the difference of the last two extrapolations, of order 2 ROWS - 2; a rejected step costs 56 evaluations */
static const struct carom_control control = {.safety = 0.9, .power = -1.0 / (2 * ROWS - 1), .least = 0.1, .most = 3.0};

/* The increment over h by `parts` midpoint steps with Gragg's smoothing, `first` being the rate at the start. */
static void midpoint(const struct carom_extrapolation *of, double t, double h, const double *y, const double *first,
                     int parts, double *increment)
{
    double before[ROOM] = {0.0}, now[ROOM], state[ROOM], rate[ROOM];
    const double part = h / parts;
    for (size_t i = 0; i < of->n; i++)
        now[i] = part * first[i];
    for (int k = 1; k <= parts; k++) {
        for (size_t i = 0; i < of->n; i++)
            state[i] = y[i] + now[i];
        of->rate(of->own, k < parts ? t + k * part : t + h, state, rate);
        for (size_t i = 0; i < of->n && k < parts; i++) {
            const double next = before[i] + 2.0 * part * rate[i];
            before[i] = now[i];
            now[i] = next;
        }
    }
    for (size_t i = 0; i < of->n; i++)
        increment[i] = 0.5 * (before[i] + now[i] + part * rate[i]);
}

double carom_extrapolation_step(const struct carom_extrapolation *of, double t, double h, const double *y,
                                double *after)
{
    double first[ROOM], table[ROWS][ROOM], last[ROOM], worst = 0.0;
    of->rate(of->own, t, y, first);
    for (int row = 0; row < ROWS; row++) {
        midpoint(of, t, h, y, first, 2 * (row + 1), table[row]);
        memcpy(last, table[0], sizeof last);
        /* Neville's scheme in place: table[j] becomes the value extrapolated from rows j to `row` */
        for (int j = row - 1; j >= 0; j--) {
            const double ratio = (row + 1.0) / (j + 1.0);
            for (size_t i = 0; i < of->n; i++)
                table[j][i] = table[j + 1][i] + (table[j + 1][i] - table[j][i]) / (ratio * ratio - 1.0);
        }
    }
    for (size_t i = 0; i < of->n; i++) {
        const double error = fabs(table[0][i] - last[i]) / (of->tolerance * of->scale[i]);
        worst = error > worst || isnan(error) ? error : worst;
        after[i] = y[i] + table[0][i];
    }
    return worst;
}

enum carom_status carom_extrapolation_advance(const struct carom_extrapolation *of, double end, double *t, double *h,
                                              double *y, struct carom_error *error)
{
    double after[ROOM];
    for (int attempt = 0; attempt < 200; attempt++) {
        const bool last = fabs(end - *t) <= fabs(*h) * (1.0 + 1e-9);
        const double step = last ? end - *t : *h;
        if (!(fabs(step) > 4.0 * DBL_EPSILON * fabs(*t)))
            break;
        const double wrong = carom_extrapolation_step(of, *t, step, y, after);
        *h = step * carom_control_factor(&control, wrong);
        if (wrong <= 1.0) {
            *t = last ? end : *t + step;
            memcpy(y, after, of->n * sizeof *y);
            return CAROM_OK;
        }
    }
    return carom_error_set(error, CAROM_E_NUMERIC, "no step is small enough at %g", *t);
}

/* Least squares of a few numbers: Levenberg and Marquardt's method with bounds, derivatives by differences, and what
 * the sum of squares says of uncertainties. Knows no model: points in, residuals out, many points at a time. */
#ifndef CAROM_SOLVE_LEAST_SQUARES_H
#define CAROM_SOLVE_LEAST_SQUARES_H

#include <stdbool.h>
#include <stddef.h>

#include "carom/error.h"

#define CAROM_LEAST_SQUARES_MOST 16 /* numbers to find */

struct carom_least_squares {
    size_t n, m;              /* numbers to find, residuals */
    const double *low, *high; /* n: bounds, HUGE_VAL where there is none */
    const double *step;       /* n: of central differences; one-sided at a bound */
    bool scaled;              /* residuals are in units of their standard deviation: goal and covariance rely on it */
    const double *error;      /* m: errors of the residuals, differences below them are chance; NULL: rounding */
    double noise;             /* relative error of the differences: twins closer than that cannot be told apart */
    double goal;              /* ends when a step is so much of the standard errors */
    size_t most;              /* iterations */
    /* residual[k * m ...] at x[k * n ...], for `count` points; NaN where a point cannot be had. An error ends it. */
    enum carom_status (*residuals)(void *own, size_t count, const double *x, double *residual,
                                   struct carom_error *error);
    void *own;
    double *jacobian; /* n x m: gets the derivatives at the end; NULL: not wanted */
};

struct carom_least_squares_result {
    double sum; /* of the squares */
    size_t iterations;
    bool converged;
    bool fixed[CAROM_LEAST_SQUARES_MOST]; /* at a bound, where the sum would fall beyond it */
    size_t idle;                          /* a number without influence; n: none */
    size_t ntwins,
        twins[CAROM_LEAST_SQUARES_MOST]; /* numbers that cannot be told apart, but could without any of them */
    double inverse[CAROM_LEAST_SQUARES_MOST * CAROM_LEAST_SQUARES_MOST]; /* n x n: of J^T J; NaN in fixed rows */
    double variance; /* of a residual: 1 if `scaled`, else sum / (m - n); times `inverse` it is the covariance */
};

/* x (n) is the start and becomes the least point. CAROM_E_NUMERIC if there are no residuals at the start, if a number
 * has no influence (beyond the errors of the residuals) or some cannot be told apart (`idle`, `twins`). */
enum carom_status carom_least_squares_run(const struct carom_least_squares *problem, double *x,
                                          struct carom_least_squares_result *result, struct carom_error *error);

/* The probability that chi-square of `freedom` degrees is larger than `sum`. */
double carom_least_squares_probability(double sum, double freedom);

/* By how much a standard deviation that was estimated with `freedom` degrees is widened for twice of it to hold as much
 * as two standard deviations of a normal distribution, .9545: Student's t. 1 for infinitely many. */
double carom_least_squares_widening(double freedom);

#endif

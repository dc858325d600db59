/* Dormand and Prince's explicit Runge-Kutta pair of order 5(4), on plain arrays: stages, local error, dense output of
 * order 4 and its slope, dense output of order 5 (coefficients: Hairer, Norsett and Wanner, Solving Ordinary
 * Differential Equations I, II.5-II.6). Knows no model. */
#ifndef CAROM_SCHEME_DORMAND_PRINCE_H
#define CAROM_SCHEME_DORMAND_PRINCE_H

#include <stdbool.h>
#include <stddef.h>

enum { CAROM_DORMAND_PRINCE_STAGES = 7 };

/* A step under way: y0 -> y1 with its slopes k. k[1] is used only to make k[2] ... k[5], so it is free afterwards. */
struct carom_dormand_prince {
    const double *y0, *y1;
    double h;
    double *k[CAROM_DORMAND_PRINCE_STAGES];
    bool fine; /* its dense output is of order 5: of k only both ends and the numbers below are left */
};

/* Dense output of order 5, whose errors are those of the step itself: with the slopes at two more places inside, where
 * y is as the dense output of order 4 has it. _refine: sums of slopes take the place of k[SUMS], numbers [0, n), and
 * slopes at the places that of k[FIRST] and k[SECOND], which are for whoever evaluates them. */
enum { CAROM_DORMAND_PRINCE_FIRST = 2, CAROM_DORMAND_PRINCE_SUMS = 3, CAROM_DORMAND_PRINCE_SECOND = 4 };
double carom_dormand_prince_place(size_t second);
void carom_dormand_prince_refine(struct carom_dormand_prince *step, size_t n);

/* Where stage s stands in the step, in [0, 1]. */
double carom_dormand_prince_node(size_t s);

/* What the slope of stage s counts in the solution. */
double carom_dormand_prince_weight(size_t s);

/* Numbers [from, to) of the argument of stage s >= 1; for the last stage that is the solution. */
void carom_dormand_prince_stage(const struct carom_dormand_prince *step, size_t s, size_t from, size_t to, double *out);

/* Sum of the weights times number i of the slopes, times h: what the step adds to it. */
double carom_dormand_prince_rise(const struct carom_dormand_prince *step, size_t i);

/* The part of it up to s in [0, 1]. */
double carom_dormand_prince_gain(const struct carom_dormand_prince *step, double s, size_t i);

/* A force near touch goes like x^power, where x is the cubic of a from `near` to 1 whose slopes are `run` and `far`: a
 * goes from 0 to 1 with time or, if the step ends near touch, against it. What the weights make of its integral over a
 * step, too much, in units of h; and what the dense output, `fine` or not, makes of it up to s, once the end has been
 * put right. */
struct carom_dormand_prince_touch {
    double power, near, run, far;
    bool ends;
};
double carom_dormand_prince_excess_of(const struct carom_dormand_prince_touch *touch);
double carom_dormand_prince_excess_within(const struct carom_dormand_prince_touch *touch, double s, bool fine);

/* Largest local error of numbers [from, to); HUGE_VAL if any is not finite. */
double carom_dormand_prince_error(const struct carom_dormand_prince *step, size_t from, size_t to);

/* The local error of number i, with its sign. */
double carom_dormand_prince_error_of(const struct carom_dormand_prince *step, size_t i);

/* A step that was made in another way, with k[0] and k[6] its slopes at both ends: numbers [0, n) of the slopes between
 * become such that its local error is `error` and its dense output the cubic between the ends. */
void carom_dormand_prince_stand_in(struct carom_dormand_prince *step, size_t n, const double *error);

/* Numbers [from, to) at s in [0, 1] of the step, into out[from ...]. */
void carom_dormand_prince_dense(const struct carom_dormand_prince *step, double s, size_t from, size_t to, double *out);

/* What it is made of, for one number: start + s (rise + (1 - s) (early + s (late + (1 - s) last))). Terms of sums are
 * sums of terms. */
struct carom_dormand_prince_terms {
    double start, rise, early, late, last;
};
struct carom_dormand_prince_terms carom_dormand_prince_terms_of(const struct carom_dormand_prince *step, size_t i);
double carom_dormand_prince_along(const struct carom_dormand_prince_terms *terms, double s);

/* Number i at s and its rate. */
double carom_dormand_prince_value(const struct carom_dormand_prince *step, double s, size_t i, double *rate);

#endif

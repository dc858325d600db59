/* Where a function, such as a gap along a step, first goes below 0 between two looks at it: its sign at the second look
 * tells, or the bottom of a dip between them, which the cubic through both looks rules out cheaply as a rule. */
#ifndef CAROM_SOLVE_LOCATE_H
#define CAROM_SOLVE_LOCATE_H

#include "solve/cubic.h"

struct carom_locate {
    double (*value)(void *own, double s);
    double (*slope)(void *own, double s); /* or anything of its sign */
    void *own;
    double fine; /* places are wanted to this */
};

/* The answer where there is no such place: beyond any step, of which places are parts. */
#define CAROM_LOCATE_NONE 2.0

/* Where the cubic comes to the side of 0 on which it is at `end`, from the other side: there it is at the beginning or,
 * if it begins at 0 or beyond by rounding, soon after; 0: it never is. */
double carom_locate_on_cubic(const struct carom_cubic *c, double end);

/* The bottom of a dip between a and b, for looks `c` (slopes times b - a) and a function that differs from their cubic
 * by no more than `doubt`; none if there is no dip or it cannot reach 0. */
double carom_locate_bottom(const struct carom_locate *f, double a, double b, const struct carom_cubic *c, double doubt);

/* The first place in (a, b] where it is no longer above 0; a if it was not there. */
double carom_locate_first(const struct carom_locate *f, double a, double b, const struct carom_cubic *c, double doubt);

#endif

/* A root of a function of one variable between two points where its sign differs (Brent's method); the place where the
 * answer to a question changes (halving). */
#ifndef CAROM_SOLVE_ROOT_H
#define CAROM_SOLVE_ROOT_H

#include <stdbool.h>

#include "carom/error.h"

/* Finds x in [a, b] (in any order) with f(x) = 0, known to `tolerance` in x or to a few units in the last place,
 * whichever is more. `f` may return NaN to say that it could not be computed: the search then ends with
 * CAROM_E_NUMERIC. The same status if f has one sign at both ends; a zero at an end is a root. */
enum carom_status carom_root_find(double (*f)(void *own, double x), void *own, double a, double b, double tolerance,
                                  double *root, struct carom_error *error);

/* The same where nobody asks why there is none: then the answer is b. */
double carom_root_near(double (*f)(void *own, double x), void *own, double a, double b, double tolerance);

/* Narrows low < high, where the answers are no and yes, to `tolerance` or by so many halvings; returns the end where it
 * is yes. For questions that a sign does not answer: several conditions at once, or a state that is looked at. */
double carom_root_switch(bool (*beyond)(void *own, double x), void *own, double low, double high, double tolerance,
                         int halvings);

#endif

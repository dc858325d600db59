/* The least value of a function of a few numbers, without derivatives: near a start, or anywhere inside bounds. By
 * NLopt, which only search.c knows; a build without it refuses. */
#ifndef CAROM_SOLVE_SEARCH_H
#define CAROM_SOLVE_SEARCH_H

#include <stdbool.h>
#include <stddef.h>

#include "carom/error.h"

struct carom_search {
    size_t n;
    const double *low, *high; /* n: bounds, HUGE_VAL where there is none */
    const double *step;       /* n: first steps of a local search */
    double tol;               /* a local search ends when steps are so much of the first ones */
    size_t most;              /* calls */
    /* finite numbers; returning false ends the search with CAROM_E_STOPPED */
    bool (*value)(void *own, const double *x, double *value);
    void *own;
};

/* Is there NLopt in this build? */
bool carom_search_available(void);

/* x (n) is the start and becomes the best point found; deterministic. `most` calls end it without an error. Inside
 * bounds (`global`) all of these must be finite, and x need not be a start. */
enum carom_status carom_search_run(const struct carom_search *search, bool global, double *x,
                                   struct carom_error *error);

#endif

/* What the tests of elastic solids share. */
#ifndef CAROM_TESTS_SOLIDS_H
#define CAROM_TESTS_SOLIDS_H

#include "base/memory.h"
#include "carom/solid.h"
#include "check.h"

/* q of the unloaded body, to be freed */
static inline double *solid_rest(const struct carom_solid *s)
{
    double *q = carom_memory_zeroed(s->wide * s->n, sizeof *q);
    CHECK_OR_STOP(q != NULL);
    for (size_t i = 0; i < s->n; i++)
        q[s->wide * i + (s->dimension == 3 ? 3 : 2)] = 1.0;
    return q;
}

#endif

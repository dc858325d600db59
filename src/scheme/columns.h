/* What a scheme remembers in a state's memory, by name: one table per scheme says which columns there are and how many
 * numbers each has; their places follow from it. Single numbers that stand first have the place of their row, so that
 * memory[ROW] is theirs. */
#ifndef CAROM_SCHEME_COLUMNS_H
#define CAROM_SCHEME_COLUMNS_H

#include "carom/state.h"

struct carom_column {
    const char *name;
    size_t once, contact, q, v, part; /* numbers: in all, and for every contact, coordinate, velocity, part */
};

/* Numbers in the columns before row `which`; with the number of rows, those of all. */
size_t carom_columns_size(const struct carom_column *table, size_t which, const struct carom_model *model);

/* Where column `which` begins in a state of a model with nc contacts. Inline: of a table that is in sight, a compiler
 * makes it the sum that one would write by hand. */
static inline double *carom_columns_at(const struct carom_column *table, size_t which, const struct carom_state *state,
                                       size_t nc)
{
    size_t once = 0, contact = 0, q = 0, v = 0, part = 0;
    for (size_t i = 0; i < which; i++) {
        once += table[i].once;
        contact += table[i].contact;
        q += table[i].q;
        v += table[i].v;
        part += table[i].part;
    }
    return state->memory + once + contact * nc + q * state->nq + v * state->nv + part * state->nparts;
}

#endif

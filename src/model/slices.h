/* The numbers of a state by name, in the order in which hashes mix them and checkpoints hold them, wherever they stand
 * in memory. What contacts that come and go remember follows them in both (bodies/list.h). */
#ifndef CAROM_MODEL_SLICES_H
#define CAROM_MODEL_SLICES_H

#include "carom/state.h"

#define CAROM_SLICES 13

struct carom_slice {
    double *at;
    size_t n;
};

void carom_slices_of(const struct carom_state *state, struct carom_slice slice[CAROM_SLICES]);

/* From numbers in that order. */
void carom_slices_fill(struct carom_state *state, const double *number);

#endif

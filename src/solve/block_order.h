/* An order of elimination that keeps the factors of a sparse matrix with symmetric pattern sparse: approximate
 * minimum degree on the quotient graph (Amestoy, Davis and Duff 1996, without their supervariables). The pattern of U
 * comes with it. The same pattern always gives the same order. */
#ifndef CAROM_SOLVE_BLOCK_ORDER_H
#define CAROM_SOLVE_BLOCK_ORDER_H

#include <stdbool.h>
#include <stddef.h>

#include "carom/error.h"

struct carom_block_order {
    size_t n;
    bool whole; /* false: U would have more than `most` entries beside the diagonal, or cost more; nothing else holds */
    size_t *order; /* step -> row */
    size_t *first; /* row order[k] of U has, beside the diagonal, the columns column[first[k]] ... */
    size_t *column;
    double products; /* multiplications (of blocks) of the elimination */
};

/* The pattern is rows first[i] ... first[i + 1] - 1 of `column`; the diagonal may be among them. */
enum carom_status carom_block_order_find(struct carom_block_order *order, size_t n, const size_t *first,
                                         const size_t *column, size_t most, double products, struct carom_error *error);
void carom_block_order_close(struct carom_block_order *order);

#endif

/* Numbers in order: how qsort is told, and where in a list that rises something stands. */
#ifndef CAROM_BASE_SORTED_H
#define CAROM_BASE_SORTED_H

#include <stdbool.h>
#include <stddef.h>

/* For qsort and bsearch: double, uint32_t, uint64_t, size_t. */
int carom_sorted_reals(const void *a, const void *b);
int carom_sorted_numbers(const void *a, const void *b);
int carom_sorted_longs(const void *a, const void *b);
int carom_sorted_sizes(const void *a, const void *b);

/* -1, 0 or 1, as they are asked. */
#define CAROM_SORTED(x, y) (((x) > (y)) - ((x) < (y)))

/* Raises `low`, a variable, to the first place below `high` of which `before`, an expression of `middle`, is false; to
 * `high` if there is none. It is true of all places before that one. */
#define CAROM_SORTED_FIRST(low, high, before)                                                               \
    for (size_t above = (high), middle = 0; (low) < above && (middle = (low) + (above - (low)) / 2, true);) \
        if (before)                                                                                         \
            (low) = middle + 1;                                                                             \
        else                                                                                                \
            above = middle

#endif

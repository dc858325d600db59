/* Comparisons for qsort, none of which subtracts: numbers without a sign would wrap. */
#include "base/sorted.h"

#include <stdint.h>

int carom_sorted_reals(const void *a, const void *b)
{
    return CAROM_SORTED(*(const double *)a, *(const double *)b);
}

int carom_sorted_numbers(const void *a, const void *b)
{
    return CAROM_SORTED(*(const uint32_t *)a, *(const uint32_t *)b);
}

int carom_sorted_longs(const void *a, const void *b)
{
    return CAROM_SORTED(*(const uint64_t *)a, *(const uint64_t *)b);
}

int carom_sorted_sizes(const void *a, const void *b)
{
    return CAROM_SORTED(*(const size_t *)a, *(const size_t *)b);
}

/* Sums that threads share. A file apart, for where there are no threads a team of one does the same. */
#include "base/threads.h"

enum { PORTIONS = 64 };

struct adding {
    carom_threads_add *add;
    const void *own;
    size_t n, portion;
    struct carom_sum sum[PORTIONS];
};

static void add_portion(void *own, size_t i)
{
    struct adding *a = own;
    const size_t first = i * a->portion, last = a->n - first < a->portion ? a->n : first + a->portion;
    struct carom_sum sum = {0.0, 0.0}; /* not in place: neighbours share cache lines */
    a->add(a->own, first, last, &sum);
    a->sum[i] = sum;
}

struct carom_sum carom_threads_sum(struct carom_threads *threads, carom_threads_add *add, const void *own, size_t n)
{
    const size_t least = 1024, share = n / PORTIONS + 1, portion = share < least ? least : share + share % 2;
    struct adding a = {.add = add, .own = own, .n = n, .portion = portion};
    struct carom_sum sum = {0.0, 0.0};
    const size_t portions = (n + portion - 1) / portion;
    carom_threads_run(threads, add_portion, &a, portions);
    for (size_t i = 0; i < portions; i++) {
        carom_sum_add(&sum, a.sum[i].high);
        carom_sum_add(&sum, a.sum[i].low);
    }
    return sum;
}

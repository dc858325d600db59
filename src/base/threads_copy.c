/* Copies that threads share. */
#include <string.h>

#include "base/threads.h"

enum { COPIED = 1 << 17 }; /* doubles that one copies at a time */

struct copying {
    double *to;
    const double *from;
    size_t n;
};

static void copy_portion(void *own, size_t i)
{
    const struct copying *c = own;
    const size_t first = i * COPIED, count = c->n - first < COPIED ? c->n - first : COPIED;
    memcpy(c->to + first, c->from + first, count * sizeof *c->to);
}

void carom_threads_copy(struct carom_threads *threads, double *to, const double *from, size_t n)
{
    carom_threads_run(threads, copy_portion, &(struct copying){to, from, n}, (n + COPIED - 1) / COPIED);
}

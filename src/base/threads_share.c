/* Work on the members of an array that threads share. A file apart, for where there are no threads a team of one does
 * the same. */
#include "base/threads.h"

enum { PORTIONS = 64, LEAST = 256 }; /* members in a portion at least: fewer are not worth waking anybody */

struct sharing {
    carom_threads_span *work;
    void *own;
    size_t n, portion;
};

static void work_portion(void *own, size_t i)
{
    const struct sharing *s = own;
    const size_t first = i * s->portion;
    s->work(s->own, first, s->n - first < s->portion ? s->n : first + s->portion);
}

void carom_threads_share(struct carom_threads *threads, carom_threads_span *work, void *own, size_t n)
{
    const size_t share = n / PORTIONS + 1, portion = share < LEAST ? LEAST : share;
    carom_threads_run(threads, work_portion, &(struct sharing){work, own, n, portion}, (n + portion - 1) / portion);
}

size_t carom_threads_share_count(size_t wanted, size_t n)
{
    const size_t enough = 50000; /* for each; a step has to be long enough to wait for them */
    if (wanted > 0)
        return wanted;
    const size_t cores = carom_threads_cores(), most = 1 + n / enough;
    return cores < most ? cores : most;
}

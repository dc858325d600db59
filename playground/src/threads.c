/* The team of threads where there are none: one member, who does all blocks in order. The bits are those of any
 * team. */
#include "base/threads.h"

struct carom_threads {
    char alone;
};

struct carom_threads *carom_threads_create(size_t count)
{
    static struct carom_threads team;
    (void)count;
    return &team;
}

void carom_threads_free(struct carom_threads *threads)
{
    (void)threads;
}

void carom_threads_run(struct carom_threads *threads, void (*work)(void *own, size_t block), void *own, size_t blocks)
{
    (void)threads;
    for (size_t i = 0; i < blocks; i++)
        work(own, i);
}

size_t carom_threads_count(const struct carom_threads *threads)
{
    (void)threads;
    return 1;
}

size_t carom_threads_cores(void)
{
    return 1;
}

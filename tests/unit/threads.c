/* The team does every block once, whatever the counts, over many runs, asleep or awake; under ThreadSanitizer this is
 * also the test that nothing races. */
#include <pthread.h>
#include <stdatomic.h>
#include <time.h>

#include "base/threads.h"
#include "check.h"

#define MOST 1000

struct tally {
    unsigned done[MOST]; /* written by the one thread that has the block */
    double sums[MOST];
    atomic_size_t calls;
};

static void count_block(void *own, size_t block)
{
    struct tally *tally = own;
    tally->done[block]++;
    double sum = 0.0;
    for (size_t i = 1; i < 50; i++)
        sum += 1.0 / (double)(block * 50 + i);
    tally->sums[block] = sum;
    atomic_fetch_add(&tally->calls, 1);
}

static double run_once(struct carom_threads *threads, size_t blocks)
{
    static struct tally tally;
    memset(tally.done, 0, sizeof tally.done);
    atomic_store(&tally.calls, 0);
    carom_threads_run(threads, count_block, &tally, blocks);
    CHECK(atomic_load(&tally.calls) == blocks);
    double sum = 0.0;
    size_t wrong = 0;
    for (size_t i = 0; i < MOST; i++) {
        wrong += tally.done[i] != (i < blocks ? 1u : 0u);
        sum += i < blocks ? tally.sums[i] : 0.0;
    }
    CHECK(wrong == 0);
    return sum;
}

static void pause_ms(long ms)
{
    const struct timespec time = {0, ms * 1000000};
    nanosleep(&time, NULL);
}

static void test_every_block_once(void)
{
    static const size_t counts[] = {0, 1, 2, 3, 8}, blocks[] = {0, 1, 2, 3, 7, 64, MOST};
    for (size_t c = 0; c < sizeof counts / sizeof counts[0]; c++) {
        struct carom_threads *threads = carom_threads_create(counts[c]);
        CHECK_OR_STOP(threads != NULL);
        for (size_t b = 0; b < sizeof blocks / sizeof blocks[0]; b++) {
            const double alone = run_once(NULL, blocks[b]), together = run_once(threads, blocks[b]);
            CHECK(alone == together); /* the same bits */
        }
        carom_threads_free(threads);
    }
    carom_threads_free(NULL);
}

static void test_many_runs(void)
{
    struct carom_threads *threads = carom_threads_create(2);
    CHECK_OR_STOP(threads != NULL);
    const double first = run_once(threads, 10);
    for (int i = 0; i < 3000; i++) {
        if (i % 1000 == 0)
            pause_ms(20); /* let the other member fall asleep */
        CHECK(run_once(threads, 10) == first);
    }
    carom_threads_free(threads);
}

/* Blocks that take long on one member let the caller sleep, too. */
static void slow_block(void *own, size_t block)
{
    if (block == 0)
        pause_ms(5);
    atomic_fetch_add((atomic_size_t *)own, 1);
}

static void test_uneven(void)
{
    struct carom_threads *threads = carom_threads_create(3);
    CHECK_OR_STOP(threads != NULL);
    for (int i = 0; i < 20; i++) {
        atomic_size_t calls = 0;
        carom_threads_run(threads, slow_block, &calls, 4);
        CHECK(atomic_load(&calls) == 4);
    }
    carom_threads_free(threads);
}

static void test_short_lives(void)
{
    for (int i = 0; i < 50; i++) {
        struct carom_threads *threads = carom_threads_create(4);
        CHECK_OR_STOP(threads != NULL);
        if (i % 2 == 0)
            run_once(threads, 5);
        carom_threads_free(threads);
    }
}

/* Terms of very different size: a sum is right, has the same bits for any team, and leaves out no term. */
static atomic_bool uneven; /* checks are counted by one thread, see check.h */

static void add_terms(const void *own, size_t first, size_t last, struct carom_sum *sum)
{
    if (first % 2 != 0 || first >= last)
        atomic_store(&uneven, true);
    for (size_t i = first; i < last; i++)
        carom_sum_add(sum, ((const double *)own)[i]);
}

static void test_sums(void)
{
    enum { TERMS = 150001 };
    static const size_t counts[] = {0, 1, 1023, 1025, 65537, TERMS};
    static double term[TERMS];
    for (size_t i = 0; i < TERMS; i++)
        term[i] = i % 3 == 2 ? 1.0 : (i % 3 == 0 ? 1e20 : -1e20) * (double)(1 + i / 3);
    for (size_t k = 0; k < sizeof counts / sizeof *counts; k++) {
        const size_t n = counts[k], ones = n / 3;
        const double left = n % 3 == 1 ? 1e20 * (double)(1 + n / 3) : 0.0;
        const struct carom_sum alone = carom_threads_sum(NULL, add_terms, term, n);
        CHECK(carom_sum_value(&alone) == left + (double)ones);
        for (size_t count = 2; count <= 5; count++) {
            struct carom_threads *threads = carom_threads_create(count);
            CHECK_OR_STOP(threads != NULL);
            const struct carom_sum shared = carom_threads_sum(threads, add_terms, term, n);
            CHECK(shared.high == alone.high && shared.low == alone.low);
            carom_threads_free(threads);
        }
    }
    CHECK(!atomic_load(&uneven));
}

static void test_copies(void)
{
    enum { TERMS = 300001 };
    static double from[TERMS], to[TERMS + 1];
    struct carom_threads *threads = carom_threads_create(3);
    CHECK_OR_STOP(threads != NULL);
    for (size_t i = 0; i < TERMS; i++)
        from[i] = (double)i;
    carom_threads_copy(threads, to, from, TERMS);
    carom_threads_copy(threads, to + TERMS, from, 0);
    bool same = to[TERMS] == 0.0;
    for (size_t i = 0; i < TERMS; i++)
        same = same && to[i] == (double)i;
    CHECK(same);
    carom_threads_free(threads);
}

/* No machine has room for seven stacks of 64 TiB. */
static void test_no_room(void)
{
    pthread_attr_t before, huge;
    CHECK_OR_STOP(pthread_getattr_default_np(&before) == 0 && pthread_attr_init(&huge) == 0);
    CHECK_OR_STOP(pthread_attr_setstacksize(&huge, (size_t)1 << 46) == 0);
    CHECK_OR_STOP(pthread_setattr_default_np(&huge) == 0);
    CHECK(carom_threads_create(8) == NULL);
    CHECK_OR_STOP(pthread_setattr_default_np(&before) == 0);
    pthread_attr_destroy(&huge);
    pthread_attr_destroy(&before);
}

int main(void)
{
    CHECK(carom_threads_cores() >= 1);
    test_every_block_once();
    test_many_runs();
    test_uneven();
    test_short_lives();
    test_sums();
    test_copies();
    test_no_room();
    CHECK_MAIN_END;
}

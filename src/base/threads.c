/* The team of threads, on pthreads. Members spin a moment between two runs, because a step comes every few
 * microseconds, and then sleep. Does not order the blocks: they must be independent of each other, one run of a team
 * is under way at a time, and work does not run its own team. */
#include "base/threads.h"

#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <string.h>
#include <unistd.h>

#include "base/memory.h"

#define LINE 64   /* what several threads write stands on cache lines of its own */
#define SPIN 4000 /* some ten microseconds */

struct carom_threads {
    size_t count;
    unsigned spin; /* none where there are more threads than cores: spinning would keep the others from working */
    pthread_t *members;
    pthread_mutex_t lock;
    pthread_cond_t wake, done;

    /* of the run under way, written before `run` counts up */
    void (*work)(void *own, size_t block);
    void *own;
    size_t blocks;
    bool quit;

    _Alignas(LINE) atomic_ulong run;   /* number of the run */
    atomic_size_t sleepers;            /* members waiting on `wake` */
    atomic_bool waiting;               /* the caller waits on `done` */
    _Alignas(LINE) atomic_size_t next; /* first block nobody has taken */
    _Alignas(LINE) atomic_size_t busy; /* members that have not finished this run */
};

static void relax(void)
{
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    __asm__ volatile("yield");
#endif
}

static void take_blocks(struct carom_threads *t)
{
    for (size_t i = atomic_fetch_add(&t->next, 1); i < t->blocks; i = atomic_fetch_add(&t->next, 1))
        t->work(t->own, i);
}

/* Returns when the run is no longer `last`. A member that is about to sleep counts itself in before it looks once
 * more, the caller counts the run up before it looks for sleepers: one of the two sees the other. */
static unsigned long await_run(struct carom_threads *t, unsigned long last)
{
    for (unsigned i = 0; i < t->spin && atomic_load(&t->run) == last; i++)
        relax();
    if (atomic_load(&t->run) == last) {
        pthread_mutex_lock(&t->lock);
        atomic_fetch_add(&t->sleepers, 1);
        while (atomic_load(&t->run) == last)
            pthread_cond_wait(&t->wake, &t->lock);
        atomic_fetch_sub(&t->sleepers, 1);
        pthread_mutex_unlock(&t->lock);
    }
    return atomic_load(&t->run);
}

static void *member(void *of)
{
    struct carom_threads *t = of;
    unsigned long last = 0;
    for (;;) {
        last = await_run(t, last);
        if (t->quit)
            return NULL;
        take_blocks(t);
        if (atomic_fetch_sub(&t->busy, 1) == 1 && atomic_load(&t->waiting)) {
            pthread_mutex_lock(&t->lock);
            pthread_cond_signal(&t->done);
            pthread_mutex_unlock(&t->lock);
        }
    }
}

static void start_run(struct carom_threads *t)
{
    atomic_fetch_add(&t->run, 1);
    if (atomic_load(&t->sleepers) == 0)
        return;
    pthread_mutex_lock(&t->lock);
    pthread_cond_broadcast(&t->wake);
    pthread_mutex_unlock(&t->lock);
}

static void await_members(struct carom_threads *t)
{
    for (unsigned i = 0; i < t->spin && atomic_load(&t->busy) > 0; i++)
        relax();
    if (atomic_load(&t->busy) == 0)
        return;
    pthread_mutex_lock(&t->lock);
    atomic_store(&t->waiting, true);
    while (atomic_load(&t->busy) > 0)
        pthread_cond_wait(&t->done, &t->lock);
    atomic_store(&t->waiting, false);
    pthread_mutex_unlock(&t->lock);
}

/* Ends the first `started` members, which all sit between two runs, and gives everything back. */
static void end_members(struct carom_threads *t, size_t started)
{
    t->quit = true;
    start_run(t);
    for (size_t i = 0; i < started; i++)
        pthread_join(t->members[i], NULL);
    pthread_cond_destroy(&t->done);
    pthread_cond_destroy(&t->wake);
    pthread_mutex_destroy(&t->lock);
    carom_memory_free_all(t->members, t);
}

/* Signals are for the caller: members block them all. */
static size_t start_members(struct carom_threads *t)
{
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    size_t n = 0;
    while (n + 1 < t->count && pthread_create(&t->members[n], NULL, member, t) == 0)
        n++;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return n;
}

struct carom_threads *carom_threads_create(size_t count)
{
    struct carom_threads *t = carom_memory_zeroed(1, sizeof *t);
    if (t == NULL)
        return NULL;
    t->count = count > 0 ? count : 1;
    t->spin = t->count <= carom_threads_cores() ? SPIN : 0;
    t->members = carom_memory_zeroed(t->count - 1, sizeof *t->members);
    if (t->members == NULL) {
        carom_memory_free(t);
        return NULL;
    }
    pthread_mutex_init(&t->lock, NULL);
    pthread_cond_init(&t->wake, NULL);
    pthread_cond_init(&t->done, NULL);
    const size_t started = start_members(t);
    if (started + 1 < t->count) {
        end_members(t, started);
        return NULL;
    }
    return t;
}

void carom_threads_free(struct carom_threads *threads)
{
    if (threads != NULL)
        end_members(threads, threads->count - 1);
}

void carom_threads_run(struct carom_threads *threads, void (*work)(void *own, size_t block), void *own, size_t blocks)
{
    if (threads == NULL || threads->count == 1 || blocks <= 1) {
        for (size_t i = 0; i < blocks; i++)
            work(own, i);
        return;
    }
    threads->work = work;
    threads->own = own;
    threads->blocks = blocks;
    atomic_store(&threads->next, 0);
    atomic_store(&threads->busy, threads->count - 1);
    start_run(threads);
    take_blocks(threads);
    await_members(threads);
}

size_t carom_threads_count(const struct carom_threads *threads)
{
    return threads ? threads->count : 1;
}

size_t carom_threads_cores(void)
{
    cpu_set_t set; /* those this process may use, which in a container are fewer than the machine has */
    if (sched_getaffinity(0, sizeof set, &set) == 0 && CPU_COUNT(&set) > 0)
        return (size_t)CPU_COUNT(&set);
    const long online = sysconf(_SC_NPROCESSORS_ONLN);
    return online > 0 ? (size_t)online : 1;
}

/* A fixed team of threads working through numbered blocks. Blocks do not depend on the number of threads, and
 * callers add up results in block order, so the thread count never changes a bit. */
#ifndef CAROM_BASE_THREADS_H
#define CAROM_BASE_THREADS_H

#include <stddef.h>

#include "base/sum.h"

struct carom_threads;

/* A team of `count` threads, the caller among them; NULL if it cannot be had. */
struct carom_threads *carom_threads_create(size_t count);
void carom_threads_free(struct carom_threads *threads);

/* Calls work(own, i) once for every block i < blocks and returns when all are done. threads = NULL: one by one. */
void carom_threads_run(struct carom_threads *threads, void (*work)(void *own, size_t block), void *own, size_t blocks);

/* Adds up what `add` does over [first, last), for all of [0, n), in at most 64 portions of an even number each that
 * depend on n alone: the same bits for any number of threads. */
typedef void carom_threads_add(const void *own, size_t first, size_t last, struct carom_sum *sum);
struct carom_sum carom_threads_sum(struct carom_threads *threads, carom_threads_add *add, const void *own, size_t n);

/* Calls work(own, first, last) for portions that make up [0, n), each independent of the others. */
typedef void carom_threads_span(void *own, size_t first, size_t last);
void carom_threads_share(struct carom_threads *threads, carom_threads_span *work, void *own, size_t n);

/* Copies n doubles. Memory that is fresh takes longest where it is first touched. */
void carom_threads_copy(struct carom_threads *threads, double *to, const double *from, size_t n);

/* How many threads there are in a team; of NULL, 1. */
size_t carom_threads_count(const struct carom_threads *threads);

/* As many threads as wanted; 0: as many as pay for n numbers that change all at once, but no more than cores. */
size_t carom_threads_share_count(size_t wanted, size_t n);

/* How many cores there are. */
size_t carom_threads_cores(void);

#endif

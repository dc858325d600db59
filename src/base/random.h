/* Random numbers with the state in the caller's hands: the same seed gives the same numbers on every machine. For
 * models and tests, not for secrets. */
#ifndef CAROM_BASE_RANDOM_H
#define CAROM_BASE_RANDOM_H

#include <stdint.h>

struct carom_random {
    uint64_t s[4]; /* never all zero: begin with carom_random_start */
};

void carom_random_start(struct carom_random *random, uint64_t seed);

/* 64 random bits. */
uint64_t carom_random_next(struct carom_random *random);

/* Evenly in [0, 1), a multiple of 2^-53. */
double carom_random_uniform(struct carom_random *random);

/* Mean 0, standard deviation 1. */
double carom_random_normal(struct carom_random *random);

/* Evenly among 0, ..., n - 1, without bias; 0 if n = 0. */
uint64_t carom_random_below(struct carom_random *random, uint64_t n);

#endif

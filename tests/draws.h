/* Random numbers as tests draw them, and texts of random scenes, written bit by bit. */
#ifndef CAROM_TESTS_DRAWS_H
#define CAROM_TESTS_DRAWS_H

#include <math.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "base/random.h"

static inline double draw_between(struct carom_random *random, double low, double high)
{
    return low + (high - low) * carom_random_uniform(random);
}

/* evenly in its logarithm */
static inline double draw_size(struct carom_random *random, double low, double high)
{
    return low * pow(high / low, carom_random_uniform(random));
}

static inline bool draw_chance(struct carom_random *random, double part)
{
    return carom_random_uniform(random) < part;
}

enum { DRAW_TEXT = 8000 };

/* adds to a text that has room for DRAW_TEXT characters */
__attribute__((format(printf, 2, 3))) static inline void draw_add(char *text, const char *format, ...)
{
    const size_t used = strlen(text);
    va_list list;
    va_start(list, format);
    vsnprintf(text + used, DRAW_TEXT - used, format, list);
    va_end(list);
}

#endif

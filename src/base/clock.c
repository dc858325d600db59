/* Clocks of the system. */
#include "base/clock.h"

#include <time.h>

static double seconds_of(clockid_t clock)
{
    struct timespec t;
    clock_gettime(clock, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

double carom_clock_now(void)
{
    return seconds_of(CLOCK_MONOTONIC);
}

double carom_clock_busy(void)
{
    return seconds_of(CLOCK_THREAD_CPUTIME_ID);
}

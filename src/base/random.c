/* The generator xoshiro256** of Blackman and Vigna, its state filled by splitmix64, which never makes four zeros of
 * one seed. Normal numbers by the polar method. */
#include "base/random.h"

#include <math.h>

#include "base/power.h"

static uint64_t splitmix(uint64_t *counter)
{
    uint64_t z = *counter += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return z ^ (z >> 31);
}

static uint64_t rotate(uint64_t x, int by)
{
    return (x << by) | (x >> (64 - by));
}

void carom_random_start(struct carom_random *random, uint64_t seed)
{
    for (int i = 0; i < 4; i++)
        random->s[i] = splitmix(&seed);
}

uint64_t carom_random_next(struct carom_random *random)
{
    uint64_t *s = random->s;
    const uint64_t result = rotate(s[1] * 5, 7) * 9;
    const uint64_t shifted = s[1] << 17;
    s[2] ^= s[0];
    s[3] ^= s[1];
    s[1] ^= s[2];
    s[0] ^= s[3];
    s[2] ^= shifted;
    s[3] = rotate(s[3], 45);
    return result;
}

double carom_random_uniform(struct carom_random *random)
{
    return (double)(carom_random_next(random) >> 11) * 0x1p-53;
}

/* The second number of each pair is dropped: to keep it would make the state larger than four words. */
double carom_random_normal(struct carom_random *random)
{
    for (;;) {
        const double x = 2.0 * carom_random_uniform(random) - 1.0;
        const double y = 2.0 * carom_random_uniform(random) - 1.0;
        const double square = x * x + y * y;
        if (square > 0.0 && square < 1.0)
            return x * sqrt(-2.0 * carom_power_log(square) / square);
    }
}

uint64_t carom_random_below(struct carom_random *random, uint64_t n)
{
    if (n == 0)
        return 0;
    const uint64_t surplus = (UINT64_MAX % n + 1) % n; /* 2^64 mod n: that many numbers are one too many */
    uint64_t x = carom_random_next(random);
    while (x < surplus)
        x = carom_random_next(random);
    return x % n;
}

/* Roundings to float that are there on purpose stay there, whatever the compiler makes of several side by side. */
#include "base/single.h"

#include "check.h"

/* The lines that gcc 12.2 turns into copies at -O2 if the cast stands there alone. */
__attribute__((noinline)) static void two(const double *restrict from, double *restrict to)
{
    to[0] = carom_single(from[0]);
    to[1] = carom_single(from[1]);
}

__attribute__((noinline)) static void three(const double *restrict from, double *restrict to)
{
    to[0] = carom_single(from[0]);
    to[1] = carom_single(from[1]);
    to[2] = carom_single(from[2]);
}

__attribute__((noinline)) static void many(const double *restrict from, double *restrict to)
{
    for (int i = 0; i < 8; i++)
        to[i] = carom_single(from[i]);
}

int main(void)
{
    double from[8], to[3][8];
    for (int i = 0; i < 8; i++)
        from[i] = 0.1 * (double)i + 0.107;
    two(from, to[0]);
    three(from, to[1]);
    many(from, to[2]);
    for (int i = 0; i < 8; i++) {
        const int exponent = ilogb(from[i]); /* 24 bits are left */
        const double want = ldexp(rint(ldexp(from[i], 23 - exponent)), exponent - 23);
        CHECK(want != from[i]);
        CHECK(i >= 2 || to[0][i] == want);
        CHECK(i >= 3 || to[1][i] == want);
        CHECK(to[2][i] == want);
    }
    CHECK(carom_single(0.5) == 0.5 && carom_single(-0.0) == 0.0 && signbit(carom_single(-0.0)));
    return check_end();
}

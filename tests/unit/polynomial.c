/* When polynomials go below 0: products of known roots, touching and leading zeros, and a fine walk along random
 * ones. */
#include "solve/polynomial.h"

#include "check.h"

static double draw(uint64_t *seed, double low, double high)
{
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    return low + (high - low) * (double)(*seed >> 11) * 0x1p-53;
}

static double value(const double *c, double x)
{
    return c[0] + x * (c[1] + x * (c[2] + x * (c[3] + x * c[4])));
}

/* (x - a)(x - b)(x - r)(x - s), the last two a pair of complex roots or not there */
static void known(double a, double b)
{
    const double two[5] = {a * b, -(a + b), 1.0, 0.0, 0.0};
    const double four[5] = {2.0 * a * b, a * b * 2.0 - 2.0 * (a + b), 2.0 - 2.0 * (a + b) + a * b, 2.0 - (a + b), 1.0};
    CHECK_NEAR(carom_polynomial_below(two, 4, 100.0), a, 1e-12 * (1.0 + a));
    CHECK_NEAR(carom_polynomial_below(four, 4, 100.0), a, 1e-12 * (1.0 + a)); /* times x^2 + 2 x + 2 */
    CHECK(carom_polynomial_below(two, 2, 0.5 * a) == HUGE_VAL);
}

int main(void)
{
    uint64_t seed = 3;
    for (int i = 0; i < 200; i++) {
        const double a = draw(&seed, 0.01, 5.0);
        known(a, a + draw(&seed, 0.01, 5.0));
    }
    const double touches[5] = {1.0, -2.0, 1.0}, leaves[5] = {0.0, 1.0, -2.0}, rests[5] = {0.0, 0.0, 1.0},
                 falls[5] = {0.0, 0.0, -1.0}, inside[5] = {-1.0, 5.0}, never[5] = {1.0};
    CHECK(carom_polynomial_below(touches, 4, 10.0) == HUGE_VAL);
    CHECK_NEAR(carom_polynomial_below(leaves, 4, 10.0), 0.5, 1e-15);
    CHECK(carom_polynomial_below(rests, 4, 10.0) == HUGE_VAL);
    CHECK(carom_polynomial_below(falls, 4, 10.0) == 0.0);
    CHECK(carom_polynomial_below(inside, 4, 10.0) == 0.0);
    CHECK(carom_polynomial_below(never, 4, 10.0) == HUGE_VAL);
    for (int i = 0; i < 2000; i++) {
        double c[5] = {draw(&seed, 0.0, 1.0)};
        for (int k = 1; k < 5; k++)
            c[k] = draw(&seed, -1.0, 1.0) * (draw(&seed, 0.0, 1.0) < 0.3 ? 1e-6 : 1.0);
        const double found = carom_polynomial_below(c, 4, 4.0);
        double first = HUGE_VAL;
        for (double x = 0.0; x < 4.0 && first == HUGE_VAL; x += 1e-3)
            first = value(c, x) < -1e-9 ? x : HUGE_VAL;
        if (first < HUGE_VAL) /* a walk may pass a short dip, not one that was found */
            CHECK(found <= first);
        if (found < HUGE_VAL && found > 0.0)
            CHECK_NEAR(value(c, found), 0.0, 1e-13);
    }
    return check_end();
}

/* Logarithms and exponentials in numbers of two parts: a logarithm to some 66 bits, so that y log x still has the bits
 * that its exponential needs. Tables make the argument of the series small. */
#include "base/power.h"

#include <float.h>
#include <math.h>
#include <stdint.h>
#include <string.h>

#include "base/power_tables.h"
#include "base/twofold.h"

/* log 2 in two parts, the first a multiple of 2^-42; 1/64 of it likewise; what turns natural logarithms into others */
static const struct carom_twofold ln2 = {0x1.62e42fefa3800p-1, 0x1.ef35793c76730p-45};
static const struct carom_twofold sixty_fourth = {0x1.62e42fefa0000p-7, 0x1.cf79abc9e3b3ap-46};
static const struct carom_twofold to_two = {0x1.71547652b82fep+0, 0x1.777d0ffda0d24p-56};
static const struct carom_twofold to_ten = {0x1.bcb7b1526e50ep-2, 0x1.95355baaafad3p-57};
static const struct carom_twofold from_two = {0x1.62e42fefa39efp-1, 0x1.abc9e3b39803fp-56};
static const double per_64 = 0x1.71547652b82fep+6;

/* --- logarithms -------------------------------------------------------------------------------------------------- */

/* log x of a positive finite x. With x = 2^k z, z about 1, and c near 1/z: log x = k log 2 - log c + log(1 + r),
 * where r = c z - 1 is small and known exactly. */
static inline struct carom_twofold logarithm(double x)
{
    static const uint64_t one = UINT64_C(0x3ff0000000000000), fraction = UINT64_C(0x000fffffffffffff);
    uint64_t bits;
    double k = 0.0, z;
    if (x < DBL_MIN) {
        x *= 0x1p54;
        k = -54.0;
    }
    memcpy(&bits, &x, sizeof bits);
    const uint64_t below = (bits & fraction) > UINT64_C(0x6a09e667f3bcd) ? 1 : 0; /* beyond sqrt 2 */
    k += (double)((int64_t)(bits >> 52) - 1023 + (int64_t)below);
    bits = (bits & fraction) | (one - (below << 52));
    memcpy(&z, &bits, sizeof z);
    const struct carom_power_part *part = &carom_power_parts[(int)(z * 128.0 + 0.5) - 90];
    const struct carom_twofold p = carom_twofold_product(z, part->inverse), r = carom_twofold_sum(p.high - 1.0, p.low);
    const struct carom_twofold square = carom_twofold_product(r.high, r.high);
    const double u = r.high;
    const double v = square.high;
    const double tail = v * u *
                        ((1.0 / 3.0 - u * (1.0 / 4.0)) +
                         v * ((1.0 / 5.0 - u * (1.0 / 6.0)) + v * ((1.0 / 7.0 - u * (1.0 / 8.0)) + v * (1.0 / 9.0))));
    const struct carom_twofold first = carom_twofold_sum(k * ln2.high + part->high, u),
                               second = carom_twofold_sum(first.high, -0.5 * square.high);
    const double low =
        (first.low + second.low) + ((k * ln2.low + part->low) + (r.low - 0.5 * square.low - u * r.low) + tail);
    return carom_twofold_fold(second.high, low);
}

/* has x a logarithm that is a number? */
static inline int ordinary(double x)
{
    return x > 0.0 && x < HUGE_VAL;
}

double carom_power_log(double x)
{
    return ordinary(x) ? logarithm(x).high : log(x);
}

double carom_power_log2(double x)
{
    return ordinary(x) ? carom_twofold_multiply(logarithm(x), to_two).high : log2(x);
}

double carom_power_log10(double x)
{
    return ordinary(x) ? carom_twofold_multiply(logarithm(x), to_ten).high : log10(x);
}

/* --- exponentials ------------------------------------------------------------------------------------------------ */

/* exp(x) = 2^k (t + rest), t and the rest of a table and a series */
struct exponential {
    int k;
    double t, rest;
};

static inline struct exponential raise(struct carom_twofold x)
{
    static const double nearest = 0x1.8p52; /* what is added to that is rounded to a whole number */
    const double n = (x.high * per_64 + nearest) - nearest;
    const int whole = (int)n, j = whole & 63;
    const double r = (x.high - n * sixty_fourth.high) + (x.low - n * sixty_fourth.low), v = r * r;
    const double series =
        r + v * ((1.0 / 2.0 + r * (1.0 / 6.0)) + v * ((1.0 / 24.0 + r * (1.0 / 120.0)) + v * (1.0 / 720.0)));
    const double *t = carom_power_twos[j];
    return (struct exponential){(whole - j) / 64, t[0], t[1] + t[0] * series};
}

/* 2^k x, also where 2^k itself is no double */
static inline double scale(double x, int k)
{
    if (k < -1021 || k > 1022)
        return ldexp(x, k);
    const uint64_t bits = (uint64_t)(k + 1023) << 52;
    double two;
    memcpy(&two, &bits, sizeof two);
    return x * two;
}

/* beyond these every exponential is 0 or infinite */
static const double most = 720.0, least = -760.0;

static double exponential(struct carom_twofold x)
{
    if (!(x.high < most) || !(x.high > least))
        return isnan(x.high) ? x.high : x.high > 0.0 ? HUGE_VAL : 0.0;
    const struct exponential e = raise(x);
    return scale(e.t + e.rest, e.k);
}

double carom_power_exp(double x)
{
    return exponential((struct carom_twofold){x, 0.0});
}

double carom_power_exp2(double x)
{
    if (!(fabs(x) < 2000.0))
        return exp2(x);
    return exponential(carom_twofold_multiply((struct carom_twofold){x, 0.0}, from_two));
}

double carom_power_expm1(double x)
{
    if (fabs(x) < 0.17) {
        double series = 1.0 / 14.0;
        for (double n = 13.0; n > 1.0; n -= 1.0)
            series = (1.0 + x * series) / n;
        return x + x * (x * series);
    }
    if (!(x < 40.0) || !(x > -40.0))
        return x > 0.0 ? carom_power_exp(x) : isnan(x) ? x : -1.0;
    const struct exponential e = raise((struct carom_twofold){x, 0.0});
    const struct carom_twofold less = carom_twofold_sum(scale(e.t, e.k), -1.0);
    return less.high + (less.low + scale(e.rest, e.k));
}

/* --- powers ------------------------------------------------------------------------------------------------------ */

/* of 0, infinity and the like: what C says of these is exact, and so the same everywhere */
static double odd_power(double x, double y)
{
    if (!(x < 0.0) || !(x > -HUGE_VAL) || !(fabs(y) < HUGE_VAL))
        return pow(x, y);
    const double whole = rint(y);
    if (whole != y)
        return nan("");
    const double value = carom_power(-x, y), half = 0.5 * y;
    return rint(half) == half ? value : -value;
}

double carom_power(double x, double y)
{
    if (!ordinary(x) || !(fabs(y) < 0x1p70))
        return odd_power(x, y);
    const struct carom_twofold log_x = logarithm(x), p = carom_twofold_product(log_x.high, y);
    return exponential((struct carom_twofold){p.high, p.low + log_x.low * y});
}

/* --- half a step of the gamma function --------------------------------------------------------------------------- */

/* with x = 1/2 + q: f(x) = Gamma(x + 1/2) / Gamma(x) = x / (x + 1/2) f(x + 1), and for large w = x - 1/4 a series */
double carom_power_half_gamma(double q)
{
    double x = 0.5 + q, over = 1.0, under = 1.0;
    for (; x < 24.0; x += 1.0) {
        over *= x;
        under *= x + 0.5;
    }
    const double w = x - 0.25, z = 1.0 / (w * w);
    const double series =
        z * (1.0 / 64.0 +
             z * (-19.0 / 8192.0 + z * (631.0 / 524288.0 + z * (-174317.0 / 134217728.0 + z * 0x1.38ae07p-9))));
    return over / under * (sqrt(w) + sqrt(w) * series);
}

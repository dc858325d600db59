/* power.h and angle.h against quadruple precision: less than one unit in the last place everywhere, and what C says of
 * zeros, infinities and the like. Arguments are random over many scales, and near multiples of pi/2. */
#include <float.h>
#include <math.h>

#include "base/angle.h"
#include "base/power.h"
#include "check.h"
#include "quad.h"

enum { TIMES = 60000 };

static uint64_t seed = 1;

static double uniform(double low, double high)
{
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    return low + (high - low) * (double)(seed >> 11) * 0x1p-53;
}

/* a size between 2^low and 2^high, with a sign */
static double sized(double low, double high)
{
    const double size = exp2(uniform(low, high));
    return uniform(-1.0, 1.0) < 0.0 ? -size : size;
}

/* units in the last place between a value and the exact one */
static double off(double value, quad exact)
{
    const double rounded = (double)exact;
    if (isinf(rounded) || rounded == 0.0)
        return value == rounded ? 0.0 : HUGE_VAL;
    const double distance = fabs((double)((quad)value - exact));
    if (fabs(rounded) < DBL_MIN) /* below that numbers have fewer bits, and are rounded twice */
        return distance <= 0x1p-1074 ? 0.0 : HUGE_VAL;
    int e;
    frexp(rounded, &e);
    return distance / ldexp(1.0, e - 53);
}

static void one(const char *name, double (*own)(double), quad (*exact)(quad), double low, double high, double sign)
{
    double worst = 0.0, where = 0.0;
    for (int i = 0; i < TIMES; i++) {
        const double size = sized(low, high), x = sign > 0.0 ? fabs(size) : size, distance = off(own(x), exact(x));
        if (!(distance <= worst)) {
            worst = distance;
            where = x;
        }
    }
    CHECK(worst < 1.0);
    printf("%-6s sizes 2^%g to 2^%g: %.3f, at %.17g\n", name, low, high, worst, where);
}

static void two(const char *name, double (*own)(double, double), quad (*exact)(quad, quad), double low, double high,
                double second)
{
    double worst = 0.0, at[2] = {0.0, 0.0};
    for (int i = 0; i < TIMES; i++) {
        const double x = fabs(sized(low, high)), y = sized(-second, second), distance = off(own(x, y), exact(x, y));
        if (!(distance <= worst)) {
            worst = distance;
            at[0] = x;
            at[1] = y;
        }
    }
    CHECK(worst < 1.0);
    printf("%-6s sizes 2^%g to 2^%g, 2^%g to 2^%g: %.3f, at %.17g, %.17g\n", name, low, high, -second, second, worst,
           at[0], at[1]);
}

/* where a cancellation of many digits has to be borne */
static void near_quarters(void)
{
    double worst = 0.0;
    for (int i = 0; i < TIMES; i++) {
        const double n = rint(uniform(1.0, i % 2 ? 1e6 : 1e12)), x = n * (0.5 * CAROM_ANGLE_PI);
        double sine, cosine;
        carom_angle_both(x, &sine, &cosine);
        CHECK(sine == carom_angle_sin(x) && cosine == carom_angle_cos(x));
        worst = fmax(worst, fmax(off(carom_angle_sin(x), sinf128(x)), off(carom_angle_cos(x), cosf128(x))));
    }
    CHECK(worst < 1.0);
    CHECK(off(carom_angle_cos(0x1.6ac5b262ca1ffp+849), cosf128(0x1.6ac5b262ca1ffp+849)) < 1.0);
}

static void special(void)
{
    const double sizes[] = {0.0, -0.0, 1.0, -1.0, 2.0, -3.0, 0.5, HUGE_VAL, -HUGE_VAL, nan(""), 1e300, -1e-300, 5e-324};
    const size_t n = sizeof sizes / sizeof *sizes;
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++) {
            const double x = sizes[i], y = sizes[j], a = carom_power(x, y), b = pow(x, y);
            CHECK(a == b || (isnan(a) && isnan(b)) || fabs(a - b) <= DBL_EPSILON * fabs(b));
            const double c = carom_angle_atan2(x, y), d = atan2(x, y);
            CHECK(signbit(c) == signbit(d) && (fabs(c - d) <= DBL_EPSILON * fabs(d) || (isnan(c) && isnan(d))));
        }
    for (int k = -20; k <= 20; k++) {
        CHECK(carom_power_log10(pow(10.0, k)) == k);
        CHECK(k < 0 || carom_power(10.0, k) == pow(10.0, k));
        CHECK(carom_power_exp2(k) == ldexp(1.0, k) && carom_power_log2(ldexp(1.0, k)) == k);
    }
    CHECK(carom_power_exp(0.0) == 1.0 && carom_power_log(1.0) == 0.0 && carom_angle_cos(0.0) == 1.0);
    CHECK(carom_power_exp(800.0) == HUGE_VAL && carom_power_exp(-800.0) == 0.0);
    CHECK(isnan(carom_angle_sin(HUGE_VAL)) && isnan(carom_power_log(-1.0)) && isnan(carom_power_exp(nan(""))));
    CHECK(carom_power_log(0.0) == -HUGE_VAL && carom_power_expm1(-HUGE_VAL) == -1.0);
    CHECK(signbit(carom_angle_sin(-0.0)) && signbit(carom_angle_atan(-0.0)));
}

static void half_gamma(void)
{
    for (double q = 0.0; q < 60.0; q += 0.01) {
        const double exact = exp(lgamma(1.0 + q) - lgamma(0.5 + q));
        CHECK_NEAR(carom_power_half_gamma(q) / exact, 1.0, q < 3.0 ? 4e-15 : 1e-13); /* logarithms lose digits */
    }
    CHECK_NEAR(carom_power_half_gamma(0.5), 0.88622692545275801365, 1e-15);
}

int main(void)
{
    one("sin", carom_angle_sin, sinf128, -30.0, 4.0, -1.0);
    one("sin", carom_angle_sin, sinf128, 4.0, 30.0, -1.0);
    one("sin", carom_angle_sin, sinf128, 30.0, 1023.0, -1.0);
    one("cos", carom_angle_cos, cosf128, -30.0, 4.0, -1.0);
    one("cos", carom_angle_cos, cosf128, 4.0, 1023.0, -1.0);
    one("atan", carom_angle_atan, atanf128, -40.0, 40.0, -1.0);
    one("atan", carom_angle_atan, atanf128, -4.0, 3.0, -1.0);
    one("exp", carom_power_exp, expf128, -60.0, 9.4, -1.0);
    one("exp2", carom_power_exp2, exp2f128, -60.0, 9.9, -1.0);
    one("expm1", carom_power_expm1, expm1f128, -60.0, 9.4, -1.0);
    one("expm1", carom_power_expm1, expm1f128, -4.0, 1.0, -1.0);
    one("log", carom_power_log, logf128, -1070.0, 1023.0, 1.0);
    one("log", carom_power_log, logf128, -0.01, 0.01, 1.0);
    one("log2", carom_power_log2, log2f128, -1.0, 1.0, 1.0);
    one("log10", carom_power_log10, log10f128, -100.0, 100.0, 1.0);
    two("pow", carom_power, powf128, -30.0, 30.0, 5.0);
    two("pow", carom_power, powf128, -1070.0, 1023.0, 1.0);
    two("pow", carom_power, powf128, -0.1, 0.1, 12.0);
    two("atan2", carom_angle_atan2, atan2f128, -40.0, 40.0, 40.0);
    two("atan2", carom_angle_atan2, atan2f128, -2.0, 2.0, 2.0);
    near_quarters();
    special();
    half_gamma();
    return check_end();
}

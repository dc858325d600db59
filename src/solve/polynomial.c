/* Roots between the extrema: those of the derivative, found the same way, cut the axis into pieces on which the
 * polynomial is monotone, and on such a piece a change of sign is halved and improved by Newton. */
#include "solve/polynomial.h"

#include <math.h>
#include <stdbool.h>

enum { DEGREE = CAROM_POLYNOMIAL_DEGREE, TURNS = 200 };

static double value(const double *c, size_t degree, double x)
{
    double sum = c[degree];
    for (size_t i = degree; i-- > 0;)
        sum = sum * x + c[i];
    return sum;
}

static double slope(const double *c, size_t degree, double x)
{
    double sum = 0.0;
    for (size_t i = degree; i > 0; i--)
        sum = sum * x + (double)i * c[i];
    return sum;
}

/* the root between low and high, where the signs differ and nothing turns in between */
static double between(const double *c, size_t degree, double low, double high)
{
    const bool falls = value(c, degree, low) > value(c, degree, high);
    double x = 0.5 * (low + high);
    for (int i = 0; i < TURNS && low < high; i++) {
        const double y = value(c, degree, x), by = slope(c, degree, x);
        if (y == 0.0)
            return x;
        if ((y > 0.0) == falls)
            low = x;
        else
            high = x;
        double next = x - y / by;
        if (!(next > low && next < high))
            next = 0.5 * (low + high);
        if (next == x || next == low || next == high)
            return next;
        x = next;
    }
    return x;
}

/* a bound beyond which nothing turns or vanishes any more (Cauchy's) */
static double reach(const double *c, size_t degree)
{
    double most = 0.0;
    for (size_t i = 0; i < degree; i++)
        most = fmax(most, fabs(c[i] / c[degree]));
    return 1.0 + most;
}

/* all places in (0, high) where the sign changes, rising; returns how many */
static size_t changes(const double *c, size_t degree, double high, double *at)
{
    double turn[DEGREE + 1], own[DEGREE + 1], from = 0.0;
    size_t turns = 0, count = 0;
    if (degree == 0)
        return 0;
    for (size_t i = 0; i < degree; i++)
        own[i] = (double)(i + 1) * c[i + 1];
    turns = changes(own, degree - 1, high, turn);
    turn[turns++] = high;
    for (size_t i = 0; i < turns; i++) {
        const double a = value(c, degree, from), b = value(c, degree, turn[i]);
        if ((a < 0.0 && b > 0.0) || (a > 0.0 && b < 0.0))
            at[count++] = between(c, degree, from, turn[i]);
        else if (b == 0.0 && a != 0.0 && turn[i] < high) /* a root that is a turn as well: both signs are looked at */
            at[count++] = turn[i];
        from = turn[i];
    }
    return count;
}

/* c[0] >= 0 */
static double quadratic(const double *c)
{
    const double half = 0.5 * c[1], square = half * half - c[2] * c[0];
    if (half < 0.0)
        return square < 0.0 || (square == 0.0 && c[2] > 0.0) ? HUGE_VAL : c[0] / (-half + sqrt(square));
    return c[2] < 0.0 ? -(half + sqrt(square)) / c[2] : HUGE_VAL;
}

/* roots at 0 do not count: what is left of the polynomial after them says where it goes */
double carom_polynomial_below(const double *given, size_t degree, double limit)
{
    double c[DEGREE + 1], at[DEGREE + 1];
    size_t zeros = 0;
    while (degree > 0 && given[degree] == 0.0)
        degree--;
    while (zeros < degree && given[zeros] == 0.0)
        zeros++;
    degree -= zeros;
    for (size_t i = 0; i <= DEGREE; i++)
        c[i] = i <= degree ? given[i + zeros] : 0.0;
    if (c[0] < 0.0)
        return 0.0;
    double found = HUGE_VAL;
    if (degree <= 2) {
        found = quadratic(c);
    } else {
        const double high = fmin(limit, reach(c, degree));
        const size_t count = changes(c, degree, high, at);
        for (size_t i = 0; i < count && found == HUGE_VAL; i++) {
            if (value(c, degree, 0.5 * (at[i] + (i + 1 < count ? at[i + 1] : high))) < 0.0)
                found = at[i];
        }
    }
    return found < limit ? found : HUGE_VAL;
}

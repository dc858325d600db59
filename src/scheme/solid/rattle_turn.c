/* The nonlinear equations of the rotation step, Monasse and Mariotti 2012, section 5.3 and appendix A:
 *
 *     2 I_1 e_0 e_1 + 2 (I_3 - I_2) e_2 e_3 = h alpha_1 and cyclic,   |e| = 1.
 *
 * Inside the paper's bound by its fixed point (50)-(53), written for y = e / e_0, which needs neither root nor
 * quotient: y_1 = h alpha_1 / (2 I_1) (1 + |y|^2) - (I_3 - I_2) / I_1 y_2 y_3. Beyond it by Newton's method. */
#include "scheme/solid/rattle_turn.h"

#include "kernel/turn.h"

#include <math.h>

enum { NEWTON = 30 };

static double determinant(const double a[3], const double b[3], const double c[3])
{
    return a[0] * (b[1] * c[2] - b[2] * c[1]) - a[1] * (b[0] * c[2] - b[2] * c[0]) + a[2] * (b[0] * c[1] - b[1] * c[0]);
}

/* Newton's method for the vector part, e_0 following from it */
static bool newton(const double inertia[3], const double x[3], double e[4])
{
    for (int k = 0; k < 3; k++)
        e[k + 1] = 0.0;
    e[0] = 1.0;
    for (int iteration = 0; iteration < NEWTON; iteration++) {
        double rest[3], slope[3][3], change = 0.0, square = 0.0, step[3];
        for (int i = 0; i < 3; i++) {
            const int j = (i + 1) % 3, k = (i + 2) % 3;
            rest[i] = x[i] - inertia[i] * e[0] * e[i + 1] - (inertia[k] - inertia[j]) * e[j + 1] * e[k + 1];
            for (int m = 0; m < 3; m++) /* columns of the slope */
                slope[m][i] = inertia[i] * ((m == i ? e[0] : 0.0) - e[i + 1] * e[m + 1] / e[0]) +
                              (inertia[k] - inertia[j]) * (m == j   ? e[k + 1]
                                                           : m == k ? e[j + 1]
                                                                    : 0.0);
        }
        const double whole = determinant(slope[0], slope[1], slope[2]);
        step[0] = determinant(rest, slope[1], slope[2]) / whole;
        step[1] = determinant(slope[0], rest, slope[2]) / whole;
        step[2] = determinant(slope[0], slope[1], rest) / whole;
        for (int k = 0; k < 3; k++) {
            change = fmax(change, fabs(step[k]));
            square += (e[k + 1] + step[k]) * (e[k + 1] + step[k]);
        }
        const double damp = square < 0.5 ? 1.0 : 0.5 * sqrt(0.5 / square); /* stay near the identity */
        square = 0.0;
        for (int k = 0; k < 3; k++) {
            e[k + 1] += damp * step[k];
            square += e[k + 1] * e[k + 1];
        }
        if (!(square < 0.999))
            return false;
        e[0] = sqrt(1.0 - square);
        if (change < 1e-15)
            return square < 0.5;
    }
    return false;
}

static bool fixed_point(const double inertia[3], const double inverse[3], const double x[3], double e[4])
{
    double a[3], skew[3], y[3];
    for (int k = 0; k < 3; k++) {
        y[k] = a[k] = x[k] * inverse[k];
        skew[k] = (inertia[(k + 2) % 3] - inertia[(k + 1) % 3]) * inverse[k];
    }
    for (int round = 1; round <= CAROM_RATTLE_TURN_MOST; round++) {
        const double whole = 1.0 + (y[0] * y[0] + y[1] * y[1] + y[2] * y[2]);
        const double n[3] = {a[0] * whole - skew[0] * y[1] * y[2], a[1] * whole - skew[1] * y[2] * y[0],
                             a[2] * whole - skew[2] * y[0] * y[1]};
        const double change = fabs(n[0] - y[0]) + fabs(n[1] - y[1]) + fabs(n[2] - y[2]);
        for (int k = 0; k < 3; k++)
            y[k] = n[k];
        if (change <= CAROM_RATTLE_TURN_STILL)
            break;
    }
    const double square = 1.0 + (y[0] * y[0] + y[1] * y[1] + y[2] * y[2]);
    e[0] = 1.0 / sqrt(square);
    for (int k = 0; k < 3; k++)
        e[k + 1] = e[0] * y[k];
    return square < 2.0;
}

bool carom_rattle_turn_solve(const double inertia[3], const double inverse[3], const double moment[3], double e[4])
{
    const double x[3] = {0.5 * moment[0], 0.5 * moment[1], 0.5 * moment[2]};
    const double size = fabs(moment[0]) * inverse[0] + fabs(moment[1]) * inverse[1] + fabs(moment[2]) * inverse[2];
    if (size <= CAROM_TURN_BOUND)
        return fixed_point(inertia, inverse, x, e);
    return size < HUGE_VAL && newton(inertia, x, e);
}

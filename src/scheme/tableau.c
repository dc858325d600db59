/* Order conditions and stability of two-stage tableaux. */
#include "scheme/tableau.h"

#include <math.h>

struct carom_tableau carom_tableau_gauss(void)
{
    return carom_tableau_tailored(0.0);
}

struct carom_tableau carom_tableau_tailored(double c11)
{
    const double alpha = sqrt(1.5) * c11 + 2.5 * sqrt(3.0) * c11 * c11; /* (64) */
    const double sixth = sqrt(3.0) / 6.0, lean = sqrt(2.0) * c11;
    return (struct carom_tableau){
        .b1 = 0.5 + sqrt(6.0) * c11,
        .a11 = 0.25 + c11 + alpha,
        .a12 = 0.25 - sixth - alpha + lean,
        .a21 = 0.25 + sixth + alpha + lean,
        .a22 = 0.25 + c11 - alpha,
    };
}

/* The modified equation is an expansion in gamma over the time of a contact; and the tableau's coefficients grow like
 * C11^2, which moves the stages by up to gamma^3/(8 step) times the acceleration, a disaster for steps far below gamma.
 * All published uses are inside both limits. */
double carom_tableau_c11(double gamma, double step, double contact_time)
{
    const double pace = contact_time / 3.14159265358979323846; /* 1/frequency of the stiffest contact */
    const double imitated = fmin(gamma, 0.2 * contact_time);
    if (!(imitated > 0.0))
        return 0.0;
    const double ratio = pace / imitated;
    return fmin(0.5 * imitated / step, 0.075 * ratio * ratio);
}

/* the classical order, by the conditions of the rooted trees up to four nodes */
static int order_of(const struct carom_tableau *t, const struct carom_tableau_report *r)
{
    const double b2 = 1.0 - t->b1, c1 = r->c1, c2 = r->c2;
    const double d1 = t->a11 * c1 + t->a12 * c2, d2 = t->a21 * c1 + t->a22 * c2;
    const double e1 = t->a11 * d1 + t->a12 * d2, e2 = t->a21 * d1 + t->a22 * d2;
    const double s1 = t->a11 * c1 * c1 + t->a12 * c2 * c2, s2 = t->a21 * c1 * c1 + t->a22 * c2 * c2;
    const double fourth[] = {t->b1 * c1 * c1 * c1 + b2 * c2 * c2 * c2 - 0.25, t->b1 * c1 * d1 + b2 * c2 * d2 - 0.125,
                             t->b1 * s1 + b2 * s2 - 1.0 / 12.0, t->b1 * e1 + b2 * e2 - 1.0 / 24.0};
    const double small = 1e-12;
    if (fabs(r->c11) > small)
        return 1;
    if (fabs(r->c21) > small || fabs(r->c22) > small)
        return 2;
    for (int i = 0; i < 4; i++)
        if (!(fabs(fourth[i]) <= small))
            return 3;
    return 4;
}

/* No pole where Re z <= 0, and |P| <= |Q| on the imaginary axis, where |Q|^2 - |P|^2 = y^2 (e + f y^2). With p = P and
 * q = Q having a root in common this may refuse a tableau that is A-stable, never the other way round. */
static bool is_a_stable(const double p[3], const double q[3])
{
    const double small = 1e-13;
    const double e = q[1] * q[1] - 2.0 * q[2] - p[1] * p[1] + 2.0 * p[2], f = q[2] * q[2] - p[2] * p[2];
    const bool poles_right = -q[1] > small && q[2] >= -small;
    return poles_right && e >= -small && f >= -small;
}

/* |P/Q| at infinity; coefficients that are only rounding count as zero */
static double far_of(const double p[3], const double q[3])
{
    const double small = 1e-14;
    for (int i = 2; i > 0; i--) {
        if (fabs(q[i]) > small)
            return fabs(p[i] / q[i]);
        if (fabs(p[i]) > small)
            return HUGE_VAL;
    }
    return 1.0;
}

void carom_tableau_report(const struct carom_tableau *t, struct carom_tableau_report *r)
{
    const double b1 = t->b1, b2 = 1.0 - t->b1;
    r->c1 = t->a11 + t->a12;
    r->c2 = t->a21 + t->a22;
    r->c11 = b1 * r->c1 + b2 * r->c2 - 0.5;
    r->c21 = b1 * r->c1 * r->c1 + b2 * r->c2 * r->c2 - 1.0 / 3.0;
    r->c22 = 2.0 * b1 * (t->a11 * r->c1 + t->a12 * r->c2) + 2.0 * b2 * (t->a21 * r->c1 + t->a22 * r->c2) - 1.0 / 3.0;
    r->third1 = r->c22 - 2.0 * r->c11 - r->c11 * r->c11;
    r->third2 = r->c21 - r->c11 + r->c11 * r->c11;
    r->order = order_of(t, r);
    const double size = (1.0 + r->c11 * r->c11) * (1.0 + r->c11 * r->c11); /* of the terms that cancel */
    r->tailored_order = fabs(r->third1) <= 1e-12 * size && fabs(r->third2) <= 1e-12 * size ? 3 : 2;
    r->under[0] = r->over[0] = 1.0;
    r->under[1] = -(t->a11 + t->a22);
    r->under[2] = t->a11 * t->a22 - t->a12 * t->a21;
    /* det(I - z B) with B = A - 1 b^T */
    const double b11 = t->a11 - b1, b12 = t->a12 - b2, b21 = t->a21 - b1, b22 = t->a22 - b2;
    r->over[1] = -(b11 + b22);
    r->over[2] = b11 * b22 - b12 * b21;
    r->far = far_of(r->over, r->under);
    r->a_stable = is_a_stable(r->over, r->under);
}

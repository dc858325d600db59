/* One contact with Coulomb friction, u = A r + q: solved by cases, not by iterated projection. Lift-off if q_N >= 0,
 * stick if -A^-1 q is in the cone, else slip: with the normal part eliminated, r_T = -(S + alpha I)^-1 p, where S and
 * p are the Schur complements of A and q and u_T = -alpha r_T, alpha > 0. The cone is left outside at alpha = 0 and
 * inside at large alpha, so there is a root between; in the plane it is known, in space it is a scalar equation. */
#include <float.h>
#include <math.h>

#include "solve/contact/friction_parts.h"

bool carom_friction_local_project(size_t dim, double mu, double *z)
{
    const double tangent = dim == 2 ? fabs(z[1]) : sqrt(z[1] * z[1] + z[2] * z[2]);
    if (z[0] >= 0.0 && tangent <= mu * z[0]) /* without friction 0 <= mu z_N says nothing of the sign */
        return false;
    double normal = 0.0;
    if (z[0] + mu * tangent > 0.0)
        normal = (z[0] + mu * tangent) / (1.0 + mu * mu);
    const double factor = tangent > 0.0 ? mu * normal / tangent : 0.0;
    z[0] = normal;
    for (size_t k = 1; k < dim; k++)
        z[k] *= factor;
    return true;
}

/* The tangential problem in the principal axes of S: s >= 0, p and a = A_TN there; x y are the axes' directions. */
struct tangent {
    size_t count;
    double s[2], p[2], a[2], normal, push, mu; /* A_NN, -q_N */
    double cosine, sine;
};

/* r_T(alpha) in principal axes; |r_T| and mu r_N */
static double reach(const struct tangent *of, double alpha, double *r, double *bound)
{
    double square = 0.0, pull = of->push;
    for (size_t k = 0; k < of->count; k++) {
        r[k] = of->p[k] != 0.0 ? -of->p[k] / (of->s[k] + alpha) : 0.0;
        square += r[k] * r[k];
        pull -= of->a[k] * r[k];
    }
    *bound = of->mu * pull / of->normal;
    return sqrt(square);
}

/* The root of |r_T| = mu r_N: Newton's steps on 1 / (mu r_N) - 1 / |r_T|, nearly straight, kept between two sides.
 * In space only: the plane has a closed form. */
static void slip(const struct tangent *of, double *r)
{
    double size = 0.0, lean = 0.0, mean = 0.0, bound = 0.0;
    for (size_t k = 0; k < 2; k++) {
        size += of->p[k] * of->p[k];
        lean += of->a[k] * of->a[k];
        mean += 0.5 * of->s[k];
    }
    size = sqrt(size);
    lean = sqrt(lean);
    double low = 0.0, high = size * (of->normal + of->mu * lean) / (of->mu * of->push) * (1.0 + 4.0 * DBL_EPSILON);
    double alpha = size * of->normal / (of->mu * of->push) - mean;
    for (int step = 0; step < 200; step++) {
        if (!(alpha > low && alpha < high))
            alpha = low > 0.0 ? sqrt(low) * sqrt(high) : 0.5 * (low + high);
        const double length = reach(of, alpha, r, &bound);
        if (length > bound)
            low = alpha;
        else
            high = alpha;
        if (fabs(length - bound) <= 2.0 * DBL_EPSILON * length || high - low <= 2.0 * DBL_EPSILON * high)
            return;
        double slope = 0.0, fall = 0.0; /* of |r_T| and of mu r_N */
        for (size_t k = 0; k < 2; k++)
            if (of->p[k] != 0.0) {
                slope -= r[k] * r[k] / (of->s[k] + alpha);
                fall += of->a[k] * r[k] / (of->s[k] + alpha);
            }
        slope /= length;
        fall *= of->mu / of->normal;
        const double rate = -fall / (bound * bound) + slope / (length * length);
        alpha = bound > 0.0 && rate < 0.0 ? alpha - (1.0 / bound - 1.0 / length) / rate : low;
    }
}

/* S = A_TT - a a^T / A_NN, p = q_T - a q_N / A_NN; in space turned into principal axes */
static void reduce(size_t dim, const double *a, const double *q, struct tangent *of)
{
    double s[2][2] = {{0.0, 0.0}, {0.0, 0.0}}, p[2] = {0.0, 0.0}, lean[2] = {0.0, 0.0};
    for (size_t k = 1; k < dim; k++)
        lean[k - 1] = a[k * dim];
    for (size_t k = 0; k + 1 < dim; k++) {
        p[k] = q[k + 1] - lean[k] * (q[0] / of->normal);
        for (size_t l = 0; l + 1 < dim; l++)
            s[k][l] = a[(k + 1) * dim + l + 1] - lean[k] * (lean[l] / of->normal);
        if (s[k][k] <= 8.0 * DBL_EPSILON * a[(k + 1) * dim + k + 1])
            s[k][k] = 0.0;
    }
    of->cosine = 1.0;
    of->sine = 0.0;
    if (dim == 3 && s[0][1] != 0.0) {
        const double half = 0.5 * (s[1][1] - s[0][0]), beside = s[0][1];
        const double t = beside / (fabs(half) + sqrt(half * half + beside * beside)) * (half < 0.0 ? -1.0 : 1.0);
        of->cosine = 1.0 / sqrt(1.0 + t * t);
        of->sine = t * of->cosine;
        s[0][0] -= t * beside;
        s[1][1] += t * beside;
    }
    for (size_t k = 0; k < of->count; k++)
        of->s[k] = s[k][k] > 0.0 ? s[k][k] : 0.0;
    const double c = of->cosine, d = of->sine;
    of->p[0] = dim == 3 ? c * p[0] - d * p[1] : p[0];
    of->p[1] = dim == 3 ? d * p[0] + c * p[1] : 0.0;
    of->a[0] = dim == 3 ? c * lean[0] - d * lean[1] : lean[0];
    of->a[1] = dim == 3 ? d * lean[0] + c * lean[1] : 0.0;
}

/* Does the contact stick? A direction without mass in which nothing pushes needs no friction. */
static bool stick(const struct tangent *of, double *r, double *bound)
{
    for (size_t k = 0; k < of->count; k++)
        if (of->s[k] == 0.0 && of->p[k] != 0.0)
            return false;
    return reach(of, 0.0, r, bound) <= *bound;
}

void carom_friction_local_solve(size_t dim, const double *a, const double *q, double mu, double *r)
{
    for (size_t k = 0; k < dim; k++)
        r[k] = 0.0;
    if (!(q[0] < 0.0) || !(a[0] > 0.0))
        return;
    r[0] = -q[0] / a[0];
    if (mu == 0.0)
        return;
    struct tangent of = {.count = dim - 1, .normal = a[0], .push = -q[0], .mu = mu};
    reduce(dim, a, q, &of);
    double t[2] = {0.0, 0.0}, bound = 0.0;
    if (stick(&of, t, &bound)) {
        r[0] = bound / mu;
    } else if (dim == 2) {
        const double sum = (fabs(of.p[0]) * of.normal - mu * of.a[0] * of.p[0]) / (mu * of.push);
        t[0] = -of.p[0] / sum;
        r[0] = fabs(t[0]) / mu;
    } else {
        slip(&of, t);
        r[0] = sqrt(t[0] * t[0] + t[1] * t[1]) / mu;
    }
    r[1] = dim == 3 ? of.cosine * t[0] + of.sine * t[1] : t[0];
    if (dim == 3)
        r[2] = -of.sine * t[0] + of.cosine * t[1];
}

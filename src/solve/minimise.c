/* Newton's method with truncated conjugate gradients: directions of negative curvature end the inner iteration,
 * steps are halved until the energy or the slope goes down. */
#include "solve/minimise.h"
#include "base/vec.h"

#include <math.h>

static double largest(const double *a, size_t n)
{
    double most = 0.0;
    for (size_t i = 0; i < n; i++)
        if (!(fabs(a[i]) <= most))
            most = fabs(a[i]);
    return most;
}

/* solves curvature x step = -slope to the relative accuracy `share`; r is the slope at first */
static size_t inner(const struct carom_minimise *p, double share, size_t most, double *r, double *step, double *z,
                    double *along, double *bent, bool *stopped)
{
    const size_t n = p->n;
    for (size_t i = 0; i < n; i++) {
        r[i] = -r[i];
        step[i] = 0.0;
    }
    p->precondition(p->own, r, z);
    for (size_t i = 0; i < n; i++)
        along[i] = z[i];
    double rz = carom_vec_product(n, r, z);
    const double start = rz, end = share * share * rz, slope = largest(r, n);
    size_t products = 0;
    while (products < most && rz > end) {
        *stopped = p->go_on && !p->go_on(p->own, slope * sqrt(rz / start));
        if (*stopped)
            break;
        p->curve(p->own, along, bent);
        products++;
        const double curvature = carom_vec_product(n, along, bent);
        if (!(curvature > 0.0)) {
            for (size_t i = 0; products == 1 && i < n; i++)
                step[i] = along[i];
            break;
        }
        const double length = rz / curvature;
        for (size_t i = 0; i < n; i++) {
            step[i] += length * along[i];
            r[i] -= length * bent[i];
        }
        p->precondition(p->own, r, z);
        /* flexible: right for a preconditioner that is not quite linear, too */
        const double ratio = -length * carom_vec_product(n, z, bent) / rz;
        rz = carom_vec_product(n, r, z);
        for (size_t i = 0; i < n; i++)
            along[i] = z[i] + ratio * along[i];
    }
    return products;
}

/* Shortens the step until it helps, and says by how much; 0 if nothing does. */
static double search(const struct carom_minimise *p, const double *step, double before, double slope, double *g)
{
    double s = fmin(1.0, p->reach(p->own, step));
    for (int halving = 0; halving < 40; halving++, s *= 0.5) {
        p->go(p->own, step, s);
        const double energy = p->energy(p->own);
        p->slope(p->own, g);
        const double now = largest(g, p->n);
        if (!(energy < HUGE_VAL) || !(now < HUGE_VAL))
            continue;
        if (energy < before || now < slope) {
            p->keep(p->own);
            return s;
        }
    }
    p->go(p->own, step, 0.0);
    return 0.0;
}

struct carom_minimise_result carom_minimise_run(const struct carom_minimise *p, double goal, size_t most, double *work)
{
    const size_t n = p->n;
    double *g = work, *step = g + n, *z = step + n, *along = z + n, *bent = along + n;
    struct carom_minimise_result result = {0, 0, 0.0, false, false};
    p->slope(p->own, g);
    result.residual = largest(g, n);
    double gone = 1.0, enough = fmax(goal, p->noise(p->own));
    for (; result.iterations < most && !(result.residual <= enough); result.iterations++) {
        /* where steps are cut short there is more to come, and they need not be good */
        const double share = gone < 1.0 ? 0.1 : fmin(0.1, fmax(1e-6, 0.1 * enough / result.residual));
        const double before = p->energy(p->own), slope = result.residual;
        result.products += inner(p, share, 300, g, step, z, along, bent, &result.stopped);
        if (result.stopped)
            break;
        gone = search(p, step, before, slope, g);
        if (!(gone > 0.0))
            break;
        result.residual = largest(g, n);
        enough = fmax(goal, p->noise(p->own));
        if (!(result.residual < HUGE_VAL))
            break;
    }
    result.converged = result.residual <= enough;
    return result;
}

/* Conjugate gradients meet a direction in which the energy falls, if there is one, before they know what answers to the
 * slope. It is judged by what the preconditioner takes for its curvature, of which it has not a positive share. */
bool carom_minimise_wavers(const struct carom_minimise *p, double *work)
{
    const size_t n = p->n;
    double *r = work, *z = r + n, *along = z + n, *bent = along + n;
    p->precondition(p->own, r, z);
    for (size_t i = 0; i < n; i++)
        along[i] = z[i];
    double rz = carom_vec_product(n, r, z), size = rz; /* of `along`, in the preconditioner's eyes */
    const double enough = 1e-6 * rz;
    for (int k = 0; k < 100 && rz > enough && (!p->go_on || p->go_on(p->own, 0.0)); k++) {
        p->curve(p->own, along, bent);
        const double curvature = carom_vec_product(n, along, bent);
        if (!(curvature > 1e-9 * size))
            return curvature < -1e-5 * size; /* beyond what differences leave in doubt */
        for (size_t i = 0; i < n; i++)
            r[i] -= rz / curvature * bent[i];
        p->precondition(p->own, r, z);
        const double ratio = -carom_vec_product(n, z, bent) / curvature;
        rz = carom_vec_product(n, r, z);
        size = rz + ratio * ratio * size;
        for (size_t i = 0; i < n; i++)
            along[i] = z[i] + ratio * along[i];
    }
    return false;
}

/* Part `beads`: bodies on a line with constant masses and, for Newton's cradle, local springs.
 * q are displacements; port i is the displacement of bead i. */
#include <string.h>

#include "base/memory.h"
#include "base/sum.h"
#include "carom/model.h"

static void release(void *own)
{
    struct carom_beads *beads = own;
    if (!beads)
        return;
    carom_memory_free(beads->mass);
    carom_memory_free(beads->inverse_mass);
    carom_memory_free(beads->radius);
    carom_memory_free(beads->spring);
    carom_memory_free(beads);
}

static double *copy(const double *from, size_t n)
{
    double *to = carom_memory_zeroed(n, sizeof *to);
    if (to)
        memcpy(to, from, n * sizeof *to);
    return to;
}

struct carom_beads *carom_beads_create(size_t n, const double *mass, const double *radius, const double *spring,
                                       struct carom_error *error)
{
    for (size_t i = 0; i < n; i++)
        if (!(mass[i] > 0.0) || !(mass[i] < HUGE_VAL)) {
            carom_error_set(error, CAROM_E_INPUT, "mass of body %zu: must be positive, got %g", i + 1, mass[i]);
            return NULL;
        }
    if (n == 0 || n > INT32_MAX) {
        carom_error_set(error, CAROM_E_INPUT, "a row of beads has 1 to %d bodies, not %zu", INT32_MAX, n);
        return NULL;
    }
    struct carom_beads *beads = carom_memory_zeroed(1, sizeof *beads);
    if (beads) {
        beads->n = n;
        beads->mass = copy(mass, n);
        beads->inverse_mass = carom_memory_zeroed(n, sizeof(double));
        beads->radius = radius ? copy(radius, n) : NULL;
        beads->spring = spring ? copy(spring, n) : NULL;
    }
    if (!beads || !beads->mass || !beads->inverse_mass || (radius && !beads->radius) || (spring && !beads->spring)) {
        release(beads);
        carom_error_set(error, CAROM_E_MEMORY, "out of memory for %zu beads", n);
        return NULL;
    }
    for (size_t i = 0; i < n; i++)
        beads->inverse_mass[i] = 1.0 / mass[i];
    return beads;
}

static void sizes(const void *own, size_t *nq, size_t *nv, size_t *nports)
{
    const struct carom_beads *beads = own;
    *nq = *nv = *nports = beads->n;
}

static void force(const void *own, double t, const double *q, const double *v, double *f)
{
    const struct carom_beads *beads = own;
    (void)t;
    (void)v;
    for (size_t i = 0; i < beads->n; i++)
        f[i] = beads->spring ? -beads->spring[i] * q[i] : 0.0;
}

static void mass_apply(const void *own, const double *q, const double *v, double *p)
{
    const struct carom_beads *beads = own;
    (void)q;
    for (size_t i = 0; i < beads->n; i++)
        p[i] = beads->mass[i] * v[i];
}

static void mass_solve(const void *own, const double *q, const double *p, double *v)
{
    const struct carom_beads *beads = own;
    (void)q;
    for (size_t i = 0; i < beads->n; i++)
        v[i] = beads->inverse_mass[i] * p[i];
}

/* a long chain holds energies of very different size: the sums are compensated */
static void energy(const void *own, double t, const double *q, const double *v, double *kinetic, double *stored)
{
    const struct carom_beads *beads = own;
    (void)t;
    struct carom_sum motion = {0.0, 0.0}, springs = {0.0, 0.0};
    for (size_t i = 0; i < beads->n; i++)
        carom_sum_add(&motion, 0.5 * beads->mass[i] * v[i] * v[i]);
    for (size_t i = 0; beads->spring && i < beads->n; i++)
        carom_sum_add(&springs, 0.5 * beads->spring[i] * q[i] * q[i]);
    *kinetic = carom_sum_value(&motion);
    *stored = carom_sum_value(&springs);
}

static void port(const void *own, size_t i, double t, const double *q, struct carom_port *out)
{
    (void)own;
    (void)t;
    out->value = q[i];
    out->drift = 0.0;
    out->first = i;
    out->count = 1;
    out->slope[0] = 1.0;
}

const struct carom_part carom_part_beads = {
    .kind = {"beads", "bodies on a line: chains, columns, cradles", NULL, sizeof(struct carom_beads)},
    .offers = CAROM_DIAGONAL_MASS | CAROM_CONSTANT_MASS | CAROM_FLAT | CAROM_POTENTIAL,
    .sizes = sizes,
    .force = force,
    .mass_apply = mass_apply,
    .mass_solve = mass_solve,
    .energy = energy,
    .port = port,
    .release = release,
};

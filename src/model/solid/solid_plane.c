/* Plane bodies (strain, stress) as a part of a model. A cell has ux, uy and its half-angle (a, d); v are velocity and
 * angular velocity. Forces and energy are solid.c's. */
#include <string.h>

#include "base/sum.h"
#include "model/solid/solid_rates.h"

static void release(void *own)
{
    carom_solid_free(own);
}

static void sizes(const void *own, size_t *nq, size_t *nv, size_t *nports)
{
    const struct carom_solid *s = own;
    *nq = 4 * s->n;
    *nv = 3 * s->n;
    *nports = 2 * s->n;
}

static double inertia(const struct carom_solid *s, size_t i)
{
    const struct carom_solid_sort *sort = carom_solid_sort_of(s, i / 3);
    return i % 3 < 2 ? sort->mass : sort->inertia[2];
}

static void force(const void *own, double t, const double *q, const double *v, double *scratch, double *f)
{
    const struct carom_solid *s = own;
    const struct carom_solid_desk d = carom_solid_desk(s, scratch);
    carom_solid_forces(s, &d.work, NULL, t, q, f);
    for (size_t i = 0; s->damping_mass != 0.0 && i < 3 * s->n; i++)
        f[i] -= s->damping_mass * inertia(s, i) * v[i];
    if (s->damping_stiffness != 0.0 && s->rates) {
        carom_solid_rates_freeze(s->rates, &d.frozen, NULL, q);
        carom_solid_rates_drag(s->rates, &d.frozen, NULL, v, d.drag);
        for (size_t i = 0; i < 3 * s->n; i++)
            f[i] += s->damping_stiffness * d.drag[i];
    }
    for (size_t i = 0; s->held && i < s->n; i++)
        for (unsigned k = 0; k < 3; k++)
            if ((unsigned)s->held[i] >> (k < 2 ? k : 5U) & 1U)
                f[3 * i + k] = 0.0;
}

static void mass_apply(const void *own, const double *q, const double *v, double *p)
{
    const struct carom_solid *s = own;
    (void)q;
    for (size_t i = 0; i < 3 * s->n; i++)
        p[i] = inertia(s, i) * v[i];
}

static void mass_solve(const void *own, const double *q, const double *p, double *v)
{
    const struct carom_solid *s = own;
    (void)q;
    for (size_t i = 0; i < 3 * s->n; i++)
        v[i] = p[i] / inertia(s, i);
}

static double kinetic_energy(const struct carom_solid *s, const double *v)
{
    struct carom_sum motion = {0.0, 0.0};
    for (size_t i = 0; i < 3 * s->n; i++)
        carom_sum_add(&motion, 0.5 * inertia(s, i) * v[i] * v[i]);
    return carom_sum_value(&motion);
}

static void energy(const void *own, double t, const double *q, const double *v, double *scratch, double *kinetic,
                   double *stored)
{
    const struct carom_solid *s = own;
    const struct carom_solid_work work = carom_solid_forces_work(s, false, scratch);
    *kinetic = kinetic_energy(s, v);
    *stored = carom_solid_forces_energy(s, &work, t, q);
}

/* port 2 i + k: displacement of cell i along axis k */
static void port(const void *own, size_t i, double t, const double *q, struct carom_port *out)
{
    (void)own;
    (void)t;
    out->value = q[4 * (i / 2) + i % 2];
    out->drift = 0.0;
    out->first = 3 * (i / 2) + i % 2;
    out->count = 1;
    out->slope[0] = 1.0;
}

static void flow(const void *own, const double *q, const double *v, double *rate)
{
    const struct carom_solid *s = own;
    for (size_t i = 0; i < s->n; i++) {
        const double half = 0.5 * v[3 * i + 2];
        rate[4 * i] = v[3 * i];
        rate[4 * i + 1] = v[3 * i + 1];
        rate[4 * i + 2] = -half * q[4 * i + 3];
        rate[4 * i + 3] = half * q[4 * i + 2];
    }
}

static void move(const void *own, const double *q, const double *step, double *moved)
{
    const struct carom_solid *s = own;
    for (size_t i = 0; i < s->n; i++) {
        const double half = 0.5 * step[3 * i + 2], c = cos(half), d = sin(half);
        const double x = q[4 * i + 2] * c - q[4 * i + 3] * d, y = q[4 * i + 3] * c + q[4 * i + 2] * d;
        const double size = sqrt(x * x + y * y);
        moved[4 * i] = q[4 * i] + step[3 * i];
        moved[4 * i + 1] = q[4 * i + 1] + step[3 * i + 1];
        moved[4 * i + 2] = x / size;
        moved[4 * i + 3] = y / size;
    }
}

static void power(const void *own, double t, const double *q, const double *v, double *scratch, double *dissipated,
                  double *work)
{
    const struct carom_solid *s = own;
    const struct carom_solid_desk d = carom_solid_desk(s, scratch);
    *dissipated = *work = 0.0;
    if (!s->rates)
        return;
    carom_solid_rates_freeze(s->rates, &d.frozen, NULL, q);
    *dissipated = s->damping_stiffness * carom_solid_rates_drag(s->rates, &d.frozen, NULL, v, d.drag);
    *dissipated += 2.0 * s->damping_mass * kinetic_energy(s, v);
    carom_solid_loads_follow(s, t, d.frozen.sum);
    *work = carom_solid_loads_power(s, t, q, v, d.frozen.sum);
}

static double jump(const void *own, double t, const double *q, double *scratch)
{
    const struct carom_solid_work work = carom_solid_forces_work(own, false, scratch);
    return carom_solid_loads_jump(own, &work, t, q);
}

const struct carom_part carom_part_solid_plane = {
    .kind = {"solid-plane", "an elastic body of rigid cells in plane strain or plane stress", NULL,
             sizeof(struct carom_solid)},
    .offers = CAROM_DIAGONAL_MASS | CAROM_CONSTANT_MASS,
    .sizes = sizes,
    .scratch = carom_solid_scratch,
    .force = force,
    .mass_apply = mass_apply,
    .mass_solve = mass_solve,
    .energy = energy,
    .port = port,
    .flow = flow,
    .move = move,
    .power = power,
    .signal = carom_solid_loads_signal,
    .jump = jump,
    .describe = carom_solid_describe,
    .release = release,
};

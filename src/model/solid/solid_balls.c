/* Part `balls`: what strikes a solid. Free flight but for contacts (solid_strike.c); no weight, no loads. */
#include "model/solid/solid_balls.h"

#include <string.h>

#include "base/memory.h"
#include "base/sum.h"

struct carom_solid_balls *carom_solid_balls_create(size_t n, int dimension)
{
    struct carom_solid_balls *b = carom_memory_zeroed(1, sizeof *b);
    if (!b)
        return NULL;
    b->n = n;
    b->dimension = dimension;
    b->at = carom_memory_zeroed(n, sizeof *b->at);
    b->mass = carom_memory_zeroed(n, sizeof *b->mass);
    b->radius = carom_memory_zeroed(n, sizeof *b->radius);
    if (b->at && b->mass && b->radius)
        return b;
    carom_solid_balls_free(b);
    return NULL;
}

void carom_solid_balls_free(struct carom_solid_balls *b)
{
    if (!b)
        return;
    carom_memory_free(b->at);
    carom_memory_free(b->mass);
    carom_memory_free(b->radius);
    carom_memory_free(b);
}

const struct carom_solid_balls *carom_solid_balls_at(const struct carom_model *model, size_t member)
{
    const bool balls = member < model->nparts && model->member[member].part == &carom_part_solid_balls;
    return balls ? model->member[member].own : NULL;
}

const struct carom_solid_balls *carom_solid_balls_of(const struct carom_model *model, size_t *member)
{
    size_t i = 0;
    while (i < model->nparts && !carom_solid_balls_at(model, i))
        i++;
    if (member && i < model->nparts)
        *member = i;
    return carom_solid_balls_at(model, i);
}

void carom_solid_balls_place(const struct carom_solid_balls *b, size_t i, const double *q, double out[3])
{
    for (int k = 0; k < 3; k++)
        out[k] = b->at[i][k] + (k < b->dimension ? q[(size_t)b->dimension * i + (size_t)k] : 0.0);
}

double carom_solid_balls_speed(const struct carom_solid_balls *b, const double *v)
{
    double most = 0.0;
    for (size_t i = 0; i < b->n; i++) {
        double square = 0.0;
        for (size_t k = 0; k < (size_t)b->dimension; k++)
            square += v[(size_t)b->dimension * i + k] * v[(size_t)b->dimension * i + k];
        most = fmax(most, sqrt(square));
    }
    return most;
}

static void sizes(const void *own, size_t *nq, size_t *nv, size_t *nports)
{
    const struct carom_solid_balls *b = own;
    *nq = *nv = b->n * (size_t)b->dimension;
    *nports = 0;
}

static void force(const void *own, double t, const double *q, const double *v, double *scratch, double *f)
{
    const struct carom_solid_balls *b = own;
    (void)t;
    (void)q;
    (void)v;
    (void)scratch;
    memset(f, 0, b->n * (size_t)b->dimension * sizeof *f);
}

static void mass_apply(const void *own, const double *q, const double *v, double *p)
{
    const struct carom_solid_balls *b = own;
    (void)q;
    for (size_t i = 0; i < b->n * (size_t)b->dimension; i++)
        p[i] = b->mass[i / (size_t)b->dimension] * v[i];
}

static void mass_solve(const void *own, const double *q, const double *p, double *v)
{
    const struct carom_solid_balls *b = own;
    (void)q;
    for (size_t i = 0; i < b->n * (size_t)b->dimension; i++)
        v[i] = p[i] / b->mass[i / (size_t)b->dimension];
}

static void energy(const void *own, double t, const double *q, const double *v, double *scratch, double *kinetic,
                   double *stored)
{
    const struct carom_solid_balls *b = own;
    struct carom_sum motion = {0.0, 0.0};
    (void)t;
    (void)q;
    (void)scratch;
    for (size_t i = 0; i < b->n * (size_t)b->dimension; i++)
        carom_sum_add(&motion, 0.5 * b->mass[i / (size_t)b->dimension] * v[i] * v[i]);
    *kinetic = carom_sum_value(&motion);
    *stored = 0.0;
}

static void describe(const void *own, struct carom_particles *out)
{
    const struct carom_solid_balls *b = own;
    *out = (struct carom_particles){.dimension = b->dimension, .n = b->n, .mass = b->mass, .radius = b->radius};
}

static void release(void *own)
{
    carom_solid_balls_free(own);
}

const struct carom_part carom_part_solid_balls = {
    .kind = {"balls", "spheres in space or discs in the plane that strike a solid", NULL, 0},
    .offers = CAROM_DIAGONAL_MASS | CAROM_CONSTANT_MASS | CAROM_FLAT | CAROM_POTENTIAL,
    .sizes = sizes,
    .force = force,
    .mass_apply = mass_apply,
    .mass_solve = mass_solve,
    .energy = energy,
    .describe = describe,
    .release = release,
};

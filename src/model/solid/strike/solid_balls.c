/* Part `balls`: what strikes a solid. Free flight under gravity but for contacts (solid_strike.c); no loads. */
#include "model/solid/strike/solid_balls.h"

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
    carom_memory_free_all(b->at, b->mass, b->radius, b->inertia, b->joint, b);
}

bool carom_solid_balls_turn(struct carom_solid_balls *b, size_t ncontacts)
{
    b->ncontacts = ncontacts;
    b->inertia = carom_memory_zeroed(b->n, sizeof *b->inertia);
    for (size_t i = 0; b->inertia && i < b->n; i++)
        b->inertia[i] = (b->dimension == 3 ? 0.4 : 0.5) * b->mass[i] * b->radius[i] * b->radius[i];
    return b->inertia != NULL;
}

size_t carom_solid_balls_moves(const struct carom_solid_balls *b)
{
    return b->n * (size_t)b->dimension;
}

size_t carom_solid_balls_axes(const struct carom_solid_balls *b)
{
    return b->dimension == 3 ? 3 : 1;
}

void carom_solid_balls_spin(const struct carom_solid_balls *b, size_t i, const double *v, double out[3])
{
    const size_t axes = carom_solid_balls_axes(b);
    out[0] = out[1] = out[2] = 0.0;
    for (size_t k = 0; b->inertia && k < axes; k++)
        out[3 - axes + k] = v[carom_solid_balls_moves(b) + axes * i + k];
}

struct carom_solid_balls_bond *carom_solid_balls_bonds(const struct carom_solid_balls *b, double *q)
{
    return b->inertia ? (struct carom_solid_balls_bond *)(q + carom_solid_balls_moves(b)) : NULL;
}

double carom_solid_balls_change(const struct carom_solid_balls *b, const double *q)
{
    return b->inertia ? q[carom_solid_balls_moves(b) + 4 * b->ncontacts] : 0.0;
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

size_t carom_solid_balls_held(const struct carom_solid_balls *b)
{
    size_t n = 0;
    for (size_t j = 0; j < b->njoints; j++)
        n += b->joint[j].slides ? (size_t)b->dimension - 1 : 1;
    return n;
}

void carom_solid_balls_rows(const struct carom_solid_balls *b, const double *q, struct carom_solid_joint_row *row)
{
    for (size_t j = 0; j < b->njoints; j++) {
        const struct carom_solid_joint *joint = &b->joint[j];
        double place[3], other[3];
        carom_solid_balls_place(b, joint->ball[0], q, place);
        memcpy(other, joint->to, sizeof other);
        if (joint->ball[1] != CAROM_SOLID_WORLD)
            carom_solid_balls_place(b, joint->ball[1], q, other);
        for (int k = 0; k < 3; k++)
            place[k] -= other[k];
        for (int i = 0; i < (joint->slides ? b->dimension - 1 : 1); i++, row++) {
            *row = (struct carom_solid_joint_row){.ball = {joint->ball[0], joint->ball[1]}};
            /* of a rod (apart^2 - length^2) / (2 length): as smooth as can be */
            for (int k = 0; k < 3; k++) {
                row->along[k] = joint->slides ? joint->across[i][k] : place[k] / joint->length;
                row->gap += (joint->slides ? 1.0 : 0.5) * row->along[k] * place[k];
            }
            row->gap -= joint->slides ? 0.0 : 0.5 * joint->length;
        }
    }
}

double carom_solid_balls_row_rate(const struct carom_solid_balls *b, const struct carom_solid_joint_row *row,
                                  const double *v)
{
    const size_t d = (size_t)b->dimension;
    double rate = 0.0;
    for (int side = 0; side < 2; side++)
        for (size_t k = 0; k < d && row->ball[side] != CAROM_SOLID_WORLD; k++)
            rate += (side == 0 ? 1.0 : -1.0) * row->along[k] * v[d * row->ball[side] + k];
    return rate;
}

void carom_solid_balls_weigh(const struct carom_solid_balls *b, double *f)
{
    const size_t d = (size_t)b->dimension;
    for (size_t i = 0; i < carom_solid_balls_moves(b); i++)
        f[i] = b->mass[i / d] * b->gravity[i % d];
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
    *nq = carom_solid_balls_moves(b) + (b->inertia ? 4 * b->ncontacts + 1 : 0);
    *nv = carom_solid_balls_moves(b) + (b->inertia ? b->n * carom_solid_balls_axes(b) : 0);
    *nports = 0;
}

static void force(const void *own, double t, const double *q, const double *v, double *scratch, double *f)
{
    (void)t;
    (void)q;
    (void)v;
    (void)scratch;
    size_t nq, nv, nports;
    sizes(own, &nq, &nv, &nports);
    memset(f, 0, nv * sizeof *f);
    carom_solid_balls_weigh(own, f);
}

/* of number i of v */
static double inertia_of(const struct carom_solid_balls *b, size_t i)
{
    const size_t moves = carom_solid_balls_moves(b);
    return i < moves ? b->mass[i / (size_t)b->dimension] : b->inertia[(i - moves) / carom_solid_balls_axes(b)];
}

static void mass_apply(const void *own, const double *q, const double *v, double *p)
{
    const struct carom_solid_balls *b = own;
    size_t nq, nv, nports;
    (void)q;
    sizes(own, &nq, &nv, &nports);
    for (size_t i = 0; i < nv; i++)
        p[i] = inertia_of(b, i) * v[i];
}

static void mass_solve(const void *own, const double *q, const double *p, double *v)
{
    const struct carom_solid_balls *b = own;
    size_t nq, nv, nports;
    (void)q;
    sizes(own, &nq, &nv, &nports);
    for (size_t i = 0; i < nv; i++)
        v[i] = p[i] / inertia_of(b, i);
}

static void energy(const void *own, double t, const double *q, const double *v, double *scratch, double *kinetic,
                   double *stored)
{
    const struct carom_solid_balls *b = own;
    const size_t d = (size_t)b->dimension;
    struct carom_sum motion = {0.0, 0.0}, height = {0.0, 0.0};
    (void)t;
    (void)scratch;
    size_t nq, nv, nports;
    sizes(own, &nq, &nv, &nports);
    for (size_t i = 0; i < nv; i++)
        carom_sum_add(&motion, 0.5 * inertia_of(b, i) * v[i] * v[i]);
    for (size_t i = 0; i < carom_solid_balls_moves(b); i++)
        if (b->gravity[i % d] != 0.0)
            carom_sum_add(&height, -b->mass[i / d] * b->gravity[i % d] * q[i]);
    *kinetic = carom_sum_value(&motion);
    *stored = carom_sum_value(&height);
}

/* bonds do not flow: steps set them */
static void flow(const void *own, const double *q, const double *v, double *rate)
{
    const struct carom_solid_balls *b = own;
    size_t nq, nv, nports;
    (void)q;
    sizes(own, &nq, &nv, &nports);
    for (size_t i = 0; i < nq; i++)
        rate[i] = i < carom_solid_balls_moves(b) ? v[i] : 0.0;
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
    .offers = CAROM_DIAGONAL_MASS | CAROM_CONSTANT_MASS | CAROM_POTENTIAL,
    .sizes = sizes,
    .force = force,
    .mass_apply = mass_apply,
    .mass_solve = mass_solve,
    .energy = energy,
    .flow = flow,
    .describe = describe,
    .release = release,
};

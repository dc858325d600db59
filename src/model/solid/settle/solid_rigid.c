/* Rigid motions that nothing holds. A static problem does not say where a free body stands, and a solver that moves it
 * about finds loads that no longer balance, or that turn it round: so these motions are taken out. Turning inertia is
 * counted as that of a ball, which is as good a measure as any here and needs no axes. */
#include "model/solid/settle/solid_rigid.h"

#include <string.h>

#include "solve/dense.h"

/* from the middle of the body to cell i */
static void arm_of(const struct carom_solid_rigid *r, size_t i, double arm[3])
{
    const struct carom_solid *s = r->solid;
    for (int k = 0; k < 3; k++)
        arm[k] = s->centre[i][k] + (k < s->dimension ? r->q[s->wide * i + (size_t)k] : 0.0) - r->middle[k];
}

/* how a cell at `arm` moves and turns when the body does so by `motion` */
static void carry(const double motion[6], const double arm[3], double out[6])
{
    double sweep[3];
    carom_vec_cross(motion + 3, arm, sweep);
    for (int k = 0; k < 3; k++) {
        out[k] = motion[k] + sweep[k];
        out[3 + k] = motion[3 + k];
    }
}

/* six numbers of a cell in space; plane ones have zeros among them */
static void lift(const struct carom_solid *s, const double *x, size_t i, double out[6])
{
    memset(out, 0, 6 * sizeof *out);
    memcpy(out, x + s->fast * i, (size_t)s->dimension * sizeof *out);
    if (s->dimension == 3)
        memcpy(out + 3, x + 6 * i + 3, 3 * sizeof *out);
    else
        out[5] = x[3 * i + 2];
}

static void find_middle(struct carom_solid_rigid *r)
{
    const struct carom_solid *s = r->solid;
    double mass = 0.0;
    for (size_t i = 0; i < s->n; i++) {
        const double m = carom_solid_sort_of(s, i)->mass;
        mass += m;
        for (int k = 0; k < s->dimension; k++)
            r->middle[k] += m * (s->centre[i][k] + r->q[s->wide * i + (size_t)k]);
    }
    for (int k = 0; k < 3; k++)
        r->middle[k] /= mass;
}

void carom_solid_rigid_find(struct carom_solid_rigid *r, const struct carom_solid *s, const double *q)
{
    const unsigned flat = s->dimension == 2 ? 28U : 0U; /* a plane body does not leave its plane */
    double a[6][6] = {{0.0}}, heavy[6][6] = {{0.0}};
    *r = (struct carom_solid_rigid){.solid = s, .q = q};
    find_middle(r);
    for (size_t i = 0; i < s->n; i++) {
        const struct carom_solid_sort *sort = carom_solid_sort_of(s, i);
        const unsigned mask = flat | (s->held ? s->held[i] : 0U);
        double arm[3], cell[6][6];
        arm_of(r, i, arm);
        for (int k = 0; k < 6; k++) {
            const double motion[6] = {k == 0, k == 1, k == 2, k == 3, k == 4, k == 5};
            carry(motion, arm, cell[k]);
            for (int j = 0; j <= k; j++)
                for (int c = 0; c < 6; c++) {
                    const double part = (c < 3 ? sort->mass : sort->inertia[2]) * cell[k][c] * cell[j][c];
                    a[k][j] += part;
                    heavy[k][j] += mask >> c & 1U ? part : 0.0;
                }
        }
    }
    /* what is held weighs so much that it does not move */
    for (int k = 0; k < 6; k++) {
        double line[6][6];
        size_t order[6];
        for (int i = 0; i < 6; i++)
            for (int j = 0; j < 6; j++) {
                const int high = i > j ? i : j, low = i > j ? j : i;
                line[i][j] = a[high][low] + 1e12 * heavy[high][low];
            }
        r->weight[k][k] = 1.0;
        carom_dense_solve(6, &line[0][0], r->weight[k], order, 0.0);
        r->free[k] = r->weight[k][k] * a[k][k] > 1e-6;
        r->some |= r->free[k];
    }
}

/* the momenta of x, a motion or impulses */
static void add_up(const struct carom_solid_rigid *r, const double *x, bool motion, double sum[6])
{
    const struct carom_solid *s = r->solid;
    double cell[6], arm[3], moment[3];
    memset(sum, 0, 6 * sizeof *sum);
    for (size_t i = 0; i < s->n; i++) {
        const struct carom_solid_sort *sort = carom_solid_sort_of(s, i);
        lift(s, x, i, cell);
        arm_of(r, i, arm);
        for (int k = 0; motion && k < 6; k++)
            cell[k] *= k < 3 ? sort->mass : sort->inertia[2];
        carom_vec_cross(arm, cell, moment);
        for (int k = 0; k < 3; k++) {
            sum[k] += cell[k];
            sum[3 + k] += moment[k] + cell[3 + k];
        }
    }
}

/* adds `times` a motion of the whole to x, as a motion or as its impulses; the largest number that it added */
static double add_whole(const struct carom_solid_rigid *r, double times, const double whole[6], bool motion, double *x)
{
    const struct carom_solid *s = r->solid;
    const size_t turn = (size_t)s->dimension;
    double cell[6], arm[3], most = 0.0;
    for (size_t i = 0; i < s->n; i++) {
        const struct carom_solid_sort *sort = carom_solid_sort_of(s, i);
        const unsigned mask = s->held ? s->held[i] : 0U;
        arm_of(r, i, arm);
        carry(whole, arm, cell);
        for (size_t k = 0; k < s->fast; k++) {
            const size_t c = k < turn || s->dimension == 3 ? k : 5;
            const double part = cell[c] * (motion ? 1.0 : k < turn ? sort->mass : sort->inertia[2]);
            if (mask >> c & 1U)
                continue;
            x[s->fast * i + k] += times * part;
            most = fmax(most, fabs(part));
        }
    }
    return most;
}

/* takes the motion out whose momenta x has, as a motion or as impulses; the largest number that went */
static double take_out(const struct carom_solid_rigid *r, double *x, bool motion)
{
    double sum[6], share[6] = {0.0};
    if (!r->some)
        return 0.0;
    add_up(r, x, motion, sum);
    for (int k = 0; k < 6; k++)
        for (int j = 0; j < 6; j++)
            share[k] += r->weight[k][j] * sum[j];
    return add_whole(r, -1.0, share, motion, x);
}

double carom_solid_rigid_balance(const struct carom_solid_rigid *r, double *f)
{
    return take_out(r, f, false);
}

void carom_solid_rigid_still(const struct carom_solid_rigid *r, double *z)
{
    take_out(r, z, true);
}

/* what goes with a turn about axis k: where the body is held, it does not turn about its middle */
static bool turn_of(const struct carom_solid_rigid *r, size_t k, double whole[6])
{
    for (int c = 0; c < 6; c++)
        whole[c] = r->weight[c][3 + k] / r->weight[3 + k][3 + k];
    return r->free[3 + k];
}

void carom_solid_rigid_torque(const struct carom_solid_rigid *r, const double *f, double torque[3])
{
    double sum[6], whole[6];
    add_up(r, f, false, sum);
    for (size_t k = 0; k < 3; k++)
        torque[k] = turn_of(r, k, whole) ? carom_vec_product(6, sum, whole) : 0.0;
}

void carom_solid_rigid_turn(const struct carom_solid_rigid *r, const double angle[3], double *z)
{
    double whole[6];
    memset(z, 0, r->solid->fast * r->solid->n * sizeof *z);
    for (size_t k = 0; k < 3; k++)
        if (turn_of(r, k, whole))
            add_whole(r, angle[k], whole, true, z);
}

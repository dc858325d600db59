/* Rigid motions that are taken out of a solid that nothing holds: of forces the sum and the moment are 0 then, of
 * motions the momenta; what has none is left as it is, and a body that is held keeps all of it. */
#include "model/solid/settle/solid_rigid.h"
#include "base/memory.h"
#include "base/random.h"
#include "base/vec.h"
#include "carom/carom.h"
#include "check.h"
#include "solids.h"

/* sum and moment about the origin of numbers as forces, or of motions as momenta */
static void sums(const struct carom_solid *s, const double *q, const double *x, bool motion, double p[3], double l[3])
{
    memset(p, 0, 3 * sizeof *p);
    memset(l, 0, 3 * sizeof *l);
    for (size_t i = 0; i < s->n; i++) {
        const struct carom_solid_sort *sort = carom_solid_sort_of(s, i);
        const double *own = x + s->fast * i, m = motion ? sort->mass : 1.0, turns = motion ? sort->inertia[2] : 1.0;
        double at[3] = {0.0, 0.0, 0.0}, push[3] = {0.0, 0.0, 0.0}, moment[3];
        for (int k = 0; k < s->dimension; k++) {
            at[k] = s->centre[i][k] + q[s->wide * i + (size_t)k];
            push[k] = m * own[k];
        }
        carom_vec_cross(at, push, moment);
        for (int k = 0; k < 3; k++) {
            p[k] += push[k];
            l[k] += moment[k] + (s->dimension == 3 ? turns * own[3 + k] : k == 2 ? turns * own[2] : 0.0);
        }
    }
}

static void check(enum carom_solid_case kind, bool held)
{
    const struct carom_solid_material m = {1.0, 0.25, 1.7};
    const double size[3] = {2.0, 0.6, 1.1}, origin[3] = {0.3, -0.2, 0.1};
    struct carom_solid *s =
        carom_solid_box(kind, (const size_t[]){4, 3, kind == CAROM_SOLID_SPACE ? 2 : 1}, size, origin, 1.0, &m, NULL);
    CHECK_OR_STOP(s != NULL);
    const struct carom_solid_hold hold = {.mask = 3, .count = 2, .cell = (uint32_t[]){0, 5}};
    if (held)
        CHECK_STATUS(carom_solid_add_hold(s, &hold, NULL), CAROM_OK);
    struct carom_random random;
    carom_random_start(&random, 3);
    const size_t n = s->fast * s->n;
    double *q = solid_rest(s), x[200], before[200], p[3], l[3];
    CHECK_OR_STOP(n <= 200);
    for (size_t i = 0; i < s->n; i++)
        for (int k = 0; k < s->dimension; k++)
            q[s->wide * i + (size_t)k] += 0.01 * carom_random_normal(&random);
    for (int motion = 0; motion < 2; motion++) {
        struct carom_solid_rigid rigid;
        carom_solid_rigid_find(&rigid, s, q);
        for (size_t i = 0; i < n; i++)
            before[i] = x[i] = carom_random_normal(&random);
        double most = 0.0, went = 0.0;
        if (motion)
            carom_solid_rigid_still(&rigid, x);
        else
            went = carom_solid_rigid_balance(&rigid, x);
        for (size_t i = 0; i < n; i++)
            most = fmax(most, fabs(x[i] - before[i]));
        if (!motion)
            CHECK_NEAR(went, most, 1e-14);
        sums(s, q, x, motion, p, l);
        for (int k = 0; k < 3 && !held; k++) {
            CHECK_NEAR(p[k], 0.0, 1e-12);
            CHECK_NEAR(l[k], 0.0, 1e-12);
        }
        CHECK(held ? most < 1e-6 : most > 1e-3);
        memcpy(before, x, sizeof x);
        if (motion)
            carom_solid_rigid_still(&rigid, x);
        else
            CHECK(carom_solid_rigid_balance(&rigid, x) < 1e-12);
        for (size_t i = 0; i < n; i++)
            CHECK_NEAR(x[i], before[i], held ? 1e-6 : 1e-12);
    }
    carom_memory_free(q);
    carom_solid_free(s);
}

int main(void)
{
    check(CAROM_SOLID_STRESS, false);
    check(CAROM_SOLID_STRAIN, false);
    check(CAROM_SOLID_SPACE, false);
    check(CAROM_SOLID_STRAIN, true);
    return check_end();
}

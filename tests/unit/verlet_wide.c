/* What verlet does with rows of beads in four lanes against the same in two, bit by bit: the sweep over Hertz chains
 * and the passes over viscoelastic spheres, on rows of all lengths. */
#include <string.h>

#include "base/random.h"
#include "check.h"
#include "scheme/compliant/verlet_fused_pass.h"
#include "scheme/compliant/verlet_spheres_pass.h"

enum { MOST = 90 };

/* numbers of a row, each kind in a line; what a step changes first */
struct numbers {
    double x1[MOST], v1[MOST], kick[MOST], elastic[MOST + 1], deform[MOST + 1], viscous[MOST + 1], drag[MOST + 1];
    double lost1[MOST + 1], both[MOST + 1];
    double x0[MOST], v0[MOST], inverse_mass[MOST], k[MOST + 1], gamma[MOST + 1], gap[MOST + 1], lost0[MOST + 1];
};

static void draw(struct numbers *out, struct carom_random *random)
{
    double *const number = (double *)out;
    for (size_t i = 0; i < sizeof *out / sizeof *number; i++)
        number[i] = 0.1 * carom_random_normal(random);
    for (size_t i = 0; i < MOST + 1; i++) {
        out->k[i] = 0.5 + carom_random_uniform(random);
        out->gamma[i] = 0.1 * carom_random_uniform(random);
    }
    for (size_t i = 0; i < MOST; i++)
        out->inverse_mass[i] = 0.5 + carom_random_uniform(random);
}

/* --- spheres ------------------------------------------------------------------------------------------------------ */

static struct carom_verlet_spheres spheres_of(struct numbers *x, size_t shift)
{
    return (struct carom_verlet_spheres){
        .shift = shift,
        .h = 0.07,
        .k = x->k,
        .gamma = x->gamma,
        .gap = x->gap,
        .inverse_mass = x->inverse_mass,
        .x0 = x->x0,
        .v0 = x->v0,
        .lost0 = x->lost0,
        .x1 = x->x1,
        .v1 = x->v1,
        .lost1 = x->lost1,
        .held = {x->deform, x->elastic, x->viscous, x->drag},
        .both = x->both,
    };
}

/* Four lanes go as far as they can, and two do the same and the rest; then two finish what four have left. */
static void check_spheres(const struct carom_verlet_spheres_passes *wide, size_t n, size_t shift,
                          struct carom_random *random)
{
    static struct numbers two, four;
    draw(&two, random);
    four = two;
    const struct carom_verlet_spheres a = spheres_of(&two, shift), b = spheres_of(&four, shift);
    bool switched[2] = {false, false}, finite[2] = {true, true};
    const size_t end = wide->move(&b, 1, n - 1);
    CHECK(end >= 1 && end <= n - 1 && n - 1 - end < 4);
    CHECK(move_some(&a, 1, n - 1) == move_some(&b, end, n - 1));
    CHECK(squeeze_some(&a, shift, n, &switched[0]) ==
          squeeze_some(&b, wide->squeeze(&b, shift, n, &switched[1]), n, &switched[1]));
    two.both[n / 2] = four.both[n / 2] = n % 5 == 0 ? HUGE_VAL : 1.0;
    CHECK(kick_some(&a, 1, n - 1, &finite[0]) ==
          kick_some(&b, wide->kick(&b, 1, n - 1, &finite[1]), n - 1, &finite[1]));
    CHECK(switched[0] == switched[1] && finite[0] == finite[1]);
    CHECK(memcmp(&two, &four, sizeof two) == 0);
}

/* --- Hertz -------------------------------------------------------------------------------------------------------- */

/* Two lanes are asked to stop where four have: groups differ in length. */
static void check_hertz(size_t (*wide)(struct carom_verlet_sweep *), size_t n, bool closed, struct carom_random *random)
{
    static struct numbers two, four;
    draw(&two, random);
    for (size_t j = 0; j < MOST + 1 && closed; j++)
        two.gap[j] -= 2.0;
    for (size_t i = 0; i < CAROM_VERLET_HEAD; i++)
        two.x1[i] = two.x0[i] + 0.07 * (two.v0[i] + two.kick[i]);
    four = two;
    struct carom_chain chain = {.n = n, .nc = n, .shift = 1, .left_wall = true};
    struct carom_verlet_sweep sweep[2];
    for (int way = 0; way < 2; way++) {
        struct numbers *x = way == 0 ? &two : &four;
        sweep[way] = (struct carom_verlet_sweep){.chain = &chain,
                                                 .x0 = x->x0,
                                                 .v0 = x->v0,
                                                 .ease = x->inverse_mass,
                                                 .gap = x->gap,
                                                 .k = x->k,
                                                 .x1 = x->x1,
                                                 .v1 = x->v1,
                                                 .kick = x->kick,
                                                 .elastic = x->elastic,
                                                 .h = 0.07,
                                                 .closed = closed,
                                                 .left = 0.3};
    }
    const size_t end = wide(&sweep[1]);
    chain.n = end > CAROM_VERLET_HEAD ? end : n;
    CHECK(end == CAROM_VERLET_HEAD || sweep_some(&sweep[0]) == end);
    CHECK(sweep[0].left == sweep[1].left && sweep[0].switched == sweep[1].switched);
    CHECK(fabs(sweep[0].total - sweep[1].total) < 1e-12 * (double)n);
    CHECK(memcmp(&two, &four, sizeof two) == 0);
}

int main(int argc, char **argv)
{
    struct carom_random random;
    carom_random_start(&random, check_seed(argc, argv));
    if (!carom_verlet_spheres_wide() || !carom_verlet_fused_wide()) {
        printf("skipped: this processor has no registers of four numbers\n");
        return 77;
    }
    for (size_t n = 3; n < MOST; n++)
        for (int i = 0; i < 4; i++) {
            check_spheres(carom_verlet_spheres_wide(), n, (size_t)i % 2, &random);
            check_hertz(carom_verlet_fused_wide(), n, i % 2 == 0, &random);
        }
    return check_end();
}

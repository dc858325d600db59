/* Crystals under implicit schemes: the same bits with any number of threads and any skin, and the same after bodies
 * have left the cells of their anchors. (Recording and resuming: bodies.c.) */
#include "crystals.h"
#include "base/random.h"

enum { SIDE = 18, BALLS = SIDE * SIDE };

/* a loose square lattice thrown about over a floor, sides joined */
static struct carom_bodies *make(size_t dimension, bool floor, bool rubs, double skin, double *v)
{
    struct carom_bodies *b = crystals_of(dimension, BALLS + 1, 0.05);
    struct carom_random random;
    carom_random_start(&random, 3);
    const size_t nv = carom_bodies_nv(b);
    for (size_t i = 0; i < BALLS; i++) {
        bodies_ball(b, i, 0.5 - 0.02 * carom_random_uniform(&random), 0.5 + carom_random_uniform(&random),
                    0.5 + (double)(i % SIDE), 0.5 + (double)(i / SIDE), 0.0);
        for (size_t k = 0; k < nv; k++)
            v[i * nv + k] = 0.2 * (carom_random_uniform(&random) - 0.5);
        v[i * nv] += 0.4;
    }
    b->pairing[0].param[0].param = 30.0;
    if (rubs)
        crystals_rub(b, 0.3);
    b->body[BALLS] = b->body[0];
    if (floor) {
        b->body[BALLS] =
            (struct carom_body){.surface = CAROM_PLANE, .fixed = true, .normal = {0.0, 1.0, 0.0}, .lead = -1};
        b->body[BALLS].frame[0] = 1.0;
        b->gravity[1] = -0.1;
    } else
        b->body[BALLS].at[1] = -0.6;
    b->bounded = b->periodic[0] = true;
    b->low[1] = b->low[2] = -100.0;
    b->high[0] = SIDE;
    b->high[1] = b->high[2] = 100.0;
    b->skin = skin;
    return b;
}

/* the numbers of bodies only, since the list has what the skin makes of it; and its losses */
static uint64_t hash(const struct carom_sim *sim)
{
    uint64_t sum = 14695981039346656037u;
    const struct carom_ledger ledger = bodies_ledger(sim);
    const double loose[] = {ledger.viscous, ledger.numerical, ledger.friction, ledger.change};
    for (size_t i = 0; i < sim->state->n + 4; i++) {
        uint64_t bits;
        memcpy(&bits, i < sim->state->n ? &sim->state->data[i] : &loose[i - sim->state->n], sizeof bits);
        sum = (sum ^ bits) * 1099511628211u;
    }
    return sum;
}

/* `recalls`: a law with a memory instead of a damper */
static void test_scheme(const struct carom_scheme *scheme, size_t dimension, bool floor, bool rubs, bool recalls)
{
    static const double dents[] = {30.0, 1.5, 0.8};
    static const struct {
        size_t threads;
        double skin;
    } ways[] = {{1, 0.0}, {2, 0.0}, {3, 0.0}, {1, 0.02}, {1, 0.4}};
    uint64_t first = 0;
    static double v[6 * (BALLS + 1)];
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i += (size_t)check_take(2, 1)) {
        memset(v, 0, sizeof v);
        struct carom_bodies *b = make(dimension, floor, rubs, ways[i].skin, v);
        b->pairing[0].law = recalls ? &carom_law_bistiff : b->pairing[0].law;
        for (size_t k = 0; recalls && k < 3; k++)
            b->pairing[0].param[k].param = dents[k];
        struct carom_sim *sim = crystals_sim(b, v, scheme, 0.05, 1.2, false, ways[i].threads);
        CHECK_OR_STOP(sim != NULL);
        bodies_run(sim);
        const uint64_t bits = hash(sim);
        first = i == 0 ? bits : first;
        CHECK(bits == first);
        CHECK(bodies_ledger(sim).viscous > 0.0);
        carom_sim_free(sim);
    }
}

int main(void)
{
    test_scheme(&carom_scheme_energy_momentum, 2, true, false, false);
    test_scheme(&carom_scheme_energy_momentum, 2, true, true, false);
    test_scheme(&carom_scheme_energy_momentum, 3, false, true, false);
    test_scheme(&carom_scheme_energy_momentum, 2, true, true, true);
    test_scheme(&carom_scheme_cn_reg, 2, true, true, false);
    test_scheme(&carom_scheme_cn_reg, 3, false, false, false);
    test_scheme(&carom_scheme_theta, 2, true, false, false);
    test_scheme(&carom_scheme_theta, 3, false, true, false);
    test_scheme(&carom_scheme_gl_reg, 2, true, false, false);
    test_scheme(&carom_scheme_gl_reg, 3, false, true, false);
    test_scheme(&carom_scheme_irk, 2, true, true, false);
    test_scheme(&carom_scheme_irk, 3, false, false, false);
    return check_end();
}

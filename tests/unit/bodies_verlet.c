/* Discs and spheres under verlet: rows are chains, pairs bounce as they should, nothing is lost on the way; how blocks
 * of bodies are dealt out to ranks. */
#include "bodies.h"
#include "chain.h"
#include "scheme/compliant/packing/verlet_ranks_share.h"

/* a row of touching discs along a direction, the first one moving along it, beside the chain of beads */
static void test_row(size_t dimension, const double along[3], double gamma)
{
    enum { N = 6 };
    const double param[] = {1.3, gamma}, h = 0.01, until = 12.0;
    static struct chain chain;
    chain_uniform(&chain, N, false, false, &carom_law_kuwabara_kono, CAROM_END_GAP, param);
    struct carom_bodies *b = bodies_of(dimension, N, 0, &carom_law_kuwabara_kono, CAROM_END_GAP, param);
    const size_t nv = carom_bodies_nv(b);
    double v[6 * N] = {0.0};
    for (size_t i = 0; i < N; i++) {
        const double x = 20.0 * (double)i;
        bodies_ball(b, i, 10.0, 1.0, x * along[0], x * along[1], x * along[2]);
    }
    chain.v[0] = 1.0;
    for (size_t k = 0; k < dimension; k++)
        v[k] = along[k];
    struct carom_sim *sim = bodies_sim(b, v, &carom_scheme_verlet, "step", h, until);
    CHECK_OR_STOP(sim != NULL);
    bodies_run(sim);
    struct carom_model *model = chain_model(&chain);
    void *options = carom_options_create(&carom_scheme_verlet.kind);
    struct carom_error error = {CAROM_OK, ""};
    CHECK_STATUS(carom_options_set(&carom_scheme_verlet.kind, options, "step", h, &error), CAROM_OK);
    struct carom_sim *row = carom_sim_create(&(struct carom_setup){.model = model,
                                                                   .scheme = &carom_scheme_verlet,
                                                                   .options = options,
                                                                   .q = chain.q,
                                                                   .v = chain.v,
                                                                   .until = until,
                                                                   .threads = 1},
                                             &error);
    CHECK_OR_STOP(row != NULL);
    bodies_run(row);
    for (size_t i = 0; i < N; i++)
        for (size_t k = 0; k < nv; k++)
            CHECK_NEAR(sim->view->v[i * nv + k], k < dimension ? row->view->v[i] * along[k] : 0.0, 1e-12);
    carom_sim_free(row);
    const struct carom_ledger ledger = bodies_ledger(sim);
    CHECK_NEAR(ledger.residual, 0.0, 1e-4);
    carom_sim_free(sim);
}

/* a contact that is pressed deeper than a tenth of the smaller radius is noted once, and no other one is */
static void test_deep(const struct carom_scheme *scheme, const char *option, double value)
{
    const double param[] = {100.0, 0.0};
    for (int i = 0; i < 2; i++) {
        struct carom_bodies *b = bodies_of(2, 3, 0, &carom_law_kuwabara_kono, CAROM_END_GAP, param);
        const double speed = i == 0 ? 0.1 : 2.0, v[] = {0.0, 0.0, 0.0, speed, 0.0, 0.0, 0.0, 0.0, 0.0};
        bodies_ball(b, 0, 1.0, 1.0, -9.0, 0.0, 0.0);
        bodies_ball(b, 1, 2.0, 1.0, 0.0, 0.0, 0.0);
        bodies_ball(b, 2, 1.0, 1.0, 3.1, 0.0, 0.0);
        struct carom_sim *sim = bodies_sim(b, v, scheme, option, value, 4.0);
        CHECK_OR_STOP(sim != NULL);
        bodies_run(sim);
        const struct carom_deep *deep = &sim->stepper->deep;
        CHECK(deep->found == (i == 1));
        if (deep->found) {
            CHECK(deep->a == 1 && deep->b == 2 && deep->overlap > 0.1);
            CHECK_NEAR(deep->time, 0.1, 0.06); /* the way is 0.2 at a speed of 2, and the law slows it down */
        }
        carom_sim_free(sim);
    }
}

enum { BLOCKS = 40, RANKS = 7 };

static size_t sum_of(const size_t *load, size_t n)
{
    size_t sum = 0;
    for (size_t k = 0; k < n; k++)
        sum += load[k];
    return sum;
}

/* a block of bodies belongs to the rank into whose part of all work its middle falls */
static void test_balance(void)
{
    static const size_t bodies[] = {1, 512, 513, 2048, 12345, 20000};
    for (size_t i = 0; i < sizeof bodies / sizeof *bodies; i++)
        for (size_t count = 1; count <= RANKS; count++) {
            struct carom_bodies b = {.n = bodies[i]};
            struct carom_verlet_bodies_work w = {.bodies = &b};
            struct carom_stepper stepper = {.work = &w};
            size_t block[RANKS + 1] = {0}, load[BLOCKS];
            uint32_t mover[BLOCKS];
            struct carom_verlet_ranks r = {
                .stepper = &stepper, .count = count, .block = block, .load = load, .mover = mover};
            const size_t blocks = carom_verlet_blocks(&w);
            carom_verlet_ranks_balance(&r, NULL);
            const double all = (double)sum_of(load, blocks);
            for (size_t k = 0; k < blocks; k++) {
                const size_t own = carom_verlet_block_end(&w, k) - CAROM_VERLET_BODIES * k;
                const double middle = ((double)sum_of(load, k) + 0.5 * (double)load[k]) / all;
                CHECK_NEAR((double)load[k] / all, (double)own / (double)b.n, 1e-15);
                CHECK(mover[k] == (uint32_t)floor(middle * (double)count));
                CHECK(block[mover[k]] <= k && k < block[mover[k] + 1]);
            }
            CHECK(block[0] == 0 && block[count] == blocks);
        }
}

/* those that touch weigh most: of two heaps with as many bodies the one at rest is shared by more ranks than the gas,
 * whether the state says who touches or the last step has told */
static void test_touching(void)
{
    enum { N = BLOCKS * CAROM_VERLET_BODIES, HALF = N / 2, WORKERS = 4 };
    const double param[] = {1.0, 0.0};
    struct carom_bodies *b = bodies_of(2, N, 0, &carom_law_kuwabara_kono, CAROM_END_GAP, param);
    for (size_t i = 0; i < N; i++)
        bodies_ball(b, i, 1.0, 1.0, (i < HALF ? 1.9 : 3.0) * (double)i, 0.0, 0.0);
    struct carom_model *model = bodies_model(b);
    struct carom_state *state = carom_state_create(model, 0);
    struct carom_verlet_bodies_work w = {.bodies = b};
    struct carom_stepper stepper = {.work = &w};
    size_t block[WORKERS + 1] = {0}, load[BLOCKS];
    uint32_t mover[BLOCKS];
    static double found[BLOCKS][CAROM_VERLET_TOLD];
    struct carom_verlet_ranks r = {
        .stepper = &stepper, .count = WORKERS, .block = block, .load = load, .mover = mover, .found = found};
    carom_bodies_rest(b, state->q);
    CHECK_OR_STOP(carom_list_reserve(state->contacts, N));
    for (size_t i = 0; i + 1 < N; i++)
        state->contacts->key[i] = (struct carom_contact_key){.a = (uint32_t)i, .b = (uint32_t)i + 1};
    state->contacts->n = N - 1;
    carom_verlet_ranks_balance(&r, state);
    CHECK(load[0] > 3 * load[BLOCKS - 1]);
    CHECK(block[3] < BLOCKS / 2); /* three of four share the heap */
    const size_t second = block[2];
    for (size_t k = 0; k < BLOCKS; k++)
        found[k][CAROM_VERLET_TOLD_TOUCHING] = k < BLOCKS / 2 ? CAROM_VERLET_BODIES : 0.0;
    r.told = true;
    carom_verlet_ranks_balance(&r, state);
    CHECK(block[2] == second);
    for (size_t k = 0; k < BLOCKS; k++)
        found[k][CAROM_VERLET_TOLD_TOUCHING] = 0.0;
    carom_verlet_ranks_balance(&r, state);
    CHECK(block[2] == BLOCKS / 2);
    carom_state_free(state);
    carom_model_free(model);
}

int main(void)
{
    test_balance();
    test_touching();
    const double x[3] = {1.0, 0.0, 0.0}, slanted[3] = {0.6, 0.8, 0.0};
    test_row(2, x, 0.0);
    test_row(2, slanted, 0.1);
    test_row(3, x, 0.1);
    test_deep(&carom_scheme_verlet, "step", 1e-3);
    test_deep(&carom_scheme_dp5, "tol", 1e-6);
    return check_end();
}

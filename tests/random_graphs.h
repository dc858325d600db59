/* Random contact graphs: pieces of a hexagonal lattice of discs or of layers of spheres, with masses, stiffnesses,
 * restitutions and velocities drawn. No impact makes energy, keeps momentum or lets bodies approach; Moreau's impacts
 * carry their certificate. */
#ifndef CAROM_TESTS_RANDOM_GRAPHS_H
#define CAROM_TESTS_RANDOM_GRAPHS_H

#include "contact_graphs.h"

static inline double graphs_draw(uint64_t *seed, double low, double high)
{
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    return low + (high - low) * (double)(*seed >> 11) * 0x1p-53;
}

/* sites of a lattice, of which each is taken with a chance; velocities of some */
static inline struct graph graphs_random(uint64_t *seed, bool equal)
{
    struct graph g = {.name = "random", .dimension = graphs_draw(seed, 0.0, 1.0) < 0.6 ? 2 : 3};
    const double up = 0.5 * sqrt(3.0), high = sqrt(2.0 / 3.0), all = graphs_draw(seed, 0.0, 1.0);
    const int layers = g.dimension == 2 ? 1 : 2, wide = g.dimension == 2 ? 4 : 3;
    for (int a = 0; a < GRAPH_MATERIALS; a++)
        for (int b = a; b < GRAPH_MATERIALS; b++) {
            const double es = graphs_draw(seed, 0.0, 1.0), one = graphs_draw(seed, 0.0, 1.0);
            graph_meets(&g, a, b, pow(10.0, graphs_draw(seed, -1.0, 1.0)), equal ? all : one < 0.2 ? 1.0 : es);
        }
    for (int z = 0; z < layers; z++)
        for (int y = 0; y < wide; y++)
            for (int x = 0; x < wide; x++) {
                const double mass = pow(10.0, graphs_draw(seed, -1.0, 1.0));
                const int material = graphs_draw(seed, 0.0, 1.0) < 0.5;
                if (g.n < GRAPH_BODIES && graphs_draw(seed, 0.0, 1.0) < 0.8)
                    graph_body(&g, x + 0.5 * ((y + z) % 2), y * up + z * up / 3.0, z * high, mass, material);
            }
    for (int i = 0; i < g.n; i++)
        for (int k = 0; k < g.dimension; k++)
            g.v[i][k] = graphs_draw(seed, 0.0, 1.0) < 0.3 ? graphs_draw(seed, -1.0, 1.0) : 0.0;
    return g;
}

static inline void graphs_check(const struct graph *g, const char *impact, double tol)
{
    struct carom_error error = {CAROM_OK, ""};
    struct carom_sim *sim = graph_sim(g, impact, tol, 1e-12);
    CHECK(sim != NULL);
    if (!sim)
        return;
    double before[6], after[6];
    graph_momenta(g, sim->state->v, before);
    const double energy = bodies_ledger(sim).kinetic;
    if (carom_sim_run(sim, NULL, &error) != CAROM_OK)
        fprintf(stderr, "%s\n", error.text);
    CHECK_STATUS(error.status, CAROM_OK);
    carom_sim_sync(sim);
    const struct carom_ledger ledger = bodies_ledger(sim);
    graph_momenta(g, sim->view->v, after);
    CHECK(ledger.kinetic <= energy * (1.0 + 1e-12));
    CHECK_NEAR(ledger.residual, 0.0, 1e-12 * (1.0 + energy));
    for (int k = 0; k < 6; k++)
        CHECK_NEAR(after[k], before[k], 1e-11);
    CHECK(sim->stepper->worst_residual <= 1e-12 || strcmp(impact, "moreau") != 0);
    carom_sim_free(sim);
}

static inline void graphs_check_all(uint64_t seed, int count)
{
    for (int i = 0; i < count; i++) {
        const struct graph any = graphs_random(&seed, false), equal = graphs_random(&seed, true);
        graphs_check(&any, i % 2 == 0 ? "lzb" : "newton", 1e-6);
        graphs_check(&equal, "moreau", 1e-9);
    }
}

#endif

/* Contact graphs as models of bodies, and what one impact of all their contacts must keep. */
#ifndef CAROM_TESTS_CONTACT_GRAPHS_H
#define CAROM_TESTS_CONTACT_GRAPHS_H

#include "bodies.h"
#include "reference/graphs.h"

/* the graph as bodies: discs or spheres, then walls */
static inline struct carom_bodies *graph_bodies(const struct graph *g)
{
    struct carom_bodies *b = carom_bodies_create((size_t)g->dimension, (size_t)(g->n + g->nwalls), GRAPH_MATERIALS,
                                                 GRAPH_MATERIALS * GRAPH_MATERIALS, 0, 0);
    for (int i = 0; i < GRAPH_MATERIALS * GRAPH_MATERIALS; i++) {
        const int one = i / GRAPH_MATERIALS, two = i % GRAPH_MATERIALS;
        b->pairing[i].law = &carom_law_rigid;
        b->pairing[i].param[CAROM_RIGID_E].param = g->es[one][two];
        b->pairing[i].param[CAROM_RIGID_K].param = g->k[one][two];
        b->pairing[i].param[CAROM_RIGID_P].param = 1.5;
        b->meets[i] = (uint32_t)(one < two ? i : two * GRAPH_MATERIALS + one);
    }
    for (int i = 0; i < g->n; i++) {
        bodies_ball(b, (size_t)i, 0.5, g->mass[i], g->at[i][0], g->at[i][1], g->at[i][2]);
        b->body[i].material = (uint32_t)g->material[i];
    }
    for (int i = 0; i < g->nwalls; i++) {
        struct carom_body *wall = &b->body[g->n + i];
        wall->surface = CAROM_PLANE;
        wall->fixed = true;
        wall->material = 2;
        memcpy(wall->at, g->wall[i], sizeof wall->at);
        memcpy(wall->normal, g->normal[i], sizeof wall->normal);
    }
    return b;
}

/* ready to run under scheme event */
static inline struct carom_sim *graph_sim(const struct graph *g, const char *impact, double tol, double until)
{
    struct carom_error error = {CAROM_OK, ""};
    struct carom_bodies *b = graph_bodies(g);
    struct carom_model *model = bodies_model(b);
    const size_t nv = carom_bodies_nv(b);
    double q[10 * (GRAPH_BODIES + GRAPH_WALLS)], v[6 * (GRAPH_BODIES + GRAPH_WALLS)] = {0.0};
    carom_bodies_rest(b, q);
    for (size_t i = 0; i < (size_t)g->n; i++)
        memcpy(v + i * nv, g->v[i], (size_t)g->dimension * sizeof *v);
    void *options = carom_options_create(&carom_scheme_event.kind);
    CHECK_STATUS(carom_options_choose(&carom_scheme_event.kind, options, "impact", impact, &error), CAROM_OK);
    CHECK_STATUS(carom_options_set(&carom_scheme_event.kind, options, "tol", tol, &error), CAROM_OK);
    const struct carom_setup setup = {.model = model,
                                      .scheme = &carom_scheme_event,
                                      .options = options,
                                      .q = q,
                                      .v = v,
                                      .until = until,
                                      .threads = 1};
    struct carom_sim *sim = carom_sim_create(&setup, &error);
    if (!sim)
        fprintf(stderr, "%s: %s\n", g->name, error.text);
    return sim;
}

/* momentum, and angular momentum about the origin with spins left out: none of them turns in what these tests do */
static inline void graph_momenta(const struct graph *g, const double *v, double sum[6])
{
    const size_t nv = g->dimension == 2 ? 3 : 6;
    memset(sum, 0, 6 * sizeof *sum);
    for (int i = 0; i < g->n; i++) {
        double p[3] = {0.0};
        for (int k = 0; k < g->dimension; k++)
            sum[k] += p[k] = g->mass[i] * v[(size_t)i * nv + (size_t)k];
        for (int k = 0; k < 3; k++)
            sum[3 + k] += g->at[i][(k + 1) % 3] * p[(k + 2) % 3] - g->at[i][(k + 2) % 3] * p[(k + 1) % 3];
    }
}

#endif

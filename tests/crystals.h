/* Small crystals for tests: three whose numbers are known. Include after check.h. */
#ifndef CAROM_TESTS_CRYSTALS_H
#define CAROM_TESTS_CRYSTALS_H

#include "bodies.h"

/* Kuwabara and Kono's law with k = 1 and this gamma */
static inline struct carom_bodies *crystals_of(size_t dimension, size_t n, double gamma)
{
    const double param[2] = {1.0, gamma};
    return bodies_of(dimension, n, 0, &carom_law_kuwabara_kono, CAROM_END_GAP, param);
}

/* A: a disc strikes another, obliquely */
static inline struct carom_bodies *crystals_pair(double *v)
{
    struct carom_bodies *b = crystals_of(2, 2, 0.1);
    bodies_ball(b, 0, 3.0, 1.0, 0.0, 0.0, 0.0);
    bodies_ball(b, 1, 2.0, 2.0, 5.0, 0.0, 0.0);
    v[0] = 0.6;
    v[1] = 0.8;
    return b;
}

/* A with friction: a spring of stiffness 0.4 under the cone of mu */
static inline struct carom_bodies *crystals_rub(struct carom_bodies *b, double mu)
{
    const double rub[] = {mu, 0.0, 0.4, 0.1};
    b->pairing[0].friction = &carom_friction_cundall_strack;
    for (size_t i = 0; i < sizeof rub / sizeof *rub; i++)
        b->pairing[0].rub[i].param = rub[i];
    return b;
}

/* B: nine discs in a hexagonal lattice, the middle row of another material; three values of gamma */
static inline struct carom_bodies *crystals_hexagonal(double *v)
{
    struct carom_bodies *b = carom_bodies_create(2, 9, 2, 3, 0, 0);
    for (size_t p = 0; p < 3; p++) {
        b->pairing[p].law = &carom_law_kuwabara_kono;
        b->pairing[p].ending = CAROM_END_GAP;
        b->pairing[p].param[0].param = 1.0;
        b->pairing[p].param[1].param = p == 0 ? 0.05 : p == 1 ? 0.1 : 0.15;
    }
    b->meets[0] = 0;
    b->meets[1] = b->meets[2] = 1;
    b->meets[3] = 2;
    for (size_t r = 0; r < 3; r++)
        for (size_t i = 0; i < 3; i++) {
            bodies_ball(b, 3 * r + i, 5.0, 1.0, 10.0 * (double)i + 5.0 * (double)(r % 2), 5.0 * sqrt(3.0) * (double)r,
                        0.0);
            b->body[3 * r + i].material = r == 1;
        }
    v[3 * 3] = 1.0;
    v[3 * 3 + 1] = 0.3;
    return b;
}

/* C: eight spheres of a face-centred cubic lattice */
static inline struct carom_bodies *crystals_cubic(double *v)
{
    struct carom_bodies *b = crystals_of(3, 8, 0.1);
    const double edge = 5.0 * sqrt(2.0);
    for (size_t at = 0; at < 8; at++) {
        const double i = (double)(at / 4), j = (double)(at / 2 % 2), l = (double)(at % 2);
        bodies_ball(b, at, 5.0, 1.0, edge * (j + l), edge * (i + l), edge * (i + j));
    }
    v[0] = 1.0;
    v[1] = 0.2;
    v[2] = 0.1;
    return b;
}

/* takes the bodies over; `threads` of them, theta and irk as in the paper if `paper` */
static inline struct carom_sim *crystals_sim(struct carom_bodies *b, const double *v, const struct carom_scheme *scheme,
                                             double step, double until, bool paper, size_t threads)
{
    struct carom_error error = {CAROM_OK, ""};
    struct carom_model *model = bodies_model(b);
    double *q = carom_memory_zeroed(model->nq, sizeof *q);
    carom_bodies_rest(b, q);
    void *options = carom_options_create(&scheme->kind);
    const bool law = scheme == &carom_scheme_dp5;
    CHECK_STATUS(carom_options_set(&scheme->kind, options, law ? "tol" : "step", step, &error), CAROM_OK);
    if (paper)
        CHECK_STATUS(carom_options_set(&scheme->kind, options, "form", 1.0, &error), CAROM_OK);
    const struct carom_setup setup = {.model = model,
                                      .scheme = scheme,
                                      .options = options,
                                      .q = q,
                                      .v = v,
                                      .until = until,
                                      .threads = threads,
                                      .origin = {.title = "crystals", .units = "si"}};
    struct carom_sim *sim = carom_sim_create(&setup, &error);
    if (!sim)
        fprintf(stderr, "%s\n", error.text);
    carom_memory_free(q);
    return sim;
}

/* momentum and angular momentum about the origin, spins included */
static inline void crystals_momenta(const struct carom_bodies *b, const struct carom_state *view, double p[3],
                                    double l[3])
{
    const size_t nv = carom_bodies_nv(b);
    memset(p, 0, 3 * sizeof *p);
    memset(l, 0, 3 * sizeof *l);
    for (size_t i = 0; i < b->n; i++) {
        const double *v = view->v + i * nv;
        double x[3], of[3] = {0.0, 0.0, 0.0};
        carom_bodies_centre(b, i, view->q, x);
        for (size_t k = 0; k < b->dimension; k++)
            of[k] = b->body[i].mass * v[k];
        for (int k = 0; k < 3; k++) {
            p[k] += of[k];
            l[k] += x[(k + 1) % 3] * of[(k + 2) % 3] - x[(k + 2) % 3] * of[(k + 1) % 3];
        }
        for (size_t k = b->dimension; k < nv; k++)
            l[b->dimension == 2 ? 2 : k - 3] += b->body[i].inertia * v[k];
    }
}

#endif

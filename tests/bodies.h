/* Discs and spheres for tests: built by hand. Include after check.h. */
#ifndef CAROM_TESTS_BODIES_H
#define CAROM_TESTS_BODIES_H

#include "base/memory.h"
#include "carom/bodies.h"
#include "carom/carom.h"
#include "check.h"

/* n balls of radius and mass given, all of one material that meets by a law with these parameters */
static inline struct carom_bodies *bodies_of(size_t dimension, size_t n, size_t leads, const struct carom_law *law,
                                             enum carom_ending ending, const double *param)
{
    struct carom_bodies *b = carom_bodies_create(dimension, n, 1, 1, 0, leads);
    b->pairing[0].law = law;
    b->pairing[0].ending = ending;
    for (size_t i = 0; i < carom_param_count(law->kind.params); i++)
        b->pairing[0].param[i].param = param[i];
    return b;
}

static inline void bodies_ball(struct carom_bodies *b, size_t i, double radius, double mass, double x, double y,
                               double z)
{
    struct carom_body *body = &b->body[i];
    body->surface = CAROM_BALL;
    body->radius = radius;
    body->mass = mass;
    body->inertia = (b->dimension == 2 ? 0.5 : 0.4) * mass * radius * radius;
    body->at[0] = x;
    body->at[1] = y;
    body->at[2] = z;
}

/* a plane through (x, y) that faces (nx, ny) */
static inline void bodies_plane(struct carom_bodies *b, size_t i, double x, double y, double nx, double ny)
{
    b->body[i].surface = CAROM_PLANE;
    b->body[i].fixed = true;
    b->body[i].at[0] = x;
    b->body[i].at[1] = y;
    b->body[i].normal[0] = nx;
    b->body[i].normal[1] = ny;
}

/* a model that takes the bodies over */
static inline struct carom_model *bodies_model(struct carom_bodies *b)
{
    struct carom_error error = {CAROM_OK, ""};
    struct carom_model *model = carom_model_create();
    CHECK_STATUS(carom_bodies_finish(b, &error), CAROM_OK);
    CHECK_STATUS(carom_model_add(model, &carom_part_bodies, b, &error), CAROM_OK);
    CHECK_STATUS(carom_model_finish(model, &error), CAROM_OK);
    return model;
}

/* takes model and recorder (or NULL) over; velocities v (nv of all), at rest where NULL */
static inline struct carom_sim *bodies_sim_of(struct carom_model *model, const struct carom_bodies *b, const double *v,
                                              const struct carom_scheme *scheme, const char *option, double value,
                                              double until, struct carom_recorder *recorder)
{
    struct carom_error error = {CAROM_OK, ""};
    double *q = carom_memory_zeroed(model->nq, sizeof *q), *still = carom_memory_zeroed(model->nv, sizeof *still);
    carom_bodies_rest(b, q);
    void *options = carom_options_create(&scheme->kind);
    CHECK_STATUS(carom_options_set(&scheme->kind, options, option, value, &error), CAROM_OK);
    const struct carom_setup setup = {.model = model,
                                      .scheme = scheme,
                                      .options = options,
                                      .q = q,
                                      .v = v ? v : still,
                                      .until = until,
                                      .threads = 1,
                                      .recorder = recorder,
                                      .origin = {.title = "bodies", .units = "si"}};
    struct carom_sim *sim = carom_sim_create(&setup, &error);
    if (!sim)
        fprintf(stderr, "%s\n", error.text);
    carom_memory_free(q);
    carom_memory_free(still);
    return sim;
}

/* takes the bodies over, records nothing */
static inline struct carom_sim *bodies_sim(struct carom_bodies *b, const double *v, const struct carom_scheme *scheme,
                                           const char *option, double value, double until)
{
    return bodies_sim_of(bodies_model(b), b, v, scheme, option, value, until, NULL);
}

static inline void bodies_run(struct carom_sim *sim)
{
    struct carom_error error = {CAROM_OK, ""};
    CHECK_STATUS(carom_sim_run(sim, NULL, &error), CAROM_OK);
    if (error.status != CAROM_OK)
        fprintf(stderr, "%s\n", error.text);
    carom_sim_sync(sim);
}

static inline struct carom_ledger bodies_ledger(const struct carom_sim *sim)
{
    struct carom_ledger ledger;
    carom_balance_read(sim->model, sim->view, NULL, &ledger);
    return ledger;
}

#endif

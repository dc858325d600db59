/* Rows of rigid beads for tests: any number of them, weights, springs, walls, gaps, a restitution per contact; and a
 * scheme at work on them or on any model. */
#ifndef CAROM_TESTS_RIGID_H
#define CAROM_TESTS_RIGID_H

#include "base/memory.h"
#include "bodies.h"
#include "carom/scheme.h"
#include "carom/sim.h"
#include "check.h"

/* A row of n beads; NULL: masses 1, no springs, gaps 0, e_all everywhere, at rest at 0. */
struct row {
    size_t n;
    bool left, right;
    const double *mass, *spring, *gap, *e, *q, *v;
    double e_all, gravity; /* acceleration, to the right positive */
};

static inline size_t row_contacts(const struct row *row)
{
    return row->n - 1 + (row->left ? 1 : 0) + (row->right ? 1 : 0);
}

static inline double *row_fill(const double *from, double otherwise, size_t n)
{
    double *to = carom_memory_zeroed(n, sizeof *to);
    CHECK_OR_STOP(to != NULL);
    for (size_t i = 0; i < n; i++)
        to[i] = from ? from[i] : otherwise;
    return to;
}

static inline struct carom_model *row_model(const struct row *row)
{
    const size_t nc = row_contacts(row), shift = row->left ? 1 : 0;
    double *mass = row_fill(row->mass, 1.0, row->n), *gap = row_fill(row->gap, 0.0, nc),
           *e = row_fill(row->e, row->e_all, nc);
    int32_t(*pair)[2] = carom_memory_zeroed(nc + 1, sizeof *pair);
    struct carom_model *model = carom_model_create();
    struct carom_beads *beads = carom_beads_create(row->n, mass, NULL, row->spring, NULL);
    CHECK_OR_STOP(model && beads && pair);
    for (size_t j = 0; j < nc; j++) {
        pair[j][0] = j < shift ? CAROM_WALL_LEFT : (int32_t)(j - shift);
        pair[j][1] = j + 1 - shift < row->n ? (int32_t)(j + 1 - shift) : CAROM_WALL_RIGHT;
    }
    if (row->gravity != 0.0)
        CHECK_STATUS(carom_beads_weigh(beads, row->gravity, NULL), CAROM_OK);
    const double *const columns[CAROM_RIGID_COLUMNS] = {e};
    CHECK_STATUS(carom_model_add(model, &carom_part_beads, beads, NULL), CAROM_OK);
    CHECK_STATUS(
        carom_model_join(model, &carom_law_rigid, CAROM_END_GAP, nc, (const int32_t(*)[2])pair, gap, columns, NULL),
        CAROM_OK);
    CHECK_STATUS(carom_model_finish(model, NULL), CAROM_OK);
    carom_memory_free(mass);
    carom_memory_free(gap);
    carom_memory_free(e);
    carom_memory_free(pair);
    return model;
}

/* A scheme at work on a model, which it owns. */
struct play {
    struct carom_model *model;
    void *options;
    struct carom_scales scales;
    struct carom_stepper *stepper;
    struct carom_state *state, *view;
    double *scratch;
};

static inline void play_close(struct play *play)
{
    carom_stepper_free(play->stepper);
    carom_state_free(play->state);
    carom_state_free(play->view);
    carom_options_free(play->options);
    carom_memory_free(play->scratch);
    carom_model_free(play->model);
    *play = (struct play){0};
}

static inline void play_option(struct play *play, const struct carom_scheme *scheme, const char *name, double value)
{
    CHECK_STATUS(carom_options_set(&scheme->kind, play->options, name, value, NULL), CAROM_OK);
}

static inline struct play play_begin(struct carom_model *model, const struct carom_scheme *scheme, double step)
{
    struct play play = {.model = model, .options = carom_options_create(&scheme->kind)};
    CHECK_OR_STOP(play.options != NULL);
    play_option(&play, scheme, "step", step);
    return play;
}

/* Starts at (q, v), NULL: zeros. What the scheme says of it. */
static inline enum carom_status play_start(struct play *play, const struct carom_scheme *scheme, const double *q,
                                           const double *v, struct carom_error *error)
{
    struct carom_model *model = play->model;
    play->state = carom_state_create(model, carom_stepper_memory(scheme, model, play->options));
    play->view = carom_state_create(model, 0);
    play->scratch = carom_memory_zeroed(2 * model->nc, sizeof(double));
    CHECK_OR_STOP(play->state && play->view && play->scratch);
    for (size_t i = 0; q && i < model->nq; i++)
        play->state->q[i] = q[i];
    for (size_t i = 0; v && i < model->nv; i++)
        play->state->v[i] = v[i];
    CHECK_STATUS(carom_scales_find(model, play->state->q, play->state->v, &play->scales, NULL), CAROM_OK);
    play->stepper = carom_stepper_create(scheme, model, play->options, &play->scales, NULL, error);
    if (!play->stepper)
        return error ? error->status : CAROM_E_REFUSED;
    struct carom_ledger ledger;
    carom_state_view(play->view, play->state);
    carom_balance_read(model, play->view, play->scratch, &ledger);
    play->state->energy = ledger.kinetic + ledger.stored;
    scheme = play->stepper->scheme; /* the form that the model asks for */
    return scheme->start ? scheme->start(play->stepper, play->state, error) : CAROM_OK;
}

/* At most so many steps, not past t. */
static inline enum carom_status play_steps(struct play *play, size_t steps, double t, struct carom_error *error)
{
    const struct carom_bound bound = {.t_stop = t, .t_dense = HUGE_VAL, .steps = steps};
    return play->stepper->scheme->step(play->stepper, play->state, &bound, error);
}

static inline enum carom_status play_run(struct play *play, double t, struct carom_error *error)
{
    enum carom_status status = CAROM_OK;
    while (status == CAROM_OK && carom_state_until(play->state, t) > 0.0)
        status = play_steps(play, 100000, t, error);
    play->stepper->scheme->sync(play->stepper, play->state, play->view);
    return status;
}

static inline struct carom_ledger play_ledger(struct play *play)
{
    struct carom_ledger ledger;
    play->stepper->scheme->sync(play->stepper, play->state, play->view);
    carom_balance_read(play->model, play->view, play->scratch, &ledger);
    return ledger;
}

/* moreau-jean at work on bodies, which it takes over; solver_tol 0: its default */
static inline struct play play_bodies_to(struct carom_bodies *b, const double *v, double step, double solver_tol,
                                         double until)
{
    struct carom_error error = {CAROM_OK, ""};
    struct play play = play_begin(bodies_model(b), &carom_scheme_moreau_jean, step);
    if (solver_tol > 0.0)
        play_option(&play, &carom_scheme_moreau_jean, "solver_tol", solver_tol);
    double *q = carom_memory_zeroed(play.model->nq, sizeof *q);
    carom_bodies_rest(b, q);
    CHECK_STATUS(play_start(&play, &carom_scheme_moreau_jean, q, v, &error), CAROM_OK);
    CHECK_STATUS(play_run(&play, until, &error), CAROM_OK);
    if (error.status != CAROM_OK)
        fprintf(stderr, "%s\n", error.text);
    carom_memory_free(q);
    return play;
}

static inline struct play play_bodies(struct carom_bodies *b, const double *v, double step, double until)
{
    return play_bodies_to(b, v, step, 0.0, until);
}

#endif

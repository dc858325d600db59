/* Chains for tests: described by plain arrays, made by hand, at random or from a reference case, turned into a model
 * and stepped by any scheme without recording. Include after check.h. */
#ifndef CAROM_TESTS_CHAIN_H
#define CAROM_TESTS_CHAIN_H

#include "base/memory.h"
#include "base/random.h"
#include "carom/carom.h"
#include "check.h"
#include "reference/cases.h"

#define CHAIN_BEADS 3000

struct chain {
    size_t n, nc; /* contacts from left to right, walls included */
    bool left_wall, right_wall;
    double mass[CHAIN_BEADS], spring[CHAIN_BEADS], q[CHAIN_BEADS], v[CHAIN_BEADS];
    double gap[CHAIN_BEADS + 1];
    const struct carom_law *law[CHAIN_BEADS + 1];
    enum carom_ending ending[CHAIN_BEADS + 1];
    double param[CHAIN_BEADS + 1][4]; /* of the law's table */
    size_t split;                     /* not 0: a contact with which a group begins in any case */
};

/* n beads of mass 1 in touch and at rest, contacts of one law with the parameters given. */
static inline void chain_uniform(struct chain *chain, size_t n, bool left_wall, bool right_wall,
                                 const struct carom_law *law, enum carom_ending ending, const double *param)
{
    memset(chain, 0, sizeof *chain);
    chain->n = n;
    chain->left_wall = left_wall;
    chain->right_wall = right_wall;
    chain->nc = n - 1 + (left_wall ? 1 : 0) + (right_wall ? 1 : 0);
    for (size_t i = 0; i < n; i++)
        chain->mass[i] = 1.0;
    for (size_t j = 0; j < chain->nc; j++) {
        chain->law[j] = law;
        chain->ending[j] = ending;
        memcpy(chain->param[j], param, carom_param_count(law->kind.params) * sizeof *param);
    }
}

/* masses, springs (in every third chain), gaps and parameters drawn at random */
static inline void chain_uneven(struct chain *chain, struct carom_random *random, const struct carom_law *law, size_t n,
                                bool left_wall, bool right_wall)
{
    const double param[] = {1.0, 0.1};
    chain_uniform(chain, n, left_wall, right_wall, law, CAROM_END_GAP, param);
    for (size_t i = 0; i < n; i++) {
        chain->mass[i] = 0.5 + carom_random_uniform(random);
        chain->spring[i] = n % 3 == 0 ? carom_random_uniform(random) : 0.0;
    }
    for (size_t j = 0; j < chain->nc; j++) {
        chain->gap[j] = 0.1 * carom_random_uniform(random);
        chain->param[j][0] = 0.5 + carom_random_uniform(random);
        chain->param[j][1] = 0.1 * carom_random_uniform(random);
    }
}

static inline void chain_from_case(struct chain *chain, const struct reference_case *from)
{
    const bool kk = from->p == 1.5 && from->b == 1.5;
    const struct carom_law *law = !kk                 ? &carom_law_power
                                  : from->gamma > 0.0 ? &carom_law_kuwabara_kono
                                                      : &carom_law_hertz;
    const double param[4] = {0.0};
    chain_uniform(chain, (size_t)from->n, from->left_wall, from->right_wall, law,
                  from->by_force ? CAROM_END_FORCE : CAROM_END_GAP, param);
    for (int i = 0; i < from->n; i++) {
        chain->mass[i] = reference_repeat(from->mass, i);
        chain->spring[i] = from->spring;
    }
    for (int j = 0; j < (int)chain->nc; j++) {
        double *p = chain->param[j];
        p[0] = reference_repeat(from->k, j);
        p[1] = kk ? from->gamma : from->p;
        p[2] = from->gamma;
        p[3] = from->b;
        chain->gap[j] = reference_gap(from, j);
    }
    chain->v[0] = from->speed;
}

/* Contacts of law and ending alike next to each other are joined as one group. */
static inline struct carom_model *chain_model(const struct chain *chain)
{
    static double columns[4][CHAIN_BEADS + 1];
    static int32_t pair[CHAIN_BEADS + 1][2];
    const double *const column[4] = {columns[0], columns[1], columns[2], columns[3]};
    struct carom_model *model = carom_model_create();
    CHECK_OR_STOP(model != NULL);
    bool springs = false;
    for (size_t i = 0; i < chain->n; i++)
        springs |= chain->spring[i] != 0.0;
    struct carom_beads *beads = carom_beads_create(chain->n, chain->mass, NULL, springs ? chain->spring : NULL, NULL);
    CHECK_OR_STOP(beads != NULL);
    CHECK_STATUS(carom_model_add(model, &carom_part_beads, beads, NULL), CAROM_OK);
    for (size_t j = 0; j < chain->nc; j++) {
        const int32_t left = (int32_t)j - (chain->left_wall ? 1 : 0);
        pair[j][0] = left < 0 ? CAROM_WALL_LEFT : left;
        pair[j][1] = left + 1 < (int32_t)chain->n ? left + 1 : CAROM_WALL_RIGHT;
        for (size_t c = 0; c < 4; c++)
            columns[c][j] = chain->param[j][c];
    }
    for (size_t first = 0, last; first < chain->nc; first = last) {
        const double *part[4];
        for (last = first; last < chain->nc && chain->law[last] == chain->law[first] &&
                           chain->ending[last] == chain->ending[first] && (last == first || last != chain->split);)
            last++;
        for (size_t c = 0; c < 4; c++)
            part[c] = column[c] + first;
        CHECK_STATUS(carom_model_join(model, chain->law[first], chain->ending[first], last - first,
                                      (const int32_t(*)[2])pair + first, chain->gap + first, part, NULL),
                     CAROM_OK);
    }
    CHECK_STATUS(carom_model_finish(model, NULL), CAROM_OK);
    CHECK_OR_STOP(carom_model_chain(model) != NULL);
    return model;
}

/* A chain at work. */
struct trial {
    struct carom_model *model;
    void *options;
    struct carom_scales scales;
    struct carom_stepper *stepper;
    struct carom_state *state, *view;
    double *scratch;
};

static inline void trial_close(struct trial *trial)
{
    carom_stepper_free(trial->stepper);
    carom_state_free(trial->state);
    carom_state_free(trial->view);
    carom_options_free(trial->options);
    carom_memory_free(trial->scratch);
    carom_model_free(trial->model);
    *trial = (struct trial){0};
}

/* `setting` is the scheme's first option: the step or the tolerance. False, with the sentence, if it is refused. */
static inline bool trial_open(struct trial *trial, const struct chain *chain, const struct carom_scheme *scheme,
                              double setting, struct carom_error *error)
{
    *trial = (struct trial){.model = chain_model(chain), .options = carom_options_create(&scheme->kind)};
    CHECK_OR_STOP(trial->options != NULL);
    CHECK_STATUS(carom_options_set(&scheme->kind, trial->options, scheme->kind.params[0].name, setting, NULL),
                 CAROM_OK);
    CHECK_STATUS(carom_scales_find(trial->model, chain->q, chain->v, &trial->scales, NULL), CAROM_OK);
    trial->stepper = carom_stepper_create(scheme, trial->model, trial->options, &trial->scales, NULL, error);
    if (!trial->stepper) {
        trial_close(trial);
        return false;
    }
    trial->state = carom_state_create(trial->model, carom_stepper_memory(scheme, trial->model, trial->options));
    trial->view = carom_state_create(trial->model, 0);
    trial->scratch = carom_memory_zeroed(2 * trial->model->nc, sizeof(double));
    CHECK_OR_STOP(trial->state && trial->view && trial->scratch);
    memcpy(trial->state->q, chain->q, chain->n * sizeof(double));
    memcpy(trial->state->v, chain->v, chain->n * sizeof(double));
    struct carom_ledger ledger;
    carom_state_view(trial->view, trial->state);
    carom_balance_read(trial->model, trial->view, trial->scratch, &ledger);
    trial->state->energy = ledger.kinetic + ledger.stored;
    if (scheme->start)
        CHECK_STATUS(scheme->start(trial->stepper, trial->state, NULL), CAROM_OK);
    return true;
}

/* Steps to t exactly and leaves the physical state of then in trial->view. */
static inline enum carom_status trial_run(struct trial *trial, double t, struct carom_error *error)
{
    const struct carom_scheme *scheme = trial->stepper->scheme;
    const struct carom_bound bound = {.t_stop = t, .t_dense = HUGE_VAL, .steps = 1000};
    enum carom_status status = CAROM_OK;
    while (status == CAROM_OK && carom_state_until(trial->state, t) > 0.0)
        status = scheme->step(trial->stepper, trial->state, &bound, error);
    scheme->sync(trial->stepper, trial->state, trial->view);
    return status;
}

static inline struct carom_ledger trial_ledger(struct trial *trial)
{
    struct carom_ledger ledger;
    carom_balance_read(trial->model, trial->view, trial->scratch, &ledger);
    return ledger;
}

#endif

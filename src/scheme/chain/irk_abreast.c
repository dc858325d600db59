/* Rows under irk beside each other on a device: what their kernel, src/kernel/irk.cl, is told and tells. Rows are those
 * that lanes take (batch_irk.c). */
#include "scheme/abreast.h"

#include <stdio.h>

#include "carom/law.h"
#include "kernel/texts.h"
#include "scheme/chain/twostage.h"

enum { MADE, MASS, GIVEN, PLACES, VELOCITIES, LOST, LOWS, STAGES, OWN, ARRAYS };

/* what a state keeps for every bead: two columns in LOWS, then two in STAGES */
enum { KEPT = 4 };
static const int kept[KEPT] = {CAROM_TWOSTAGE_X_LOW, CAROM_TWOSTAGE_V_LOW, CAROM_TWOSTAGE_Z1, CAROM_TWOSTAGE_Z2};
enum { GROUP = 32, NGIVEN = 16 };

static const struct carom_twostage *work_of(const struct carom_stepper *stepper)
{
    return stepper->work;
}

/* The rows that lanes take, as batch_irk.c has it. */
static const char *lack_of(const struct carom_stepper *stepper)
{
    const struct carom_twostage *w = work_of(stepper);
    const struct carom_beads *beads = w->chain.beads;
    return w->chain.n > CAROM_ABREAST_LONGEST || w->chain.n < 2 ? "rows of 2 to 256 beads"
           : beads->loaded                                      ? "rows without loads, drives and local forces"
           : beads->spring                                      ? "rows without local springs"
           : w->adapt > 0.0                                     ? "steps of one size, without adapt,"
           : !w->hertz || (w->report.c11 == 0.0 && stepper->model->damped) || !carom_twostage_foreseeable(w)
               ? "contacts of laws hertz and kuwabara-kono with one gamma"
               : NULL;
}

static enum carom_status accept(const struct carom_stepper *stepper, struct carom_error *error)
{
    const char *lacks = lack_of(stepper);
    return lacks ? carom_error_set(error, CAROM_E_REFUSED,
                                   "devices take %s under irk; device: none runs this scene on the processor", lacks)
                 : CAROM_OK;
}

static bool fits(const struct carom_stepper *a, const struct carom_stepper *b, struct carom_error *error)
{
    if (accept(a, error) != CAROM_OK || a == b)
        return error->status == CAROM_OK;
    return b->scheme == a->scheme && accept(b, error) == CAROM_OK && a->model->nv == b->model->nv &&
           a->model->damped == b->model->damped;
}

static void head(struct carom_abreast_rows *r, struct carom_stepper *const *stepper, char *text, size_t size)
{
    const struct carom_model *model = stepper[0]->model;
    const size_t n = model->nv;
    r->plain = !model->damped;
    r->group = GROUP;
    r->length[MADE] = 3 * (n + 1);
    r->length[MASS] = 5 * n;
    r->length[GIVEN] = NGIVEN;
    r->length[PLACES] = r->length[VELOCITIES] = n;
    r->length[LOWS] = r->length[STAGES] = 2 * n;
    r->length[LOST] = r->plain ? 0 : n + 1;
    r->length[OWN] = 2;
    snprintf(text, size, "#define N %zu\n#define DAMPED %d\n#define GROUP %d\n", n, !r->plain, GROUP);
}

/* masses with the stages' matrix, and contacts; where there is none the gap is endless */
static void tell_shape(const struct carom_abreast_rows *r, size_t c, const struct carom_stepper *stepper)
{
    const struct carom_chain *chain = &work_of(stepper)->chain;
    const struct carom_group *group = &stepper->model->group[0];
    const size_t n = chain->n;
    const double endless = HUGE_VAL;
    carom_abreast_put(r, MASS, c, 0, n, chain->beads->inverse_mass);
    for (size_t i = 0; i < n; i++) {
        const struct carom_block m = carom_block_scaled(chain->beads->mass[i], work_of(stepper)->stages.inverse);
        const double entry[4] = {m.a, m.b, m.c, m.d};
        for (size_t k = 0; k < 4; k++)
            carom_abreast_put(r, MASS, c, (k + 1) * n + i, 1, &entry[k]);
    }
    for (size_t i = 0; i <= n; i++)
        carom_abreast_put(r, MADE, c, n + 1 + i, 1, &endless);
    for (size_t j = 0; j < chain->nc; j++) {
        const size_t slot = j + 1 - chain->shift;
        carom_abreast_put(r, MADE, c, slot, 1, &group->param[0][j]);
        carom_abreast_put(r, MADE, c, n + 1 + slot, 1, &chain->gap[j]);
        if (group->law == &carom_law_kuwabara_kono)
            carom_abreast_put(r, MADE, c, 2 * (n + 1) + slot, 1, &group->param[1][j]);
    }
}

static bool tell(const struct carom_abreast_rows *r, size_t c, struct carom_stepper *stepper,
                 const struct carom_state *state)
{
    struct carom_twostage *w = stepper->work;
    const size_t n = w->chain.n;
    carom_twostage_configure(w, w->step);
    const struct carom_stages *s = &w->stages;
    const double given[NGIVEN] = {s->both.a,         s->both.b,      s->both.c,    s->both.d,   s->carried.a,
                                  s->carried.b,      s->carried.c,   s->carried.d, s->reach.a,  s->reach.b,
                                  s->both_to_x.a,    s->both_to_x.b, s->f_to_v.a,  s->f_to_v.b, stepper->scales.length,
                                  w->chain.left_wall};
    const bool regular = fabs(w->step - state->memory[CAROM_TWOSTAGE_SIZE]) <= 1e-9 * w->step;
    const double own[2] = {regular ? state->memory[CAROM_TWOSTAGE_HISTORY] : -1.0, state->memory[CAROM_TWOSTAGE_TRUST]};
    tell_shape(r, c, stepper);
    carom_abreast_put(r, GIVEN, c, 0, NGIVEN, given);
    carom_abreast_put(r, PLACES, c, 0, n, state->q);
    carom_abreast_put(r, VELOCITIES, c, 0, n, state->v);
    for (size_t k = 0; k < KEPT; k++)
        carom_abreast_put(r, LOWS + k / 2, c, k % 2 * n, n, carom_twostage_column(w, state, kept[k]));
    if (!r->plain)
        carom_abreast_put(r, LOST, c, 1 - w->chain.shift, state->nlost, state->lost);
    carom_abreast_put(r, OWN, c, 0, 2, own);
    return true;
}

static bool hear(const struct carom_abreast_rows *r, size_t c, struct carom_stepper *stepper, struct carom_state *state)
{
    const struct carom_twostage *w = work_of(stepper);
    const size_t n = w->chain.n;
    double own[2];
    carom_abreast_take(r, OWN, c, 0, 2, own);
    if (own[0] < 0.0)
        return false;
    carom_abreast_take(r, PLACES, c, 0, n, state->q);
    carom_abreast_take(r, VELOCITIES, c, 0, n, state->v);
    for (size_t k = 0; k < KEPT; k++)
        carom_abreast_take(r, LOWS + k / 2, c, k % 2 * n, n, carom_twostage_column(w, state, kept[k]));
    if (!r->plain)
        carom_abreast_take(r, LOST, c, 1 - w->chain.shift, state->nlost, state->lost);
    state->memory[CAROM_TWOSTAGE_HISTORY] = own[0];
    state->memory[CAROM_TWOSTAGE_TRUST] = own[1];
    return true;
}

const struct carom_abreast_scheme carom_irk_abreast = {
    .scheme = &carom_scheme_irk,
    .text = {carom_texts_irk},
    .even = true,
    .sent = ARRAYS,
    .first_back = PLACES,
    .arrays = ARRAYS,
    .fits = fits,
    .head = head,
    .tell = tell,
    .hear = hear,
};

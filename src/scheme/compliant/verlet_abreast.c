/* Rows under verlet beside each other on a device: what their kernel, src/kernel/chain.cl, is told and tells. */
#include "scheme/abreast.h"

#include "kernel/texts.h"
#include "scheme/compliant/verlet_rows.h"
#include "scheme/stepper.h"

enum { MADE, INVERSE, PLACES, VELOCITIES, LOST, NEXT, ARRAYS };

static double step_of(const struct carom_stepper *stepper)
{
    return ((const struct carom_stepper_options *)stepper->options)->step;
}

static bool fits(const struct carom_stepper *a, const struct carom_stepper *b, struct carom_error *error)
{
    if (carom_verlet_rows_accept(a->model, error) != CAROM_OK || a == b)
        return error->status == CAROM_OK;
    return b->scheme == a->scheme && carom_verlet_rows_accept(b->model, error) == CAROM_OK &&
           step_of(a) == step_of(b) && a->model->nv == b->model->nv && a->model->nc == b->model->nc &&
           a->model->damped == b->model->damped && carom_chain_of(a->model).shift == carom_chain_of(b->model).shift;
}

static void head(struct carom_abreast_rows *r, struct carom_stepper *const *stepper, char *text, size_t size)
{
    const struct carom_model *model = stepper[0]->model;
    struct carom_verlet_kind kind = carom_verlet_rows_kind(model);
    for (size_t c = 1; c < r->rows; c++)
        kind = carom_verlet_rows_both(kind, carom_verlet_rows_kind(stepper[c]->model));
    kind.n = model->nv;
    carom_verlet_rows_head(&kind, text, size);
    r->alike = kind.alike;
    r->plain = kind.hertz;
    r->length[MADE] = carom_verlet_rows_made(&kind, model->nc);
    r->length[INVERSE] = carom_verlet_rows_masses(&kind, model->nv);
    r->length[PLACES] = r->length[VELOCITIES] = model->nv;
    r->length[LOST] = kind.damped ? model->nc : 0;
    r->length[NEXT] = kind.damped || r->looked ? model->nv : 0;
}

static double *own_numbers(const struct carom_state *state, size_t array)
{
    return array == PLACES ? state->q : array == VELOCITIES ? state->v : state->lost;
}

static bool tell(const struct carom_abreast_rows *r, size_t c, struct carom_stepper *stepper,
                 const struct carom_state *state)
{
    const struct carom_verlet_kind kind = {.alike = r->alike, .hertz = r->plain};
    carom_verlet_rows_tell(&kind, stepper->model, r->rows, c, r->number[MADE], r->number[INVERSE]);
    for (size_t m = PLACES; m <= LOST; m++)
        carom_abreast_put(r, m, c, 0, r->length[m], own_numbers(state, m));
    return true;
}

static bool hear(const struct carom_abreast_rows *r, size_t c, struct carom_stepper *stepper, struct carom_state *state)
{
    bool finite = true; /* once a velocity is not finite, it never is again */
    (void)stepper;
    for (size_t i = 0; i < r->length[VELOCITIES]; i++)
        finite &= fabs(r->number[VELOCITIES][i * r->rows + c]) < HUGE_VAL;
    for (size_t m = PLACES; m <= LOST && finite; m++)
        carom_abreast_take(r, m, c, 0, r->length[m], own_numbers(state, m));
    return finite;
}

const struct carom_abreast_scheme carom_verlet_abreast = {
    .scheme = &carom_scheme_verlet,
    .text = {carom_texts_press, carom_texts_chain},
    .sent = NEXT,
    .first_back = PLACES,
    .arrays = ARRAYS,
    .fits = fits,
    .head = head,
    .tell = tell,
    .hear = hear,
};

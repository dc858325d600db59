/* Rows under theta beside each other on a device: what their kernel, src/kernel/theta.cl, is told and tells. Arrays of
 * a row are those of its fold (theta_fold.h), slots of beads without the wall's. */
#include "scheme/abreast.h"

#include <stdio.h>

#include "carom/law.h"
#include "kernel/texts.h"
#include "scheme/chain/adapt.h"
#include "scheme/chain/theta_fold.h"

enum { MADE, MASS, LENGTH, PLACES, VELOCITIES, LOST, EARLIER, SIZE, ARRAYS };
enum { MOST = 32, SHORT = 32, ROOM = 47 << 10 }; /* places of a work group; beads of short rows; bytes */

static enum carom_status accept(const struct carom_stepper *stepper, struct carom_error *error)
{
    const struct carom_model *model = stepper->model;
    const struct carom_beads *beads = carom_model_chain(model);
    const struct carom_adapt_options *options = stepper->options;
    const char *lacks = beads->n > CAROM_ABREAST_LONGEST    ? "rows of at most 256 beads"
                        : beads->loaded                     ? "rows without loads, drives and local forces"
                        : beads->spring                     ? "rows without local springs"
                        : !carom_theta_fold_hertzian(model) ? "contacts of laws hertz and kuwabara-kono"
                        : model->clipped || model->latches  ? "damped contacts with contact_end: gap"
                        : options->adapt > 0.0              ? "steps of one size, without adapt"
                                                            : NULL;
    return lacks ? carom_error_set(error, CAROM_E_REFUSED,
                                   "devices take %s under theta; device: none runs this scene on the processor", lacks)
                 : CAROM_OK;
}

static bool fits(const struct carom_stepper *a, const struct carom_stepper *b, struct carom_error *error)
{
    if (accept(a, error) != CAROM_OK || a == b)
        return error->status == CAROM_OK;
    return b->scheme == a->scheme && accept(b, error) == CAROM_OK && a->model->nv == b->model->nv &&
           a->model->damped == b->model->damped;
}

/* are all beads of a row the same, and all contacts between them? */
static bool is_alike(const struct carom_model *model)
{
    const struct carom_chain chain = carom_chain_of(model);
    bool alike = true;
    for (size_t i = 1; i < chain.n; i++)
        alike &= chain.beads->mass[i] == chain.beads->mass[0];
    for (size_t g = 0, first = chain.left_wall; g < model->ngroups; g++) {
        const struct carom_group *group = &model->group[g];
        for (size_t j = group->first; j < group->first + group->count; j++) {
            const size_t end = chain.nc - chain.right_wall;
            if (j <= first || j >= end)
                continue;
            alike &= j > group->first && chain.gap[j] == chain.gap[first];
            for (size_t k = 0; alike && k < 2 && (k == 0 || group->law == &carom_law_kuwabara_kono); k++)
                alike &= group->param[k][j - group->first] == group->param[k][j - group->first - 1];
        }
    }
    return alike;
}

static void head(struct carom_abreast_rows *r, struct carom_stepper *const *stepper, char *text, size_t size)
{
    const struct carom_model *model = stepper[0]->model;
    const size_t n = model->nv, half = (n + 1) / 2, last = n / 2;
    r->alike = true;
    for (size_t c = 0; c < r->rows; c++)
        r->alike &= is_alike(stepper[c]->model);
    r->plain = !model->damped;
    r->length[MADE] = 2 * 3 * (r->alike ? 2 : last + 1);
    r->length[MASS] = 2 * 2 * (r->alike ? 1 : half);
    r->length[LENGTH] = r->length[SIZE] = 1;
    r->length[PLACES] = r->length[VELOCITIES] = 2 * half;
    r->length[LOST] = r->plain ? 0 : 2 * (last + 1);
    r->length[EARLIER] = 2 * (last + 1);
    const bool held = r->card && n <= SHORT;
    const size_t numbers = (held ? 2 : 5) * half + 2 * (last + 1) + 3; /* that a side of a row has there */
    r->places = r->card ? 2 : 1;
    r->group = MOST;
    while (r->group > r->places && r->group * (2 / r->places) * numbers * sizeof(double) > ROOM)
        r->group /= 2;
    snprintf(text, size, "#define N %zu\n#define DAMPED %d\n#define ALIKE %d\n#define HELD %d\n#define GROUP %zu\n", n,
             !r->plain, r->alike, held, r->group);
}

static bool tell(const struct carom_abreast_rows *r, size_t c, struct carom_stepper *stepper,
                 const struct carom_state *state)
{
    struct carom_error ignored;
    struct carom_theta_fold f;
    const struct carom_model *model = stepper->model;
    if (carom_theta_fold_open(&f, 1, &model, &stepper->scales.length, &ignored) != CAROM_OK)
        return false;
    const size_t made = r->length[MADE] / 3, masses = r->length[MASS] / 2;
    carom_abreast_put(r, MADE, c, 0, made, f.stiffness);
    carom_abreast_put(r, MADE, c, made, made, f.gap);
    carom_abreast_put(r, MADE, c, 2 * made, made, f.gamma);
    carom_abreast_put(r, MASS, c, 0, masses, f.mass + 2);
    carom_abreast_put(r, MASS, c, masses, masses, f.inverse_mass + 2);
    carom_abreast_put(r, LENGTH, c, 0, 1, &f.lane[0].length);
    carom_theta_fold_put(&f, 0, state->q, f.x);
    carom_theta_fold_put(&f, 0, state->v, f.v);
    if (!r->plain)
        carom_theta_fold_put_contacts(&f, 0, state->lost, f.lost);
    carom_theta_fold_recall(&f, 0, state->memory, f.earlier);
    carom_abreast_put(r, PLACES, c, 0, r->length[PLACES], f.x + 2);
    carom_abreast_put(r, VELOCITIES, c, 0, r->length[VELOCITIES], f.v + 2);
    carom_abreast_put(r, LOST, c, 0, r->length[LOST], f.lost);
    carom_abreast_put(r, EARLIER, c, 0, r->length[EARLIER], f.earlier);
    carom_abreast_put(r, SIZE, c, 0, 1, &state->memory[CAROM_THETA_SIZE]);
    carom_theta_fold_close(&f);
    return true;
}

/* contacts beside a bead in the middle mirror each other */
static void reflect(const struct carom_theta_fold *f, double *contacts)
{
    for (size_t side = 0; f->n % 2 == 1 && side < 2; side++)
        contacts[2 * f->half + side] = contacts[2 * f->half - 1 - side];
}

static bool hear(const struct carom_abreast_rows *r, size_t c, struct carom_stepper *stepper, struct carom_state *state)
{
    struct carom_error ignored;
    struct carom_theta_fold f;
    const struct carom_model *model = stepper->model;
    double size;
    carom_abreast_take(r, SIZE, c, 0, 1, &size);
    if (size != size || carom_theta_fold_open(&f, 1, &model, &stepper->scales.length, &ignored) != CAROM_OK)
        return false;
    carom_abreast_take(r, PLACES, c, 0, r->length[PLACES], f.x + 2);
    carom_abreast_take(r, VELOCITIES, c, 0, r->length[VELOCITIES], f.v + 2);
    carom_abreast_take(r, LOST, c, 0, r->length[LOST], f.lost);
    carom_abreast_take(r, EARLIER, c, 0, r->length[EARLIER], f.earlier);
    reflect(&f, f.earlier);
    carom_theta_fold_take(&f, 0, f.x, state->q);
    carom_theta_fold_take(&f, 0, f.v, state->v);
    if (!r->plain)
        carom_theta_fold_take_contacts(&f, 0, f.lost, state->lost);
    carom_theta_fold_remember(&f, 0, f.earlier, state->memory);
    state->memory[CAROM_THETA_SIZE] = size;
    carom_theta_fold_close(&f);
    return true;
}

const struct carom_abreast_scheme carom_theta_abreast = {
    .scheme = &carom_scheme_theta,
    .text = {carom_texts_theta},
    .sent = ARRAYS,
    .first_back = PLACES,
    .arrays = ARRAYS,
    .fits = fits,
    .head = head,
    .tell = tell,
    .hear = hear,
};

/* Folding, unfolding and the constants of folded chains. */
#include "scheme/chain/theta_fold.h"

#include <string.h>

#include "base/memory.h"
#include "carom/law.h"

/* clang-format off */
static double **array(struct carom_theta_fold *f, size_t i)
{
    double **const all[] = {
        &f->mass, &f->inverse_mass, &f->stiffness, &f->gap, &f->gamma, &f->lag, &f->x, &f->v, &f->lost, &f->elastic,
        &f->earlier, &f->next, &f->u, &f->drifted, &f->trial, &f->known, &f->impulse, &f->flow, &f->residual,
        &f->update, &f->bond, &f->ratio, &f->spring, &f->spring_gamma, /* the last two only if there are springs */
    };
    const size_t count = sizeof all / sizeof *all - (f->springs ? 0 : 2);
    return i < count ? all[i] : NULL;
}
/* clang-format on */

static inline size_t place(const struct carom_theta_fold *f, size_t slot, size_t chain)
{
    return 2 * (slot * f->chains + chain);
}

void carom_theta_fold_put(const struct carom_theta_fold *f, size_t chain, const double *from, double *to)
{
    const size_t n = f->n, half = f->half, width = 2 * f->chains;
    double *pair = to + width + 2 * chain;
    for (size_t i = 1; i <= half; i++, pair += width) {
        pair[0] = from[i - 1];
        pair[1] = -from[n - i];
    }
}

void carom_theta_fold_take(const struct carom_theta_fold *f, size_t chain, const double *from, double *to)
{
    const size_t n = f->n, half = f->half, width = 2 * f->chains;
    const double *pair = from + width + 2 * chain;
    for (size_t i = 1; i <= half; i++, pair += width) {
        to[i - 1] = pair[0];
        to[n - i] = 0.0 - pair[1]; /* no negative zeros for beads at rest */
    }
}

/* the contacts in the left and right lane of a slot; nc where there is none */
static void contacts_of(const struct carom_chain *c, size_t slot, size_t *left, size_t *right)
{
    const size_t end = c->n + c->shift;
    *left = slot + c->shift > 0 && slot + c->shift - 1 < c->nc ? slot + c->shift - 1 : c->nc;
    *right = slot < end && end - slot - 1 < c->nc ? end - slot - 1 : c->nc;
}

void carom_theta_fold_put_contacts(const struct carom_theta_fold *f, size_t chain, const double *from, double *to)
{
    const struct carom_chain *c = &f->lane[chain].chain;
    for (size_t i = 0; i <= f->half; i++) {
        size_t left, right;
        contacts_of(c, i, &left, &right);
        to[place(f, i, chain)] = left < c->nc ? from[left] : 0.0;
        to[place(f, i, chain) + 1] = right < c->nc ? from[right] : 0.0;
    }
}

void carom_theta_fold_take_contacts(const struct carom_theta_fold *f, size_t chain, const double *from, double *to)
{
    const struct carom_chain *c = &f->lane[chain].chain;
    const size_t end = c->n + c->shift, width = 2 * f->chains, s = c->shift;
    const double *pair = from + 2 * chain;
    if (c->left_wall)
        to[0] = pair[0];
    if (c->right_wall)
        to[c->nc - 1] = pair[1];
    for (size_t i = 1; i <= c->n / 2; i++) { /* both contacts of a bead in the middle are ahead of others */
        pair += width;
        to[i + s - 1] = pair[0];
        to[end - i - 1] = pair[1];
    }
}

size_t carom_theta_fold_memory(size_t n)
{
    return CAROM_THETA_FORCES + 2 * ((n + 1) / 2 + 1);
}

void carom_theta_fold_recall(const struct carom_theta_fold *f, size_t chain, const double *memory, double *to)
{
    for (size_t i = 0; i <= f->half; i++)
        memcpy(to + place(f, i, chain), memory + CAROM_THETA_FORCES + 2 * i, 2 * sizeof *to);
}

void carom_theta_fold_remember(const struct carom_theta_fold *f, size_t chain, const double *from, double *memory)
{
    if (f->chains == 1)
        memcpy(memory + CAROM_THETA_FORCES, from, 2 * (f->half + 1) * sizeof *from);
    for (size_t i = 0; f->chains > 1 && i <= f->half; i++)
        memcpy(memory + CAROM_THETA_FORCES + 2 * i, from + place(f, i, chain), 2 * sizeof *from);
}

void carom_theta_fold_press(struct carom_theta_fold *f, size_t chain)
{
    const struct carom_theta_lane *lane = &f->lane[chain];
    const size_t nc = lane->chain.nc;
    double *q = f->natural, *deform = q + f->n, *elastic = deform + nc, *slope = elastic + nc;
    carom_theta_fold_take(f, chain, f->trial, q);
    carom_chain_deform(&lane->chain, 0, nc, q, deform);
    const struct carom_response want = {.elastic = elastic, .slope = slope};
    carom_contacts_evaluate(lane->model, 0, nc, deform, NULL, NULL, &want);
    carom_theta_fold_put_contacts(f, chain, elastic, f->next);
    carom_theta_fold_put_contacts(f, chain, slope, f->bond);
}

void carom_theta_fold_pace(struct carom_theta_fold *f, double h)
{
    if (h == f->h)
        return;
    for (size_t i = 0; i < f->doubles; i++)
        f->lag[i] = 0.5 * (h + f->gamma[i]);
    f->h = h;
}

void carom_theta_fold_gamma(const struct carom_model *model, double *gamma)
{
    for (size_t g = 0; g < model->ngroups; g++) {
        const struct carom_group *group = &model->group[g];
        const double *const *param = (const double *const *)group->param;
        for (size_t j = 0; j < group->count; j++)
            gamma[group->first + j] = group->law->viscous_time ? group->law->viscous_time(param, j) : 0.0;
    }
}

double carom_theta_fold_spring_gamma(const struct carom_chain *c, const double *gamma, size_t i)
{
    const bool left = i + c->shift > 0, right = i + c->shift < c->nc;
    const double before = left ? gamma[i + c->shift - 1] : 0.0, after = right ? gamma[i + c->shift] : 0.0;
    return left && right ? 0.5 * (before + after) : before + after;
}

bool carom_theta_fold_hertzian(const struct carom_model *model)
{
    bool all = true;
    for (size_t g = 0; g < model->ngroups; g++)
        all &= model->group[g].law == &carom_law_hertz || model->group[g].law == &carom_law_kuwabara_kono;
    return all;
}

static void lay_contacts(struct carom_theta_fold *f, size_t chain, double *room)
{
    const struct carom_theta_lane *lane = &f->lane[chain];
    for (size_t g = 0; f->hertzian && g < lane->model->ngroups; g++) {
        const struct carom_group *group = &lane->model->group[g];
        memcpy(room + group->first, group->param[0], group->count * sizeof *room);
    }
    carom_theta_fold_put_contacts(f, chain, room, f->stiffness);
    carom_theta_fold_gamma(lane->model, room);
    carom_theta_fold_put_contacts(f, chain, room, f->gamma);
    carom_theta_fold_put_contacts(f, chain, lane->chain.gap, f->gap);
    if (!lane->chain.left_wall)
        f->gap[place(f, 0, chain)] = HUGE_VAL;
    if (!lane->chain.right_wall)
        f->gap[place(f, 0, chain) + 1] = HUGE_VAL;
}

static void lay_beads(struct carom_theta_fold *f, size_t chain, const double *gamma)
{
    const struct carom_chain *c = &f->lane[chain].chain;
    for (size_t i = 1; i <= f->half; i++)
        for (size_t side = 0; side < 2; side++) {
            const size_t at = place(f, i, chain) + side, bead = side == 0 ? i - 1 : f->n - i;
            f->mass[at] = c->beads->mass[bead];
            f->inverse_mass[at] = c->beads->inverse_mass[bead];
            if (c->beads->spring) {
                f->spring[at] = c->beads->spring[bead];
                f->spring_gamma[at] = carom_theta_fold_spring_gamma(c, gamma, bead);
            }
        }
}

void carom_theta_fold_close(struct carom_theta_fold *f)
{
    carom_memory_free_all(f->block, f->natural);
    *f = (struct carom_theta_fold){0};
}

enum carom_status carom_theta_fold_open(struct carom_theta_fold *f, size_t chains,
                                        const struct carom_model *const *model, const double *length,
                                        struct carom_error *error)
{
    *f = (struct carom_theta_fold){.chains = chains, .hertzian = true};
    for (size_t c = 0; c < chains; c++) {
        f->lane[c] = (struct carom_theta_lane){
            .model = model[c], .chain = carom_chain_of(model[c]), .length = length[c] > 0.0 ? length[c] : 1.0};
        f->springs |= f->lane[c].chain.beads->spring != NULL;
        f->hertzian &= carom_theta_fold_hertzian(model[c]);
    }
    f->n = f->lane[0].chain.n;
    f->half = (f->n + 1) / 2;
    /* passes take four pairs at a time, and read one slot more */
    f->contacts_end = (place(f, f->n / 2 + 1, 0) + 7) / 8 * 8;
    f->beads_end = place(f, 1, 0) + (place(f, f->half, 0) + 7) / 8 * 8;
    f->doubles = (f->beads_end > f->contacts_end ? f->beads_end : f->contacts_end) + place(f, 2, 0);
    size_t arrays = 0;
    while (array(f, arrays))
        arrays++;
    f->block = carom_memory_zeroed(arrays * f->doubles, sizeof(double));
    f->natural = carom_memory_zeroed(4 * f->n + 3, sizeof(double));
    if (!f->block || !f->natural) {
        carom_theta_fold_close(f);
        return carom_error_set(error, CAROM_E_MEMORY, "out of memory for scheme theta");
    }
    for (size_t i = 0; i < arrays; i++)
        *array(f, i) = f->block + i * f->doubles;
    for (size_t i = 0; i < f->doubles; i++)
        f->gap[i] = HUGE_VAL; /* padding carries no force */
    for (size_t c = 0; c < chains; c++) {
        lay_contacts(f, c, f->natural);
        lay_beads(f, c, f->natural);
    }
    if (f->hertzian) {
        carom_memory_free(f->natural);
        f->natural = NULL;
    }
    return CAROM_OK;
}

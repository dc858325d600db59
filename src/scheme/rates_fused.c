/* Three short loops instead of a dozen: contacts, beads, losses. Same operations in the same order as the laws and
 * rates.c, so the same bits; on chains of a few dozen beads, where calls cost as much as arithmetic, twice as fast. */
#include "scheme/rates_fused.h"

#include "law/kernels.h"

bool carom_rates_fused_fits(const struct carom_rates *r)
{
    if (!r->regular || r->cut || r->model->ngroups != 1)
        return false;
    const struct carom_law *law = r->model->group[0].law;
    return law == &carom_law_hertz || law == &carom_law_kuwabara_kono;
}

enum { BLOCK = 64 };

/* Contacts [from, to), both ends of which are beads: overlap and forces. Square roots have a loop of their own: mixed
 * with other arithmetic they occupy only one of the two units that some processors have for them. */
static void contacts(struct carom_rates *r, size_t from, size_t to, const double *restrict q)
{
    const double *const *param = (const double *const *)r->model->group[0].param;
    const double *restrict gap = r->chain.gap, *restrict k = param[0];
    double *restrict deform = r->deform, *restrict elastic = r->elastic;
    const size_t shift = r->chain.shift;
    double d[BLOCK], root[BLOCK];
    for (size_t first = from; first < to; first += BLOCK) {
        const size_t n = to - first < BLOCK ? to - first : BLOCK;
        for (size_t j = 0; j < n; j++) {
            const double y = q[first + j - shift] - q[first + j - shift + 1] - gap[first + j];
            deform[first + j] = y;
            d[j] = carom_kernel_overlap(y);
        }
        for (size_t j = 0; j < n; j++)
            root[j] = sqrt(d[j]);
        if (!r->model->damped) {
            for (size_t j = 0; j < n; j++)
                elastic[first + j] = k[first + j] * (d[j] * root[j]);
            continue;
        }
        const double *restrict gamma = param[1];
        double *restrict viscous = r->viscous, *restrict drag = r->drag;
        for (size_t j = 0; j < n; j++) {
            const double force = k[first + j] * (d[j] * root[j]);
            elastic[first + j] = force;
            viscous[first + j] = gamma[first + j] * force;
            drag[first + j] = gamma[first + j] * (1.5 * k[first + j] * root[j]);
        }
    }
}

/* a contact with a wall, by the general way */
static void wall(struct carom_rates *r, size_t j, const double *q)
{
    carom_chain_deform(&r->chain, j, j + 1, q, r->deform + j);
    const bool damped = r->model->damped;
    const struct carom_response want = {
        .elastic = r->elastic + j, .viscous = damped ? r->viscous + j : NULL, .drag = damped ? r->drag + j : NULL};
    carom_contacts_evaluate(r->model, j, j + 1, r->deform + j, NULL, NULL, &want);
}

/* beads [from, to) with a contact, maybe sealed, on either side */
static void beads_between(const struct carom_rates *r, size_t from, size_t to, const double *y, double *restrict dy)
{
    const size_t n = r->chain.n, shift = r->chain.shift;
    const double *restrict inverse = r->chain.beads->inverse_mass, *restrict w = y + n;
    const double *restrict elastic = r->elastic + shift, *restrict viscous = r->viscous + shift;
    if (r->model->damped)
        for (size_t i = from; i < to; i++)
            dy[i] = w[i] + (viscous[i - 1] - viscous[i]) * inverse[i];
    else
        for (size_t i = from; i < to; i++)
            dy[i] = w[i];
    for (size_t i = from; i < to; i++)
        dy[n + i] = (elastic[i - 1] - elastic[i]) * inverse[i];
}

/* a bead at an end of the chain */
static void bead_at_end(const struct carom_rates *r, size_t i, const double *y, double *dy)
{
    const size_t n = r->chain.n;
    double push = 0.0;
    dy[i] = y[n + i];
    if (r->model->damped) {
        carom_chain_push(&r->chain, i, i + 1, r->viscous, 0, &push);
        dy[i] = y[n + i] + push * r->chain.beads->inverse_mass[i];
    }
    carom_chain_push(&r->chain, i, i + 1, r->elastic, 0, &push);
    dy[n + i] = push * r->chain.beads->inverse_mass[i];
}

static void losses(struct carom_rates *r, const struct carom_span *s, double *dy)
{
    double *restrict lost = dy + r->nstate, *restrict impulse = dy + r->nall, *restrict rate = r->rate;
    const double *restrict drag = r->drag;
    carom_chain_rate(&r->chain, s->inner, s->outer, dy, rate + s->inner);
    for (size_t j = s->inner; j < s->outer; j++) {
        const double given = drag[j] * rate[j];
        impulse[j] = given;
        lost[j] = given * rate[j];
    }
}

void carom_rates_fused_span(struct carom_rates *r, const struct carom_span *s, const double *y, double *dy)
{
    const struct carom_chain *c = &r->chain;
    const bool left = c->left_wall && s->inner == 0, right = c->right_wall && s->outer == c->nc;
    contacts(r, s->inner + (left ? 1 : 0), s->outer - (right ? 1 : 0), y);
    if (left)
        wall(r, 0, y);
    if (right)
        wall(r, c->nc - 1, y);
    const bool at_start = s->first == 0, at_end = s->last == c->n && s->last > s->first + (at_start ? 1 : 0);
    beads_between(r, s->first + (at_start ? 1 : 0), s->last - (at_end ? 1 : 0), y, dy);
    if (at_start)
        bead_at_end(r, 0, y, dy);
    if (at_end)
        bead_at_end(r, c->n - 1, y, dy);
    const struct carom_beads *beads = c->beads;
    for (size_t i = s->first; beads->spring && i < s->last; i++) {
        double push;
        carom_chain_push(c, i, i + 1, r->elastic, 0, &push);
        dy[c->n + i] = (push - beads->spring[i] * y[i]) * beads->inverse_mass[i];
    }
    if (r->model->damped)
        losses(r, s, dy);
}

/* Three short loops instead of a dozen: contacts, beads, losses. Same operations in the same order as the laws and
 * rates.c, so the same bits; on chains of a few dozen beads, where calls cost as much as arithmetic, twice as fast. */
#include "scheme/compliant/rates.h"

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
            const double stiff = k[first + j], time = gamma[first + j], side = root[j];
            const double force = stiff * (d[j] * side);
            elastic[first + j] = force;
            viscous[first + j] = time * force;
            drag[first + j] = time * (1.5 * stiff * side);
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
static void beads_between(const struct carom_rates *r, size_t from, size_t to, const double *y, double *restrict dy,
                          double *restrict push)
{
    const size_t n = r->chain.n, shift = r->chain.shift;
    const double *restrict inverse = r->chain.beads->inverse_mass, *restrict w = y + n;
    const double *restrict elastic = r->elastic + shift, *restrict viscous = r->viscous + shift;
    if (r->model->damped) {
        for (size_t i = from; i < to; i++) {
            const double light = inverse[i];
            dy[i] = w[i] + (viscous[i - 1] - viscous[i]) * light;
            push[i] = (elastic[i - 1] - elastic[i]) * light;
        }
        return;
    }
    for (size_t i = from; i < to; i++) {
        dy[i] = w[i];
        push[i] = (elastic[i - 1] - elastic[i]) * inverse[i];
    }
}

/* the push of contacts on bead i, which may be at an end of the chain */
static double push_on(const struct carom_chain *c, size_t i, const double *f)
{
    const size_t right = i + c->shift;
    if (right > 0 && right < c->nc)
        return f[right - 1] - f[right];
    return right > 0 ? f[right - 1] : right < c->nc ? -f[right] : 0.0;
}

static void bead_at_end(const struct carom_rates *r, size_t i, const double *y, double *dy)
{
    const double inverse = r->chain.beads->inverse_mass[i], w = y[r->chain.n + i];
    dy[i] = r->model->damped ? w + push_on(&r->chain, i, r->viscous) * inverse : w;
    dy[r->chain.n + i] = push_on(&r->chain, i, r->elastic) * inverse;
}

/* what contact j loses at this rate of its overlap */
static void lose(const struct carom_rates *r, size_t j, double rate, double *dy)
{
    const double given = r->drag[j] * rate;
    r->rate[j] = rate;
    dy[r->nall + j] = given;
    dy[r->nstate + j] = given * rate;
}

/* contacts [from, to), both ends of which are beads */
static void losses(const struct carom_rates *r, size_t from, size_t to, const double *restrict v, double *restrict lost,
                   double *restrict impulse)
{
    const double *restrict drag = r->drag;
    double *restrict rate = r->rate;
    const size_t shift = r->chain.shift;
    for (size_t j = from; j < to; j++) {
        const double now = v[j - shift] - v[j - shift + 1], given = drag[j] * now;
        rate[j] = now;
        impulse[j] = given;
        lost[j] = given * now;
    }
}

static void loss_at_wall(const struct carom_rates *r, size_t j, double *dy)
{
    double rate = 0.0;
    carom_chain_rate(&r->chain, j, j + 1, dy, &rate);
    lose(r, j, rate, dy);
}

void carom_rates_fused_span(struct carom_rates *r, const struct carom_span *s, const double *y, double *dy)
{
    const struct carom_chain *c = &r->chain;
    const bool left = c->left_wall && s->inner == 0, right = c->right_wall && s->outer == c->nc;
    const size_t from = s->inner + (left ? 1 : 0), to = s->outer - (right ? 1 : 0);
    contacts(r, from, to, y);
    if (left)
        wall(r, 0, y);
    if (right)
        wall(r, c->nc - 1, y);
    const bool at_start = s->first == 0, at_end = s->last == c->n && s->last > s->first + (at_start ? 1 : 0);
    beads_between(r, s->first + (at_start ? 1 : 0), s->last - (at_end ? 1 : 0), y, dy, dy + c->n);
    if (at_start)
        bead_at_end(r, 0, y, dy);
    if (at_end)
        bead_at_end(r, c->n - 1, y, dy);
    const struct carom_beads *beads = c->beads;
    for (size_t i = s->first; beads->spring && i < s->last; i++)
        dy[c->n + i] = (push_on(c, i, r->elastic) - beads->spring[i] * y[i]) * beads->inverse_mass[i];
    if (!r->model->damped)
        return;
    losses(r, from, to, dy, dy + r->nstate, dy + r->nall);
    if (left)
        loss_at_wall(r, 0, dy);
    if (right)
        loss_at_wall(r, c->nc - 1, dy);
}

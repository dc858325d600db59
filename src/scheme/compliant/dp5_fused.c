/* The loops of dp5_fused.h. Two contacts share a register, and a dozen of them go side by side, so that their square
 * roots, which take longest, follow each other without a pause: half the time of separate loops on chains of a few
 * dozen beads. */
#include "scheme/compliant/dp5_fused.h"

#include "base/lane.h"
#include "law/kernels.h"
#include "scheme/compliant/rates.h"

enum { STAGES = CAROM_DORMAND_PRINCE_STAGES };

bool carom_dp5_fused_fits(const struct carom_rates *r)
{
    return carom_rates_fused_fits(r) && !r->chain.beads->loaded && r->chain.beads->ndrives == 0;
}

size_t carom_dp5_fused_more(const struct carom_rates *r)
{
    return r->nextra;
}

/* A span under evaluation: arrays begin with its first bead or with the contact on that bead's right. */
struct work {
    const double *gap, *k, *gamma;   /* contacts */
    const double *inverse, *spring;  /* beads; NULL: no springs */
    const double *q, *w;             /* beads */
    double *deform, *root;           /* contacts; no root: no damping */
    double *velocity, *acceleration; /* beads */
};

/* What contacts carry, elastic and viscous; of two of them, or in [1] of the contact on the left of the next bead. */
struct carried {
    carom_lane elastic, viscous;
};

#define GET(field, at) carom_lane_load(o->field + (at))
#define PUT(field, at, value) carom_lane_store(o->field + (at), value)

/* `count` pairs of beads from i on, with the contacts on their right */
ALWAYS_INLINE struct carried pairs(const struct work *o, struct carried left, size_t i, int count, bool damped,
                                   bool sprung)
{
    carom_lane d[6], root[6];
#pragma GCC unroll 6
    for (int u = 0; u < count; u++) {
        const size_t j = i + 2 * (size_t)u;
        const carom_lane deform = GET(q, j) - GET(q, j + 1) - GET(gap, j);
        PUT(deform, j, deform);
        d[u] = carom_lane_positive(deform);
    }
#pragma GCC unroll 6
    for (int u = 0; u < count; u++)
        root[u] = carom_lane_sqrt(d[u]);
#pragma GCC unroll 6
    for (int u = 0; u < count; u++) {
        const size_t j = i + 2 * (size_t)u;
        const carom_lane inverse = GET(inverse, j), elastic = GET(k, j) * (d[u] * root[u]);
        carom_lane push = carom_lane_between(left.elastic, elastic) - elastic, velocity = GET(w, j);
        if (sprung)
            push -= GET(spring, j) * GET(q, j);
        PUT(acceleration, j, push * inverse);
        left.elastic = elastic;
        if (damped) {
            const carom_lane viscous = GET(gamma, j) * elastic;
            PUT(root, j, root[u]);
            velocity += (carom_lane_between(left.viscous, viscous) - viscous) * inverse;
            left.viscous = viscous;
        }
        PUT(velocity, j, velocity);
    }
    return left;
}

/* the bulk of n beads, each with a neighbour on its right; *done: how many they are */
ALWAYS_INLINE struct carried bulk(const struct work *o, struct carried left, size_t n, bool damped, bool sprung,
                                  size_t *done)
{
    size_t i = 0;
    for (; i + 12 <= n; i += 12)
        left = pairs(o, left, i, 6, damped, sprung);
    for (; i + 4 <= n; i += 4)
        left = pairs(o, left, i, 2, damped, sprung);
    for (; i + 2 <= n; i += 2)
        left = pairs(o, left, i, 1, damped, sprung);
    *done = i;
    return left;
}

/* contact j alone; deform is without its gap */
ALWAYS_INLINE struct carried single(const struct work *o, ptrdiff_t j, double deform)
{
    deform -= o->gap[j];
    o->deform[j] = deform;
    const double d = carom_kernel_overlap(deform), root = sqrt(d), elastic = o->k[j] * (d * root);
    if (!o->root)
        return (struct carried){.elastic = {0.0, elastic}};
    o->root[j] = root;
    return (struct carried){.elastic = {0.0, elastic}, .viscous = {0.0, o->gamma[j] * elastic}};
}

/* bead i alone */
ALWAYS_INLINE void bead(const struct work *o, struct carried left, size_t i, struct carried right)
{
    double push = left.elastic[1] - right.elastic[1];
    if (o->spring)
        push -= o->spring[i] * o->q[i];
    o->acceleration[i] = push * o->inverse[i];
    o->velocity[i] = o->root ? o->w[i] + (left.viscous[1] - right.viscous[1]) * o->inverse[i] : o->w[i];
}

static struct work work_of(struct carom_rates *r, const struct carom_span *s, const double *y, double *dy)
{
    const struct carom_chain *c = &r->chain;
    const double *const *param = (const double *const *)r->model->group[0].param, *spring = c->beads->spring;
    const size_t first = s->first, right = first + c->shift;
    return (struct work){.gap = c->gap + right,
                         .k = param[0] + right,
                         .gamma = r->nextra ? param[1] + right : NULL,
                         .inverse = c->beads->inverse_mass + first,
                         .spring = spring ? spring + first : NULL,
                         .q = y + first,
                         .w = y + c->n + first,
                         .deform = r->deform + right,
                         .root = r->nextra ? dy + r->nall + r->nextra + right : NULL,
                         .velocity = dy + first,
                         .acceleration = dy + c->n + first};
}

static void evaluate(struct carom_rates *r, const struct carom_span *s, const double *y, double *dy)
{
    const struct work o = work_of(r, s, y, dy);
    const size_t n = s->last - s->first;
    struct carried left = {.elastic = {0.0, 0.0}}, right = left;
    size_t i;
    if (n == 0)
        return;
    if (r->chain.left_wall && s->first == 0)
        left = single(&o, -1, -o.q[0]);
    if (o.spring)
        left = o.root ? bulk(&o, left, n - 1, true, true, &i) : bulk(&o, left, n - 1, false, true, &i);
    else
        left = o.root ? bulk(&o, left, n - 1, true, false, &i) : bulk(&o, left, n - 1, false, false, &i);
    for (; i + 1 < n; i++, left = right) {
        right = single(&o, (ptrdiff_t)i, o.q[i] - o.q[i + 1]);
        bead(&o, left, i, right);
    }
    right = (struct carried){.elastic = {0.0, 0.0}};
    if (r->chain.right_wall && s->last == r->chain.n)
        right = single(&o, (ptrdiff_t)n - 1, o.q[n - 1]);
    bead(&o, left, n - 1, right);
}

void carom_dp5_fused_evaluate(struct carom_rates *r, const double *y, double *dy)
{
    for (size_t k = 0; k < r->window.count; k++)
        evaluate(r, &r->window.span[k], y, dy);
}

void carom_dp5_fused_stages(struct carom_rates *r, const struct carom_dormand_prince *step, double *y1)
{
    const size_t n = r->chain.n;
    for (size_t k = 0; k < r->window.count; k++) { /* spans do not feel each other */
        const struct carom_span *span = &r->window.span[k];
        const bool whole = span->first == 0 && span->last == n;
        for (size_t s = 1; s < STAGES; s++) {
            carom_dormand_prince_stage(step, s, span->first, whole ? 2 * n : span->last, y1);
            if (!whole)
                carom_dormand_prince_stage(step, s, n + span->first, n + span->last, y1);
            evaluate(r, span, y1, step->k[s]);
        }
    }
}

/* The contacts of a span both ends of which are beads, [*from, *to); at most one at a wall is before and one after
 * them. False: there is none. */
static bool inside(const struct carom_rates *r, const struct carom_span *s, size_t *from, size_t *to)
{
    const struct carom_chain *c = &r->chain;
    *from = s->inner + (c->left_wall && s->inner == 0 && s->outer > 0 ? 1 : 0);
    *to = s->outer - (c->right_wall && s->outer == c->nc && s->outer > *from ? 1 : 0);
    return *from < *to;
}

/* overlaps grow at this rate at contact j; walls stand still */
static double rate_at(const struct carom_chain *c, size_t j, const double *velocity)
{
    const double left = c->left_wall && j == 0 ? 0.0 : velocity[j - c->shift];
    return left - (c->right_wall && j + 1 == c->nc ? 0.0 : velocity[j - c->shift + 1]);
}

void carom_dp5_fused_contacts(struct carom_rates *r, const struct carom_dormand_prince *step,
                              struct carom_losses *start, const size_t *list, size_t count)
{
    const double *const *param = (const double *const *)r->model->group[0].param;
    const double *k0 = step->k[0], *k6 = step->k[6];
    for (size_t i = 0; r->nextra && i < count; i++) {
        const size_t j = list[i], root = r->nall + r->nextra + j;
        start->rate[j] = rate_at(&r->chain, j, k0);
        r->rate[j] = rate_at(&r->chain, j, k6);
        start->viscous[j] = param[1][j] * (param[0][j] * (carom_kernel_overlap(start->deform[j]) * k0[root]));
        r->viscous[j] = param[1][j] * (param[0][j] * (carom_kernel_overlap(r->deform[j]) * k6[root]));
    }
}

/* impulse and loss of contact j alone, as below */
static void lose_alone(struct carom_rates *r, const struct carom_dormand_prince *step, size_t j, double *y1)
{
    const double *const *param = (const double *const *)r->model->group[0].param;
    double given = 0.0, lost = 0.0;
    for (size_t s = 0; s + 1 < STAGES; s++) {
        const double rate = rate_at(&r->chain, j, step->k[s]);
        const double part = step->h * carom_dormand_prince_weight(s) * (step->k[s][r->nall + r->nextra + j] * rate);
        given += part;
        lost += part * rate;
    }
    r->drag[j] = param[1][j] * (1.5 * param[0][j]) * given;
    y1[r->nstate + j] = step->y0[r->nstate + j] + param[1][j] * (1.5 * param[0][j]) * lost;
}

/* Contacts [from, to), both ends of which are beads: power is 3/2 gamma k root x rate^2, and what all stages have in
 * common comes last. The second stage has no weight. */
static void lose(struct carom_rates *r, const struct carom_dormand_prince *step, size_t from, size_t to, double *y1)
{
    enum { USED = 5 };
    static const size_t used[USED] = {0, 2, 3, 4, 5};
    const double *const *param = (const double *const *)r->model->group[0].param;
    const double *restrict k = param[0], *restrict gamma = param[1], *restrict y0 = step->y0 + r->nstate;
    const double *velocity[USED], *root[USED];
    double *restrict impulse = r->drag, *restrict end = y1 + r->nstate, weight[USED];
    for (size_t s = 0; s < USED; s++) {
        velocity[s] = step->k[used[s]];
        root[s] = velocity[s] + r->nall + r->nextra;
        weight[s] = step->h * carom_dormand_prince_weight(used[s]);
    }
    const size_t shift = r->chain.shift;
    size_t j = from;
    for (; j + 2 <= to; j += 2) {
        carom_lane given = {0.0, 0.0}, lost = given;
#pragma GCC unroll 5
        for (size_t s = 0; s < USED; s++) {
            const carom_lane rate =
                carom_lane_load(velocity[s] + j - shift) - carom_lane_load(velocity[s] + j - shift + 1);
            const carom_lane part = weight[s] * (carom_lane_load(root[s] + j) * rate);
            given += part;
            lost += part * rate;
        }
        const carom_lane common = carom_lane_load(gamma + j) * (1.5 * carom_lane_load(k + j));
        carom_lane_store(impulse + j, common * given);
        carom_lane_store(end + j, carom_lane_load(y0 + j) + common * lost);
    }
    for (; j < to; j++)
        lose_alone(r, step, j, y1);
}

void carom_dp5_fused_lose(struct carom_rates *r, const struct carom_dormand_prince *step, double *y1)
{
    size_t from, to;
    for (size_t i = 0; r->nextra && i < r->window.count; i++) {
        const struct carom_span *span = &r->window.span[i];
        if (inside(r, span, &from, &to))
            lose(r, step, from, to, y1);
        if (span->inner < from)
            lose_alone(r, step, span->inner, y1);
        if (to < span->outer)
            lose_alone(r, step, to, y1);
    }
}

/* slopes of contact j alone in a stage */
static void spread_alone(const struct carom_rates *r, size_t j, double *slope)
{
    const double *const *param = (const double *const *)r->model->group[0].param;
    const double rate = rate_at(&r->chain, j, slope);
    slope[r->nall + j] = param[1][j] * (1.5 * param[0][j] * slope[r->nall + r->nextra + j]) * rate;
    slope[r->nstate + j] = slope[r->nall + j] * rate;
}

/* slopes of contacts [from, to), both ends of which are beads, in a stage */
static void spread(const struct carom_rates *r, size_t from, size_t to, double *slope)
{
    const double *const *param = (const double *const *)r->model->group[0].param;
    const double *restrict k = param[0], *restrict gamma = param[1], *restrict root = slope + r->nall + r->nextra;
    const double *restrict velocity = slope;
    double *restrict given = slope + r->nall, *restrict lost = slope + r->nstate;
    const size_t shift = r->chain.shift;
    for (size_t j = from; j < to; j++) {
        const double rate = velocity[j - shift] - velocity[j - shift + 1];
        const double impulse = gamma[j] * (1.5 * k[j] * root[j]) * rate;
        given[j] = impulse;
        lost[j] = impulse * rate;
    }
}

void carom_dp5_fused_spread(const struct carom_rates *r, double *slope)
{
    size_t from, to;
    for (size_t i = 0; r->nextra && i < r->window.count; i++) {
        const struct carom_span *span = &r->window.span[i];
        if (inside(r, span, &from, &to))
            spread(r, from, to, slope);
        if (span->inner < from)
            spread_alone(r, span->inner, slope);
        if (to < span->outer)
            spread_alone(r, to, slope);
    }
}

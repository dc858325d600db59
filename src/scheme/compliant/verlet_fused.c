/* Verlet for undamped Hertz chains in one sweep from left to right, at little more than the cost of its square roots:
 * groups of beads by verlet_fused_pass.h, the ends of the chain one by one. */
#include "law/kernels.h"
#include "scheme/compliant/verlet_fused_pass.h"
#include "scheme/compliant/verlet_squeezed.h"

/* what the forces on both sides of a bead add up to; ends without a wall have but one */
ALWAYS_INLINE double push(const struct carom_chain *chain, size_t i, double left, double right)
{
    if (i == 0 && !chain->left_wall)
        return -right;
    return i + 1 == chain->n && !chain->right_wall ? left : left - right;
}

ALWAYS_INLINE void move(struct carom_verlet_sweep *s, size_t i)
{
    s->x1[i] = s->x0[i] + s->h * (s->v0[i] + s->kick[i]);
}

/* the new force at contact j */
ALWAYS_INLINE double squeeze(struct carom_verlet_sweep *s, size_t j, double deform)
{
    const double force = carom_kernel_hertz(s->k[j], carom_kernel_overlap(deform));
    s->switched |= (s->closed || s->elastic[j] > 0.0) != (force > 0.0);
    s->elastic[j] = force;
    return force;
}

/* bead i; `right` is the force to its right */
ALWAYS_INLINE void kick(struct carom_verlet_sweep *s, size_t i, double right)
{
    const double before = s->kick[i], after = push(s->chain, i, s->left, right) * s->ease[i];
    s->v1[i] = s->v0[i] + before + after;
    s->kick[i] = after;
    s->total += s->v1[i];
    s->left = right;
}

/* beads [first, last) moved, the contacts left of them squeezed, the beads left of those kicked */
ALWAYS_INLINE void sweep_beads(struct carom_verlet_sweep *s, size_t first, size_t last)
{
    for (size_t i = first; i < last; i++) {
        const size_t j = i + s->chain->shift - 1;
        move(s, i);
        kick(s, i - 1, squeeze(s, j, s->x1[i - 1] - s->x1[i] - s->gap[j]));
    }
}

static bool all_positive(const double *force, size_t n)
{
    int open = 0;
    for (size_t j = 0; j < n; j++)
        open |= !(force[j] > 0.0);
    return open == 0;
}

bool carom_verlet_fused_fits(const struct carom_model *model)
{
    return model->ngroups == 1 && model->nc > 0 && model->group[0].law == &carom_law_hertz &&
           !carom_model_chain(model)->spring && !carom_model_chain(model)->loaded;
}

void carom_verlet_fused_start(struct carom_verlet_fused *fused, const struct carom_chain *chain, const double *elastic,
                              double h)
{
    carom_chain_push(chain, 0, chain->n, elastic, 0, fused->kick);
    for (size_t i = 0; i < chain->n; i++) {
        fused->ease[i] = 0.5 * h * chain->beads->inverse_mass[i];
        fused->kick[i] *= fused->ease[i];
    }
    fused->h = h;
    fused->closed = all_positive(elastic, chain->nc);
}

bool carom_verlet_fused_step(struct carom_verlet_fused *fused, const struct carom_model *model,
                             const struct carom_chain *chain, const struct carom_state *from, struct carom_state *to,
                             double *elastic, bool *switched)
{
    struct carom_verlet_sweep s = {.chain = chain,
                                   .x0 = from->q,
                                   .v0 = from->v,
                                   .ease = fused->ease,
                                   .gap = chain->gap,
                                   .k = model->group[0].param[0],
                                   .x1 = to->q,
                                   .v1 = to->v,
                                   .kick = fused->kick,
                                   .elastic = elastic,
                                   .h = fused->h,
                                   .closed = fused->closed};
    size_t (*const wide)(struct carom_verlet_sweep *) = carom_verlet_fused_wide();
    const size_t n = chain->n, last = chain->nc - 1;
    move(&s, 0);
    if (chain->left_wall)
        s.left = squeeze(&s, 0, -s.x1[0] - s.gap[0]);
    sweep_beads(&s, 1, n < CAROM_VERLET_HEAD ? n : CAROM_VERLET_HEAD);
    const size_t end = wide ? wide(&s) : CAROM_VERLET_HEAD; /* no farther in rows that are short for it */
    sweep_beads(&s, end > CAROM_VERLET_HEAD ? end : sweep_some(&s), n);
    kick(&s, n - 1, chain->right_wall ? squeeze(&s, last, s.x1[n - 1] - s.gap[last]) : 0.0);
    *switched = s.switched;
    if (s.switched && fused->closed)
        fused->h = 0.0; /* from here on the old forces are needed, and nobody has them */
    else if (s.switched)
        fused->closed = all_positive(elastic, chain->nc);
    return fabs(s.total) < HUGE_VAL || carom_verlet_squeezed_finite(n, s.v1);
}

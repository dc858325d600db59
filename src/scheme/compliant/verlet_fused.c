/* Verlet for undamped Hertz chains in one sweep from left to right, at little more than the cost of its square roots.
 * Four strands run behind one another, a group of beads apart:
 *
 *     A  moves a group of beads            x1 = x0 + h (v0 + kick0)
 *     B  takes overlaps, one group behind  d = max(x1[left] - x1[right] - gap, 0), and their roots
 *     C  forces, two groups behind         force = k (d root)
 *     D  kicks, three groups behind        kick1 = (left force - right force) ease, v1 = (v0 + kick0) + kick1
 *
 * and `beat` takes a line of each in turn, because processors look ahead less far than one thinks: what waits for the
 * line before it, or for a root just begun, soon holds up everything, and of two units for roots one idles unless roots
 * come several at once. Any order that respects the strands gives the same bits, those of verlet.c's phases. */
#include "scheme/compliant/verlet_fused.h"

#include "base/lane.h"
#include "law/kernels.h"
#include "scheme/compliant/verlet_squeezed.h"

/* PAIRS of beads or contacts make a group, as many as there are registers for. HOLD does nothing, but wants its
 * numbers ready: it stops compilers from sorting the lines of `beat` anew. KEEP also changes them, as far as compilers
 * know. And where fmax and fmin are one instruction comparisons are several, elsewhere the other way round; there masks
 * keep the two lanes together, where conditions on each would become branches and single roots. */
#ifdef __aarch64__
enum { PAIRS = 4 };
#define HOLD(a) __asm__ volatile("" ::"w"((a)[0]), "w"((a)[1]), "w"((a)[2]), "w"((a)[3]))
#define KEEP(a) __asm__ volatile("" : "+w"((a)[0]), "+w"((a)[1]), "+w"((a)[2]), "+w"((a)[3]))
#define POSITIVE(a) ((carom_lane){fmax((a)[0], 0.0), fmax((a)[1], 0.0)})
#define SMALLER(a, b) ((carom_lane){fmin((a)[0], (b)[0]), fmin((a)[1], (b)[1])})
#else
enum { PAIRS = 2 };
#define HOLD(a) (void)0
#define KEEP(a) (void)0
#define POSITIVE(a) carom_lane_positive(a)
#define SMALLER(a, b) carom_lane_min(a, b)
#endif
enum { GROUP = 2 * PAIRS, HEAD = 2 }; /* HEAD: beads before the first group; even, for the sake of alignment */

struct sweep {
    const struct carom_chain *chain;
    const double *restrict x0, *restrict v0, *restrict ease, *restrict gap, *restrict k;
    double *restrict x1, *restrict v1, *restrict kick, *restrict elastic;
    double h;
    bool closed;  /* were all contacts when the step began? */
    double left;  /* force at the contact left of the next bead to be kicked */
    double total; /* of the new velocities: finite if they are, unless they are huge */
    bool switched;
};

/* what stays in registers from beat to beat */
struct lanes {
    carom_lane rise[PAIRS], x[PAIRS];
    carom_lane deform[PAIRS], d[PAIRS], root[PAIRS];
    carom_lane product[PAIRS], force[PAIRS];
    carom_lane beside[PAIRS], push[PAIRS], half[PAIRS], v[PAIRS];
    carom_lane x_before, force_before; /* of the group before: last of x in B, last of force in D */
    carom_lane total, least;           /* least: force, while all contacts are closed */
    carom_lane_mask changes;           /* contacts that opened or closed, otherwise */
};

#define EACH _Pragma("GCC unroll 4") for (size_t u = 0, m = 0; u < PAIRS; u++, m += 2)
#define LINE(strand, name, ...)        \
    if (strand) {                      \
        EACH l->name[u] = __VA_ARGS__; \
        HOLD(l->name);                 \
    }

/* A group through each of the strands that are on. i: the first bead that A moves; in the arrays of s, contact i - 1 is
 * the one left of it. */
ALWAYS_INLINE void beat(const struct sweep *s, struct lanes *l, size_t i, bool A, bool B, bool C, bool D)
{
    const size_t b = i - 1 - GROUP, c = i - 1 - 2 * GROUP, d = i - 1 - 3 * GROUP;
    const double *restrict x0 = s->x0, *restrict v0 = s->v0, *restrict ease = s->ease, *restrict gap = s->gap;
    const double *restrict k = s->k;
    double *restrict x1 = s->x1, *restrict v1 = s->v1, *restrict kick = s->kick, *restrict elastic = s->elastic;
    LINE(B, deform, carom_lane_between(u ? l->x[u - 1] : l->x_before, l->x[u]))
    LINE(A, rise, carom_lane_load(v0 + i + m) + carom_lane_load(kick + i + m))
    LINE(D, beside, carom_lane_between(u ? l->force[u - 1] : l->force_before, l->force[u]))

    LINE(B, deform, l->deform[u] - l->x[u])
    LINE(D, push, l->beside[u] - l->force[u])
    LINE(D, half, carom_lane_load(v0 + d + m) + carom_lane_load(kick + d + m))
    if (B)
        l->x_before = l->x[PAIRS - 1];
    if (D)
        l->force_before = l->force[PAIRS - 1];

    LINE(C, product, l->d[u] * l->root[u])
    LINE(B, deform, l->deform[u] - carom_lane_load(gap + b + m))
    LINE(D, push, l->push[u] * carom_lane_load(ease + d + m))
    LINE(A, rise, s->h * l->rise[u])

    LINE(B, d, POSITIVE(l->deform[u]))
    LINE(A, x, carom_lane_load(x0 + i + m) + l->rise[u])
    if (B) {
        KEEP(l->d); /* all of them here first, so that the roots come at once */
        EACH l->root[u] = carom_lane_sqrt(l->d[u]);
        KEEP(l->root);
    }

    LINE(C, force, carom_lane_load(k + c + m) * l->product[u])
    LINE(D, v, l->half[u] + l->push[u])

    if (A)
        EACH carom_lane_store(x1 + i + m, l->x[u]);
    if (D)
        EACH carom_lane_store(v1 + d + m, l->v[u]);
    if (D)
        EACH carom_lane_store(kick + d + m, l->push[u]);
    if (C && s->closed)
        EACH l->least = SMALLER(l->least, l->force[u]);
    if (C && !s->closed)
        EACH l->changes |= (carom_lane_load(elastic + c + m) > 0.0) ^ (l->force[u] > 0.0);
    if (C && !s->closed)
        EACH carom_lane_store(elastic + c + m, l->force[u]);
    if (D)
        EACH l->total += l->v[u];
}

/* Beads HEAD ... in groups as far as they go; returns the first bead not moved. */
ALWAYS_INLINE size_t sweep_groups(struct sweep *sweep, bool closed)
{
    const size_t n = sweep->chain->n, shift = sweep->chain->shift, groups = n > HEAD ? (n - HEAD) / GROUP : 0;
    if (groups < 3)
        return HEAD;
    struct sweep here = *sweep, *s = &here; /* a copy that stays in registers */
    s->closed = closed;
    s->gap += shift;
    s->k += shift;
    s->elastic += shift;
    struct lanes lanes = {
        .x_before = {0.0, s->x1[HEAD - 1]}, .force_before = {0.0, s->left}, .least = {HUGE_VAL, HUGE_VAL}};
    struct lanes *l = &lanes;
    const size_t end = HEAD + groups * GROUP;
    size_t i = HEAD;
    beat(s, l, i, true, false, false, false);
    beat(s, l, i += GROUP, true, true, false, false);
    beat(s, l, i += GROUP, true, true, true, false);
    for (i += GROUP; i < end; i += GROUP)
        beat(s, l, i, true, true, true, true);
    beat(s, l, i, false, true, true, true);
    beat(s, l, i += GROUP, false, false, true, true);
    beat(s, l, i += GROUP, false, false, false, true);
    sweep->left = l->force_before[1];
    sweep->total += l->total[0] + l->total[1];
    sweep->switched |= (l->changes[0] | l->changes[1]) != 0 || !(l->least[0] > 0.0) || !(l->least[1] > 0.0);
    return end;
}

/* what the forces on both sides of a bead add up to; ends without a wall have but one */
ALWAYS_INLINE double push(const struct carom_chain *chain, size_t i, double left, double right)
{
    if (i == 0 && !chain->left_wall)
        return -right;
    return i + 1 == chain->n && !chain->right_wall ? left : left - right;
}

ALWAYS_INLINE void move(struct sweep *s, size_t i)
{
    s->x1[i] = s->x0[i] + s->h * (s->v0[i] + s->kick[i]);
}

/* the new force at contact j */
ALWAYS_INLINE double squeeze(struct sweep *s, size_t j, double deform)
{
    const double force = carom_kernel_hertz(s->k[j], carom_kernel_overlap(deform));
    s->switched |= (s->closed || s->elastic[j] > 0.0) != (force > 0.0);
    s->elastic[j] = force;
    return force;
}

/* bead i; `right` is the force to its right */
ALWAYS_INLINE void kick(struct sweep *s, size_t i, double right)
{
    const double before = s->kick[i], after = push(s->chain, i, s->left, right) * s->ease[i];
    s->v1[i] = s->v0[i] + before + after;
    s->kick[i] = after;
    s->total += s->v1[i];
    s->left = right;
}

/* beads [first, last) moved, the contacts left of them squeezed, the beads left of those kicked */
ALWAYS_INLINE void sweep_beads(struct sweep *s, size_t first, size_t last)
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
    struct sweep s = {.chain = chain,
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
    const size_t n = chain->n, last = chain->nc - 1;
    move(&s, 0);
    if (chain->left_wall)
        s.left = squeeze(&s, 0, -s.x1[0] - s.gap[0]);
    sweep_beads(&s, 1, n < HEAD ? n : HEAD);
    sweep_beads(&s, s.closed ? sweep_groups(&s, true) : sweep_groups(&s, false), n);
    kick(&s, n - 1, chain->right_wall ? squeeze(&s, last, s.x1[n - 1] - s.gap[last]) : 0.0);
    *switched = s.switched;
    if (s.switched && fused->closed)
        fused->h = 0.0; /* from here on the old forces are needed, and nobody has them */
    else if (s.switched)
        fused->closed = all_positive(elastic, chain->nc);
    return fabs(s.total) < HUGE_VAL || carom_verlet_squeezed_finite(n, s.v1);
}

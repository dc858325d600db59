/* Verlet for undamped Hertz chains in one sweep from left to right, at little more than the cost of its square roots.
 * Four strands run behind one another, a group of beads apart: A moves beads, B takes the overlaps and roots of the
 * contacts left of the beads moved a group ago, C makes forces of those of two groups ago, D kicks the beads of three
 * groups ago. So nothing waits for a root, and nothing just stored is read again. The order of the lines in `beat` is
 * the one that was measured to keep both root units of a Neoverse-V1 busy; any order that respects the strands gives
 * the same bits, which are those of verlet.c's phases. */
#include "scheme/verlet_fused.h"

#include <string.h>

#include "law/kernels.h"

#define INLINE static inline __attribute__((always_inline))

/* two beads or contacts in one register */
typedef double two __attribute__((vector_size(16)));
typedef int64_t two_flags __attribute__((vector_size(16)));

INLINE two load(const double *from)
{
    two value;
    memcpy(&value, from, sizeof value);
    return value;
}

INLINE void store(double *to, two value)
{
    memcpy(to, &value, sizeof value);
}

/* the second of a and the first of b: what stands one place to the left of b */
INLINE two between(two a, two b)
{
    return (two){a[1], b[0]};
}

/* carom_kernel_overlap of two: one instruction each way, where the other would be two */
INLINE two overlap(two deform)
{
#ifdef __aarch64__
    return (two){fmax(deform[0], 0.0), fmax(deform[1], 0.0)};
#else
    return (two)((two_flags)deform & (deform > 0.0));
#endif
}

INLINE two root(two a)
{
    return (two){sqrt(a[0]), sqrt(a[1])};
}

/* HOLD and KEEP are empty instructions that stop compilers from sorting the lines of `beat` anew */
#ifdef __aarch64__
enum { PAIRS = 4 };
#define HOLD(a) __asm__ volatile("" ::"w"((a)[0]), "w"((a)[1]), "w"((a)[2]), "w"((a)[3]))
#define KEEP(a) __asm__ volatile("" : "+w"((a)[0]), "+w"((a)[1]), "+w"((a)[2]), "+w"((a)[3]))
#else
#define KEEP(a) (void)0
enum { PAIRS = 2 };
#define HOLD(a) (void)0
#endif
enum { GROUP = 2 * PAIRS, HEAD = 2 };

struct sweep {
    const struct carom_chain *chain;
    const double *restrict x0, *restrict v0, *restrict ease, *restrict gap, *restrict k;
    double *restrict x1, *restrict v1, *restrict elastic; /* [j]: of contact j */
    double h;
    double left;  /* force before and after, added, at the contact left of the next bead to be kicked */
    double total; /* of the new velocities: finite if all are, unless they overflow together */
    bool switched;
};

/* what stays in registers from beat to beat */
struct lanes {
    two rise[PAIRS], x[PAIRS];                /* move */
    two deform[PAIRS], d[PAIRS], root[PAIRS]; /* squeeze */
    two force[PAIRS], both[PAIRS];            /* press */
    two beside[PAIRS], push[PAIRS], v[PAIRS]; /* kick */
    two x_before, both_before, total;
    two_flags changes;
};

#define EACH _Pragma("GCC unroll 4") for (size_t u = 0, m = 0; u < PAIRS; u++, m += 2)
#define LINE(strand, name, ...)        \
    if (strand) {                      \
        EACH l->name[u] = __VA_ARGS__; \
        HOLD(l->name);                 \
    }

/* one group through each of the strands that are on; i is the first bead of strand A's group */
INLINE void beat(const struct sweep *s, struct lanes *l, size_t i, bool A, bool B, bool C, bool D, bool watch)
{
    const double h = s->h;
    const size_t j = i - 1;
    const double *restrict x0 = s->x0 + i, *restrict v0 = s->v0 + i, *restrict ease = s->ease + i;
    double *restrict x1 = s->x1 + i;
    const double *restrict e0 = s->elastic + j;
    const double *restrict gap = s->gap + j - GROUP, *restrict k = s->k + j - 2 * GROUP;
    double *restrict e1 = s->elastic + j - 2 * GROUP;
    double *restrict v1 = s->v1 + i - 1 - 3 * GROUP;
    const double *restrict kicked_ease = ease - 1 - 3 * GROUP, *restrict kicked_v0 = v0 - 1 - 3 * GROUP;
    LINE(B, deform, between(u ? l->x[u - 1] : l->x_before, l->x[u]))
    LINE(A, rise, load(e0 + m) - load(e0 + m + 1))
    LINE(D, beside, between(u ? l->both[u - 1] : l->both_before, l->both[u]))
    LINE(A, rise, l->rise[u] * load(ease + m))
    LINE(B, deform, l->deform[u] - l->x[u])
    LINE(D, push, l->beside[u] - l->both[u])
    LINE(A, rise, load(v0 + m) + l->rise[u])
    LINE(C, force, l->d[u] * l->root[u])
    LINE(B, deform, l->deform[u] - load(gap + m))
    if (D)
        l->both_before = l->both[PAIRS - 1];
    LINE(D, push, l->push[u] * load(kicked_ease + m))
    LINE(B, d, overlap(l->deform[u]))
    if (B) {
        KEEP(l->d);
        EACH l->root[u] = root(l->d[u]);
        KEEP(l->root);
    }
    LINE(C, force, load(k + m) * l->force[u])
    LINE(D, v, load(kicked_v0 + m) + l->push[u])
    if (D)
        EACH store(v1 + m, l->v[u]);
    if (B)
        l->x_before = l->x[PAIRS - 1];
    LINE(A, rise, h * l->rise[u])
    LINE(A, x, load(x0 + m) + l->rise[u])
    if (D)
        EACH l->total += l->v[u];
    if (C && watch)
        EACH l->changes |= (load(e1 + m) > 0.0) ^ (l->force[u] > 0.0);
    LINE(C, both, load(e1 + m) + l->force[u])
    if (A)
        EACH store(x1 + m, l->x[u]);
    if (C)
        EACH store(e1 + m, l->force[u]);
}

/* beads HEAD ... in groups as far as they go; returns the first bead not moved */
INLINE size_t sweep_groups(struct sweep *sweep, bool watch)
{
    struct sweep here = *sweep, *s = &here; /* a copy that stays in registers */
    s->gap += sweep->chain->shift;
    s->k += sweep->chain->shift;
    s->elastic += sweep->chain->shift;
    const size_t n = s->chain->n, groups = n > HEAD ? (n - HEAD - 1) / GROUP : 0;
    if (groups < 3)
        return HEAD;
    const size_t end = HEAD + groups * GROUP;
    struct lanes lanes = {.x_before = {0.0, s->x1[HEAD - 1]}, .both_before = {0.0, s->left}}, *l = &lanes;
    size_t i = HEAD;
    beat(s, l, i, true, false, false, false, true);
    beat(s, l, i += GROUP, true, true, false, false, true);
    beat(s, l, i += GROUP, true, true, true, false, true);
    if (watch)
        for (i += GROUP; i < end; i += GROUP)
            beat(s, l, i, true, true, true, true, true);
    else
        for (i += GROUP; i < end; i += GROUP)
            beat(s, l, i, true, true, true, true, false);
    beat(s, l, i, false, true, true, true, true);
    beat(s, l, i += GROUP, false, false, true, true, true);
    beat(s, l, i += GROUP, false, false, false, true, true);
    sweep->left = l->both_before[1];
    sweep->total += l->total[0] + l->total[1];
    sweep->switched |= (l->changes[0] | l->changes[1]) != 0;
    return end;
}

bool carom_verlet_fused_fits(const struct carom_model *model)
{
    return model->ngroups == 1 && model->group[0].law == &carom_law_hertz && !carom_model_chain(model)->spring;
}

/* beads [first, last), none at an end: moved; the contacts left of them squeezed; the beads left of those kicked */
INLINE void sweep_beads(struct sweep *s, size_t first, size_t last)
{
    double x = s->x1[first - 1], left = s->left, total = 0.0;
    int changes = 0;
    for (size_t i = first; i < last; i++) {
        const size_t j = i + s->chain->shift - 1;
        const double old = s->elastic[j], moved = s->x0[i] + s->h * (s->v0[i] + (old - s->elastic[j + 1]) * s->ease[i]);
        const double new = carom_kernel_hertz(s->k[j], carom_kernel_overlap(x - moved - s->gap[j]));
        s->elastic[j] = new;
        s->x1[i] = x = moved;
        const double v = s->v0[i - 1] + (left - (old + new)) * s->ease[i - 1];
        s->v1[i - 1] = v;
        total += v;
        left = old + new;
        changes |= (old > 0.0) != (new > 0.0);
    }
    s->left = left;
    s->total += total;
    s->switched |= changes != 0;
}

static bool all_finite(const double *v, size_t n)
{
    int broken = 0;
    for (size_t i = 0; i < n; i++)
        broken |= !(fabs(v[i]) < HUGE_VAL);
    return broken == 0;
}

/* contact j with everything moved: its new force; force before and after, added, is s->left from here on */
static double squeeze(struct sweep *s, size_t j)
{
    double deform = 0.0;
    carom_chain_deform(s->chain, j, j + 1, s->x1, &deform);
    const double old = s->elastic[j], new = carom_kernel_hertz(s->k[j], carom_kernel_overlap(deform));
    s->elastic[j] = new;
    s->switched |= (old > 0.0) != (new > 0.0);
    return old + new;
}

static void move(struct sweep *s, size_t i)
{
    double push = 0.0;
    carom_chain_push(s->chain, i, i + 1, s->elastic, 0, &push);
    s->x1[i] = s->x0[i] + s->h * (s->v0[i] + push * s->ease[i]);
}

/* bead i, the contact right of which has got `both`; it is the left one of the next */
static void kick(struct sweep *s, size_t i, double both)
{
    s->v1[i] = s->v0[i] + (s->left - both) * s->ease[i];
    s->total += s->v1[i];
    s->left = both;
}

bool carom_verlet_fused_step(const struct carom_model *model, const struct carom_chain *chain,
                             const struct carom_state *from, struct carom_state *to, double h, const double *ease,
                             double *elastic, bool *switched)
{
    struct sweep s = {.chain = chain,
                      .x0 = from->q,
                      .v0 = from->v,
                      .x1 = to->q,
                      .v1 = to->v,
                      .ease = ease,
                      .gap = chain->gap,
                      .k = model->group[0].param[0],
                      .elastic = elastic,
                      .h = h};
    const size_t n = chain->n;
    move(&s, 0);
    s.left = chain->left_wall ? squeeze(&s, 0) : 0.0;
    if (n > 1) {
        sweep_beads(&s, 1, n - 1 < HEAD ? n - 1 : HEAD);
        if (n - 1 > HEAD)
            sweep_beads(&s, sweep_groups(&s, switched != NULL), n - 1);
        move(&s, n - 1);
        kick(&s, n - 2, squeeze(&s, n - 2 + chain->shift));
    }
    kick(&s, n - 1, chain->right_wall ? squeeze(&s, chain->nc - 1) : 0.0);
    if (switched)
        *switched = s.switched;
    return fabs(s.total) < HUGE_VAL || all_finite(s.v1, n);
}

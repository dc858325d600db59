/* Groups of beads of an undamped Hertz chain in one sweep, in as many lanes as registers have. Four strands run behind
 * one another, a group of beads apart:
 *
 *     A  moves a group of beads            x1 = x0 + h (v0 + kick0)
 *     B  takes overlaps, one group behind  d = max(x1[left] - x1[right] - gap, 0), and their roots
 *     C  forces, two groups behind         force = k (d root)
 *     D  kicks, three groups behind        kick1 = (left force - right force) ease, v1 = (v0 + kick0) + kick1
 *
 * and `beat` takes a line of each in turn, because processors look ahead less far than one thinks: what waits for the
 * line before it, or for a root just begun, soon holds up everything, and of two units for roots one idles unless roots
 * come several at once. Any order that respects the strands gives the same bits, those of verlet.c's phases. */
#ifndef CAROM_SCHEME_COMPLIANT_VERLET_FUSED_PASS_H
#define CAROM_SCHEME_COMPLIANT_VERLET_FUSED_PASS_H

#include "base/lane.h"
#include "scheme/compliant/verlet_fused.h"

/* So many registers of beads or contacts make a group, as many as there are. HOLD does nothing, but wants its
 * numbers ready: it stops compilers from sorting the lines of `beat` anew. KEEP also changes them, as far as compilers
 * know. And where fmax and fmin are one instruction comparisons are several, elsewhere the other way round; there masks
 * keep the two lanes together, where conditions on each would become branches and single roots. */
#ifdef __aarch64__
enum { REGISTERS = 4 };
#define HOLD(a) __asm__ volatile("" ::"w"((a)[0]), "w"((a)[1]), "w"((a)[2]), "w"((a)[3]))
#define KEEP(a) __asm__ volatile("" : "+w"((a)[0]), "+w"((a)[1]), "+w"((a)[2]), "+w"((a)[3]))
#define POSITIVE(a) ((carom_lane){fmax((a)[0], 0.0), fmax((a)[1], 0.0)})
#define SMALLER(a, b) ((carom_lane){fmin((a)[0], (b)[0]), fmin((a)[1], (b)[1])})
#else
enum { REGISTERS = 2 };
#define HOLD(a) (void)0
#define KEEP(a) (void)0
#define POSITIVE(a) carom_lane_positive(a)
#define SMALLER(a, b) carom_lane_min(a, b)
#endif
enum { GROUP = CAROM_LANES * REGISTERS };

/* what stays in registers from beat to beat */
struct lanes {
    carom_lane rise[REGISTERS], x[REGISTERS];
    carom_lane deform[REGISTERS], d[REGISTERS], root[REGISTERS];
    carom_lane product[REGISTERS], force[REGISTERS];
    carom_lane beside[REGISTERS], push[REGISTERS], half[REGISTERS], v[REGISTERS];
    carom_lane x_before, force_before; /* of the group before: last of x in B, last of force in D */
    carom_lane total, least;           /* least: force, while all contacts are closed */
    carom_lane_mask changes;           /* contacts that opened or closed, otherwise */
};

#define EACH _Pragma("GCC unroll 4") for (size_t u = 0, m = 0; u < REGISTERS; u++, m += CAROM_LANES)
#define LINE(strand, name, ...)        \
    if (strand) {                      \
        EACH l->name[u] = __VA_ARGS__; \
        HOLD(l->name);                 \
    }

/* A group through each of the strands that are on. i: the first bead that A moves; in the arrays of s, contact i - 1 is
 * the one left of it. */
ALWAYS_INLINE void beat(const struct carom_verlet_sweep *s, struct lanes *l, size_t i, bool A, bool B, bool C, bool D)
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
        l->x_before = l->x[REGISTERS - 1];
    if (D)
        l->force_before = l->force[REGISTERS - 1];

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

/* Beads CAROM_VERLET_HEAD ... in groups as far as they go; returns the first bead not moved. */
ALWAYS_INLINE size_t sweep_groups(struct carom_verlet_sweep *sweep, bool closed)
{
    const size_t n = sweep->chain->n, shift = sweep->chain->shift;
    const size_t groups = n > CAROM_VERLET_HEAD ? (n - CAROM_VERLET_HEAD) / GROUP : 0;
    if (groups < 3)
        return CAROM_VERLET_HEAD;
    struct carom_verlet_sweep here = *sweep, *s = &here; /* a copy that stays in registers */
    s->closed = closed;
    s->gap += shift;
    s->k += shift;
    s->elastic += shift;
    struct lanes lanes = {.x_before = carom_lane_all(s->x1[CAROM_VERLET_HEAD - 1]),
                          .force_before = carom_lane_all(s->left),
                          .least = carom_lane_all(HUGE_VAL)};
    struct lanes *l = &lanes;
    const size_t end = CAROM_VERLET_HEAD + groups * GROUP;
    size_t i = CAROM_VERLET_HEAD;
    beat(s, l, i, true, false, false, false);
    beat(s, l, i += GROUP, true, true, false, false);
    beat(s, l, i += GROUP, true, true, true, false);
    for (i += GROUP; i < end; i += GROUP)
        beat(s, l, i, true, true, true, true);
    beat(s, l, i, false, true, true, true);
    beat(s, l, i += GROUP, false, false, true, true);
    beat(s, l, i += GROUP, false, false, false, true);
    sweep->left = l->force_before[CAROM_LANES - 1];
    for (int lane = 0; lane < CAROM_LANES; lane++)
        sweep->total += l->total[lane];
    sweep->switched |= carom_lane_any(l->changes | ~(l->least > 0.0));
    return end;
}

static size_t sweep_some(struct carom_verlet_sweep *sweep)
{
    return sweep->closed ? sweep_groups(sweep, true) : sweep_groups(sweep, false);
}

#endif

/* Verlet for undamped Hertz chains in one sweep from left to right. Nothing that has just been written is read again:
 * shifted neighbours come from registers, so the loop runs at the rate of its square roots (stores that are read back
 * at an offset stall, and separate loops leave the root unit idle). Same operations in the same order as
 * verlet.c's phases, so the same bits. */
#include "scheme/verlet_fused.h"

#include <string.h>

#include "law/kernels.h"

/* two beads at a time, on every machine */
typedef double two __attribute__((vector_size(16)));
typedef int64_t two_flags __attribute__((vector_size(16)));

static inline two load(const double *from)
{
    two value;
    memcpy(&value, from, sizeof value);
    return value;
}

static inline void store(double *to, two value)
{
    memcpy(to, &value, sizeof value);
}

/* the second of a and the first of b: what stands one bead to the left of b */
static inline two between(two a, two b)
{
    return (two){a[1], b[0]};
}

static inline two roots(two a)
{
    return (two){sqrt(a[0]), sqrt(a[1])};
}

struct sweep {
    const struct carom_chain *chain;
    const double *k, *x0, *v0;
    double *x1, *v1, *elastic, *impulse;
    double h;
    int changes, broken;
};

bool carom_verlet_fused_fits(const struct carom_model *model)
{
    return model->ngroups == 1 && model->group[0].law == &carom_law_hertz && !carom_model_chain(model)->spring;
}

static inline void move_any(const struct sweep *s, size_t i)
{
    double push = 0.0;
    carom_chain_push(s->chain, i, i + 1, s->elastic, 0, &push);
    s->x1[i] = s->x0[i] + s->h * (s->v0[i] + 0.5 * s->h * (push * s->chain->beads->inverse_mass[i]));
}

static inline int squeeze_any(const struct sweep *s, size_t j)
{
    double deform = 0.0;
    carom_chain_deform(s->chain, j, j + 1, s->x1, &deform);
    const double old = s->elastic[j], new = carom_kernel_hertz(s->k[j], carom_kernel_overlap(deform));
    s->impulse[j] = 0.5 * s->h * (old + new);
    s->elastic[j] = new;
    return (old > 0.0) != (new > 0.0);
}

static inline int kick_any(const struct sweep *s, size_t i)
{
    double push = 0.0;
    carom_chain_push(s->chain, i, i + 1, s->impulse, 0, &push);
    s->v1[i] = s->v0[i] + push * s->chain->beads->inverse_mass[i];
    return !(fabs(s->v1[i]) < HUGE_VAL);
}

/* Beads 1 ... in pairs while a pair has a contact on either side: moved; the contacts left of them squeezed; the pair
 * before them kicked. Returns the first bead not moved; the impulses beside the last pair, and that right of bead 0, are
 * left in s->impulse for the ends. */
static size_t sweep_pairs(struct sweep *s)
{
    const size_t shift = s->chain->shift;
    const double *inverse = s->chain->beads->inverse_mass, *gap = s->chain->gap + shift, *k = s->k + shift;
    double *elastic = s->elastic + shift, *impulse = s->impulse + shift; /* [i]: right of bead i */
    const double h = s->h, half = 0.5 * h;
    two_flags changes = {0, 0}, broken = {0, 0};
    two x_before = {0.0, s->x1[0]}, impulse_before = {0.0, 0.0}, v_before = {0.0, 0.0}, inverse_before = {0.0, 0.0};
    size_t i = 1;
    for (; i + 2 < s->chain->n; i += 2) {
        const two left = load(elastic + i - 1), right = load(elastic + i), inverse_mass = load(inverse + i);
        const two v = load(s->v0 + i);
        const two x = load(s->x0 + i) + h * (v + half * ((left - right) * inverse_mass));
        store(s->x1 + i, x);
        const two deform = between(x_before, x) - x - load(gap + i - 1);
        const two d = (two)((two_flags)deform & (deform > 0.0));
        const two force = load(k + i - 1) * (d * roots(d));
        changes |= (left > 0.0) ^ (force > 0.0);
        store(elastic + i - 1, force);
        const two given = half * (left + force);
        if (i > 1) {
            const two kicked = v_before + (impulse_before - between(impulse_before, given)) * inverse_before;
            broken |= ~((kicked < HUGE_VAL) & (kicked > -HUGE_VAL));
            store(s->v1 + i - 2, kicked);
        } else {
            impulse[0] = given[0];
        }
        x_before = x;
        v_before = v;
        inverse_before = inverse_mass;
        impulse_before = given;
    }
    if (i > 1)
        store(impulse + i - 3, impulse_before);
    s->changes |= (changes[0] | changes[1]) != 0;
    s->broken |= (broken[0] | broken[1]) != 0;
    return i;
}

static void sweep(struct sweep *s)
{
    const struct carom_chain *c = s->chain;
    const size_t n = c->n;
    move_any(s, 0);
    const size_t moved = sweep_pairs(s);
    for (size_t i = moved; i < n; i++)
        move_any(s, i);
    for (size_t i = moved; i < n; i++) /* contacts left of the beads just moved */
        s->changes |= squeeze_any(s, i + c->shift - 1);
    if (c->left_wall)
        s->changes |= squeeze_any(s, 0);
    if (c->right_wall)
        s->changes |= squeeze_any(s, c->nc - 1);
    s->broken |= kick_any(s, 0);
    for (size_t i = moved > 1 ? moved - 2 : 1; i < n; i++)
        s->broken |= kick_any(s, i);
}

bool carom_verlet_fused_step(const struct carom_model *model, const struct carom_chain *chain,
                             const struct carom_state *from, struct carom_state *to, double h, double *elastic,
                             double *impulse, bool *switched)
{
    struct sweep s = {.chain = chain,
                      .k = model->group[0].param[0],
                      .x0 = from->q,
                      .v0 = from->v,
                      .x1 = to->q,
                      .v1 = to->v,
                      .elastic = elastic,
                      .impulse = impulse,
                      .h = h};
    sweep(&s);
    *switched = s.changes != 0;
    return s.broken == 0;
}

/* Multigrid for the static problem of solids, in the method's own spirit: two cells along each axis make a rigid
 * block, and the links between two blocks act as one. As all that the cells between two centres would yield now has to
 * happen in that one link, it is softened by the ratio of distances (links in series), so that a coarse body is as
 * stiff as the fine one. Rigid motions cost nothing on any level. Levels are swept by block Gauss-Seidel and cross over
 * by a K-cycle (Notay and Vassilevski 2008); the coarsest is factored. Dilatation is left out: it couples cells that
 * share a neighbour and changes the stiffness by a factor of 1 + 3/2 lambda / mu at most, whatever the size.
 *
 * Levels are lattices: link k of a node goes to the next along axis k, on a ring from the last to the first. The
 * stiffness of a link is that of the relative motion at the middle between its nodes. */
#include <string.h>

#include "base/memory.h"
#include "base/vec.h"
#include "model/solid/settle/solid_blocks_level.h"

/* --- sweeps ----------------------------------------------------------------------------------------------------- */

/* sum += what the neighbours' motion pulls node i by */
CAROM_LEVEL_INLINE void pull(const struct carom_level *l, int b, size_t i, size_t j, const float *link, const double *z,
                             double *sum)
{
    double arm[3], other[3], x[CAROM_LEVEL_SPACE], y[CAROM_LEVEL_SPACE];
    carom_level_arm_to(l, i, j, arm, other);
    carom_level_carry(b, z + (size_t)b * j, other, x);
    carom_level_times(b, link, x, y);
    carom_level_carry_back(b, y, arm, x);
    for (int k = 0; k < b; k++)
        sum[k] += x[k];
}

static void let_go(unsigned mask, int b, double *x)
{
    for (int k = 0; mask != 0 && k < b; k++)
        if (mask >> k & 1U)
            x[k] = 0.0;
}

/* z = forward Gauss-Seidel from rest */
CAROM_LEVEL_INLINE void sweep_forward(const struct carom_level_call *c, int b, size_t tile)
{
    const size_t axes = b == CAROM_LEVEL_PLANE ? 2 : 3, packed = (size_t)(b * (b + 1) / 2), wide = (size_t)b;
    const struct carom_level *l = c->l;
    struct carom_level_round round;
    size_t first[3], last[3], at[3];
    carom_solid_blocks_waves_tile(l, tile, first, last);
    for (at[2] = first[2]; at[2] < last[2]; at[2]++)
        for (at[1] = first[1]; at[1] < last[1]; at[1]++)
            for (at[0] = first[0]; at[0] < last[0]; at[0]++) {
                const size_t i = at[0] + l->count[0] * (at[1] + l->count[1] * at[2]);
                double *own = c->to + wide * i;
                memcpy(own, c->from + wide * i, wide * sizeof *own);
                carom_level_round(l, axes, packed, at, i, &round);
                for (int k = 0; k < round.count; k++)
                    if (round.other[k] < i)
                        pull(l, b, i, round.other[k], round.link[k], c->to, own);
                let_go(carom_level_held(c->w, l, i), b, own);
                carom_level_solve(b, l->factor + packed * i, own);
            }
}

static void forward_tile(void *own, size_t i)
{
    const struct carom_level_call *c = own;
    if (c->w->b == CAROM_LEVEL_PLANE)
        sweep_forward(c, CAROM_LEVEL_PLANE, c->tile[i]);
    else
        sweep_forward(c, CAROM_LEVEL_SPACE, c->tile[i]);
}

/* left = r - A z after that: what was not yet known there */
CAROM_LEVEL_INLINE void find_left(const struct carom_level_call *c, int b, size_t first, size_t last)
{
    const size_t axes = b == CAROM_LEVEL_PLANE ? 2 : 3, packed = (size_t)(b * (b + 1) / 2), wide = (size_t)b;
    const struct carom_level *l = c->l;
    struct carom_level_round round;
    size_t at[3];
    carom_level_at(l->count, first, at);
    for (size_t i = first; i < last; i++, carom_level_step_on(l, at)) {
        double *own = c->left + wide * i;
        memset(own, 0, wide * sizeof *own);
        carom_level_round(l, axes, packed, at, i, &round);
        for (int k = 0; k < round.count; k++)
            if (round.other[k] > i)
                pull(l, b, i, round.other[k], round.link[k], c->to, own);
        let_go(carom_level_held(c->w, l, i), b, own);
    }
}

static void left_some(void *own, size_t first, size_t last)
{
    const struct carom_level_call *c = own;
    if (c->w->b == CAROM_LEVEL_PLANE)
        find_left(c, CAROM_LEVEL_PLANE, first, last);
    else
        find_left(c, CAROM_LEVEL_SPACE, first, last);
}

CAROM_LEVEL_INLINE void sweep_backward(const struct carom_level_call *c, int b, size_t tile)
{
    const size_t axes = b == CAROM_LEVEL_PLANE ? 2 : 3, packed = (size_t)(b * (b + 1) / 2), wide = (size_t)b;
    const struct carom_level *l = c->l;
    struct carom_level_round round;
    size_t first[3], last[3], at[3];
    carom_solid_blocks_waves_tile(l, tile, first, last);
    for (at[2] = last[2]; at[2]-- > first[2];)
        for (at[1] = last[1]; at[1]-- > first[1];)
            for (at[0] = last[0]; at[0]-- > first[0];) {
                const size_t i = at[0] + l->count[0] * (at[1] + l->count[1] * at[2]);
                double sum[CAROM_LEVEL_SPACE];
                memcpy(sum, c->from + wide * i, wide * sizeof *sum);
                carom_level_round(l, axes, packed, at, i, &round);
                for (int k = 0; k < round.count; k++)
                    pull(l, b, i, round.other[k], round.link[k], c->to, sum);
                let_go(carom_level_held(c->w, l, i), b, sum);
                carom_level_solve(b, l->factor + packed * i, sum);
                memcpy(c->to + wide * i, sum, wide * sizeof *sum);
            }
}

static void backward_tile(void *own, size_t i)
{
    const struct carom_level_call *c = own;
    if (c->w->b == CAROM_LEVEL_PLANE)
        sweep_backward(c, CAROM_LEVEL_PLANE, c->tile[i]);
    else
        sweep_backward(c, CAROM_LEVEL_SPACE, c->tile[i]);
}

static void multiply_some(void *own, size_t first, size_t last)
{
    const struct carom_level_call *call = own;
    const struct carom_solid_blocks *w = call->w;
    const struct carom_level *l = call->l;
    const double *x = call->from;
    const size_t wide = (size_t)w->b;
    size_t at[3];
    struct carom_level_round round;
    carom_level_at(l->count, first, at);
    for (size_t i = first; i < last; i++, carom_level_step_on(l, at)) {
        double sum[CAROM_LEVEL_SPACE], mine[CAROM_LEVEL_SPACE], here[CAROM_LEVEL_SPACE], there[CAROM_LEVEL_SPACE],
            y[CAROM_LEVEL_SPACE];
        carom_level_times(w->b, l->ground + w->packed * i, x + wide * i, sum);
        carom_level_round(l, w->axes, w->packed, at, i, &round);
        for (int k = 0; k < round.count; k++) {
            double arm[3], other[3];
            carom_level_arm_to(l, i, round.other[k], arm, other);
            carom_level_carry(w->b, x + wide * i, arm, here);
            carom_level_carry(w->b, x + wide * round.other[k], other, there);
            for (int c = 0; c < w->b; c++)
                here[c] -= there[c];
            carom_level_times(w->b, round.link[k], here, y);
            carom_level_carry_back(w->b, y, arm, mine);
            for (int c = 0; c < w->b; c++)
                sum[c] += mine[c];
        }
        memcpy(call->to + wide * i, sum, wide * sizeof *sum);
    }
}

/* out = A x, on levels where nothing is held but by grounds */
static void multiply(const struct carom_solid_blocks *w, const struct carom_level *l, const double *x, double *out)
{
    struct carom_level_call call = {.w = w, .l = l, .from = x, .to = out};
    carom_threads_share(w->threads, multiply_some, &call, l->n);
}

/* --- the cycle -------------------------------------------------------------------------------------------------- */

static void cycle(struct carom_solid_blocks *w, size_t number, const double *r, double *z);

/* z ~ A^-1 r on a coarse level: two steps of conjugate gradients with the cycle (Notay and Vassilevski) */
static void solve_twice(struct carom_solid_blocks *w, size_t number, double *r, double *z)
{
    const struct carom_level *l = &w->level[number];
    const size_t n = (size_t)w->b * l->n;
    double *v = l->own[0], *d = l->own[1], *bent = l->own[2];
    cycle(w, number, r, z);
    if (number + 1 == w->nlevels)
        return;
    multiply(w, l, z, v);
    const double curve = carom_vec_product(n, z, v), first = carom_vec_product(n, z, r);
    if (!(curve > 0.0))
        return;
    for (size_t i = 0; i < n; i++)
        r[i] -= first / curve * v[i];
    cycle(w, number, r, d);
    multiply(w, l, d, bent);
    const double mixed = carom_vec_product(n, d, v), second = carom_vec_product(n, d, r),
                 rest = carom_vec_product(n, d, bent) - mixed * mixed / curve;
    const double share = rest > 0.0 ? second / rest : 0.0;
    for (size_t i = 0; i < n; i++)
        z[i] = (first - mixed * share) / curve * z[i] + share * d[i];
}

/* forces on nodes [first, last) of the next level: what is left on those they are made of */
static void restrict_some(void *own, size_t first, size_t last)
{
    const struct carom_level_call *c = own;
    const struct carom_level *l = c->l, *next = c->next;
    const int b = c->w->b;
    for (size_t to = first; to < last; to++) {
        double *sum = next->r + (size_t)b * to, arm[3], f[CAROM_LEVEL_SPACE];
        size_t child[8];
        const size_t count = carom_level_children(l, next, to, child);
        memset(sum, 0, (size_t)b * sizeof *sum);
        for (size_t j = 0; j < count; j++) {
            for (int k = 0; k < 3; k++)
                arm[k] = l->place[child[j]][k] - next->place[to][k];
            carom_level_carry_back(b, c->left + (size_t)b * child[j], arm, f);
            for (int k = 0; k < b; k++)
                sum[k] += f[k];
        }
    }
}

static void prolong_some(void *own, size_t first, size_t last)
{
    const struct carom_level_call *c = own;
    const struct carom_level *l = c->l, *next = c->next;
    const int b = c->w->b;
    const size_t wide = (size_t)b;
    for (size_t i = first; i < last; i++) {
        const size_t from = l->parent[i];
        double arm[3], x[CAROM_LEVEL_SPACE];
        for (int k = 0; k < 3; k++)
            arm[k] = l->place[i][k] - next->place[from][k];
        carom_level_carry(b, next->z + wide * from, arm, x);
        let_go(carom_level_held(c->w, l, i), b, x);
        for (size_t k = 0; k < wide; k++)
            c->to[wide * i + k] += x[k];
    }
}

static void cycle(struct carom_solid_blocks *w, size_t number, const double *r, double *z)
{
    const struct carom_level *l = &w->level[number], *next = l + 1;
    if (number + 1 == w->nlevels) {
        carom_solid_blocks_last_solve(w, r, z);
        return;
    }
    struct carom_level_call call = {.w = w, .l = l, .next = next, .from = r, .to = z, .left = l->own[3]};
    carom_solid_blocks_waves_run(&call, false, forward_tile);
    carom_threads_share(w->threads, left_some, &call, l->n);
    carom_threads_share(w->threads, restrict_some, &call, next->n);
    solve_twice(w, number + 1, next->r, next->z);
    carom_threads_share(w->threads, prolong_some, &call, l->n);
    carom_solid_blocks_waves_run(&call, true, backward_tile);
}

void carom_solid_blocks_solve(struct carom_solid_blocks *w, const double *r, double *z)
{
    cycle(w, 0, r, z);
}

/* --- making levels ---------------------------------------------------------------------------------------------- */

void carom_solid_blocks_free(struct carom_solid_blocks *w)
{
    if (!w)
        return;
    for (size_t i = 0; i < CAROM_LEVELS; i++) {
        struct carom_level *l = &w->level[i];
        void *const all[] = {l->place,  l->link,   l->factor, l->ground, l->parent, l->r,    l->z,
                             l->own[0], l->own[1], l->own[2], l->own[3], l->wave,   l->order};
        for (size_t k = 0; k < sizeof all / sizeof *all; k++)
            carom_memory_free(all[k]);
    }
    carom_solid_blocks_last_close(w);
    carom_memory_free(w);
}

/* room of a level; the finest one works in the caller's vectors */
static bool take(const struct carom_solid_blocks *w, struct carom_level *l)
{
    const size_t numbers = (size_t)w->b * l->n;
    const bool fine = l == w->level;
    l->place = carom_memory_zeroed(l->n, sizeof *l->place);
    l->link = carom_memory_zeroed(w->axes * w->packed * l->n, sizeof *l->link);
    l->factor = carom_memory_zeroed(w->packed * l->n, sizeof *l->factor);
    l->ground = carom_memory_zeroed(w->packed * l->n, sizeof *l->ground);
    l->parent = carom_memory_zeroed(l->n, sizeof *l->parent);
    l->own[3] = carom_memory_zeroed(numbers, sizeof(double));
    if (!fine) {
        l->r = carom_memory_zeroed(numbers, sizeof(double));
        l->z = carom_memory_zeroed(numbers, sizeof(double));
        for (int k = 0; k < 3; k++)
            l->own[k] = carom_memory_zeroed(numbers, sizeof(double));
    }
    return l->place && l->link && l->factor && l->ground && l->parent && l->own[3] &&
           carom_solid_blocks_waves_open(w, l) && (fine || (l->r && l->z && l->own[0] && l->own[1] && l->own[2]));
}

/* Small enough to be factored? Lattices that are long or flat stay sparse; and where nodes are farther apart than a
 * plate is thick, sweeps help little: each node is caught between neighbours that bend much more easily than they
 * shear. */
static bool is_last(const struct carom_level *l)
{
    size_t wide = 0;
    double thin = 0.0, apart = 0.0;
    for (int k = 0; k < 3; k++) {
        wide += l->count[k] > 2;
        if (l->count[k] > 2)
            apart = fmax(apart, l->edge[k]);
        else
            thin = l->edge[k] * (double)l->count[k];
    }
    return l->n <= (wide == 3 ? 600U : wide < 2 ? 20000U : apart > thin ? 10000U : 2500U);
}

/* Two nodes along each axis whose links are among the shortest, hence stiffest, make a block. */
static void coarsen(const struct carom_level *l, struct carom_level *next)
{
    double least = HUGE_VAL;
    bool pair[3];
    for (int k = 0; k < 3; k++) {
        pair[k] = l->count[k] > (k == 0 && l->ring ? 5U : 1U); /* a ring has three nodes at least */
        least = pair[k] ? fmin(least, l->edge[k]) : least;
    }
    *next = (struct carom_level){.n = 1, .ring = l->ring};
    for (int k = 0; k < 3; k++) {
        pair[k] = pair[k] && l->edge[k] < 1.5 * least;
        next->count[k] = pair[k] ? (l->count[k] + 1) / 2 : l->count[k];
        next->edge[k] = l->edge[k] * (pair[k] ? 2.0 : 1.0);
        next->n *= next->count[k];
    }
    size_t at[3] = {0, 0, 0};
    for (size_t i = 0; i < l->n; i++, carom_level_step_on(l, at)) {
        size_t to[3];
        for (int k = 0; k < 3; k++)
            to[k] = pair[k] ? at[k] / 2 : at[k];
        l->parent[i] = (uint32_t)(to[0] + next->count[0] * (to[1] + next->count[1] * to[2]));
    }
}

static void begin(const struct carom_solid *s, struct carom_level *l)
{
    *l = (struct carom_level){.n = s->n, .ring = s->grid.shell};
    for (int k = 0; k < 3; k++) {
        l->count[k] = s->grid.count[k];
        l->edge[k] = s->grid.edge[k];
    }
    if (s->grid.shell) { /* radial, around and along: as the sort says */
        l->edge[0] = s->sorts[0].edge[1];
        l->edge[1] = s->sorts[0].edge[0];
        l->edge[2] = s->sorts[0].edge[2];
    }
}

struct carom_solid_blocks *carom_solid_blocks_create(const struct carom_solid *s, struct carom_threads *threads,
                                                     struct carom_error *error)
{
    struct carom_solid_blocks *w = carom_memory_zeroed(1, sizeof *w);
    bool good = w != NULL;
    if (good) {
        w->s = s;
        w->threads = threads;
        w->b = s->dimension == 3 ? CAROM_LEVEL_SPACE : CAROM_LEVEL_PLANE;
        w->axes = (size_t)s->dimension;
        w->packed = (size_t)(w->b * (w->b + 1) / 2);
        w->nlevels = 1;
        begin(s, w->level);
        good = take(w, w->level);
    }
    while (good && !is_last(&w->level[w->nlevels - 1]) && w->nlevels < CAROM_LEVELS) {
        struct carom_level *next = &w->level[w->nlevels++];
        coarsen(next - 1, next);
        good = take(w, next);
    }
    if (good && carom_solid_blocks_last_open(w, error) == CAROM_OK)
        return w;
    carom_solid_blocks_free(w);
    carom_error_set(error, CAROM_E_MEMORY, "out of memory for a static solution of %zu cells", s->n);
    return NULL;
}

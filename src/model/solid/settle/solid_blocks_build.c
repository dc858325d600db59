/* The stiffness of all levels of blocks (solid_blocks.c): links of cells as they stand now, links between blocks from
 * those of the level below, diagonals and their factors. */
#include <string.h>

#include "model/solid/settle/solid_blocks_level.h"

void carom_solid_blocks_build_diagonal(const struct carom_solid_blocks *w, const struct carom_level *l,
                                       const size_t at[3], size_t i, double *m)
{
    struct carom_level_round round;
    memset(m, 0, CAROM_LEVEL_PACKED * sizeof *m);
    carom_level_round(l, w->axes, w->packed, at, i, &round);
    for (int k = 0; k < round.count; k++) {
        double arm[3], other[3];
        carom_level_arm_to(l, i, round.other[k], arm, other);
        carom_level_add_carried(w->b, round.link[k], arm, 1.0, m);
    }
    for (size_t k = 0; l != w->level && k < w->packed; k++)
        m[k] += (double)l->ground[w->packed * i + k];
}

/* where link number `link` of the body lies: at the node before it */
static float *link_at(const struct carom_solid_blocks *w, const struct carom_level *l,
                      const struct carom_solid_link *link)
{
    size_t i = link->cell[0], k = 0;
    const size_t apart = link->cell[1] - i, row = l->count[0];
    if (apart == row * l->count[1] && l->count[2] > 1)
        k = 2;
    else if (apart == row && l->count[1] > 1)
        k = 1;
    else if (apart > 1) /* from the first to the last of a ring */
        i = link->cell[1];
    return l->link + w->packed * (w->axes * i + k);
}

/* diagonals and, on the finest level, grounds: as stiff as what the held cell hangs on */
static void build_diagonals(void *own, size_t first, size_t last)
{
    const struct carom_level_call *call = own;
    const struct carom_solid_blocks *w = call->w;
    const struct carom_level *l = call->l;
    size_t at[3];
    carom_level_at(l->count, first, at);
    for (size_t i = first; i < last; i++, carom_level_step_on(l, at)) {
        const unsigned mask = carom_level_held(w, l, i);
        double m[CAROM_LEVEL_PACKED];
        carom_solid_blocks_build_diagonal(w, l, at, i, m);
        for (int a = 0; a < w->b; a++)
            for (int c = 0; c <= a; c++) {
                const size_t k = (size_t)(a * (a + 1) / 2 + c);
                const bool row = mask >> a & 1U, column = mask >> c & 1U;
                if (l == w->level)
                    l->ground[w->packed * i + k] = row && column ? (float)m[k] : 0.0F;
                if (row || column)
                    m[k] = a == c ? 1.0 : 0.0;
            }
        carom_level_factorise(w->b, m);
        for (size_t k = 0; k < w->packed; k++)
            l->factor[w->packed * i + k] = (float)m[k];
    }
}

static void add_packed(size_t packed, const double *m, float *to)
{
    for (size_t k = 0; k < packed; k++)
        to[k] += (float)m[k];
}

/* where nodes of the next level stand: in the middle of those they are made of */
static void place_next(void *own, size_t first, size_t last)
{
    const struct carom_level_call *c = own;
    for (size_t to = first; to < last; to++) {
        double *place = c->next->place[to];
        size_t child[8];
        const size_t count = carom_level_children(c->l, c->next, to, child);
        memset(place, 0, sizeof *c->next->place);
        for (size_t j = 0; j < count; j++)
            for (int k = 0; k < 3; k++)
                place[k] += c->l->place[child[j]][k];
        for (int k = 0; k < 3; k++)
            place[k] /= (double)count;
    }
}

/* what links of node i of l add to those of its node `from` of the next level */
static void add_links(const struct carom_level_call *c, size_t i, size_t from)
{
    const struct carom_solid_blocks *w = c->w;
    const struct carom_level *l = c->l, *next = c->next;
    size_t at[3], stride = 1;
    carom_level_at(l->count, i, at);
    for (size_t a = 0; a < w->axes; a++) {
        const bool inside = at[a] + 1 < l->count[a];
        const size_t j = inside ? i + stride : i - stride * (l->count[a] - 1);
        stride *= l->count[a];
        if ((!inside && !(a == 0 && l->ring)) || l->parent[j] == from)
            continue;
        double fine = 0.0, coarse = 0.0, m[CAROM_LEVEL_PACKED] = {0.0}, arm[3];
        const double *to = next->place[l->parent[j]];
        for (int k = 0; k < 3; k++) {
            const double d = l->place[j][k] - l->place[i][k], e = to[k] - next->place[from][k];
            fine += d * d;
            coarse += e * e;
            arm[k] = 0.5 * (l->place[j][k] + l->place[i][k] - to[k] - next->place[from][k]);
        }
        carom_level_add_carried(w->b, l->link + w->packed * (w->axes * i + a), arm, fmin(1.0, sqrt(fine / coarse)), m);
        add_packed(w->packed, m, next->link + w->packed * (w->axes * from + a));
    }
}

/* links and grounds of the next level from those of l, whose places are known */
static void build_next(void *own, size_t first, size_t last)
{
    const struct carom_level_call *c = own;
    const struct carom_solid_blocks *w = c->w;
    const struct carom_level *l = c->l, *next = c->next;
    memset(next->link + w->axes * w->packed * first, 0, w->axes * w->packed * (last - first) * sizeof *next->link);
    memset(next->ground + w->packed * first, 0, w->packed * (last - first) * sizeof *next->ground);
    for (size_t to = first; to < last; to++) {
        size_t child[8];
        const size_t count = carom_level_children(l, next, to, child);
        for (size_t j = 0; j < count; j++) {
            double m[CAROM_LEVEL_PACKED] = {0.0}, arm[3];
            for (int k = 0; k < 3; k++)
                arm[k] = l->place[child[j]][k] - next->place[to][k];
            carom_level_add_carried(w->b, l->ground + w->packed * child[j], arm, 0.5, m);
            add_packed(w->packed, m, next->ground + w->packed * to);
            add_links(c, child[j], to);
        }
    }
}

static void build_links(void *own, size_t first, size_t last)
{
    const struct carom_level_call *c = own;
    const struct carom_solid *s = c->w->s;
    for (size_t i = first; i < last; i++) {
        const struct carom_solid_link *link = &s->link[i];
        carom_level_link(s, c->from, link, c->l->place[link->cell[0]], c->l->place[link->cell[1]],
                         link_at(c->w, c->l, link));
    }
}

void carom_solid_blocks_build(struct carom_solid_blocks *w, const double *q, bool loose)
{
    const struct carom_solid *s = w->s;
    const struct carom_level *fine = w->level;
    for (size_t i = 0; i < s->n; i++)
        for (int k = 0; k < 3; k++)
            fine->place[i][k] = s->centre[i][k] + (k < s->dimension ? q[s->wide * i + (size_t)k] : 0.0);
    struct carom_level_call call = {.w = w, .l = fine, .from = q};
    carom_threads_share(w->threads, build_links, &call, s->nlinks);
    for (size_t i = 0; i < w->nlevels; i++) {
        call.l = fine + i;
        carom_threads_share(w->threads, build_diagonals, &call, call.l->n);
        if (i + 1 == w->nlevels)
            break;
        call.next = call.l + 1;
        carom_threads_share(w->threads, place_next, &call, call.next->n);
        carom_threads_share(w->threads, build_next, &call, call.next->n);
    }
    carom_solid_blocks_last_build(w, loose);
}

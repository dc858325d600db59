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
static void build_diagonal(const struct carom_solid_blocks *w, const struct carom_level *l)
{
    size_t at[3] = {0, 0, 0};
    for (size_t i = 0; i < l->n; i++, carom_level_step_on(l, at)) {
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

/* links and grounds of `next` from those of l, whose places are known */
static void build_next(const struct carom_solid_blocks *w, const struct carom_level *l, const struct carom_level *next)
{
    float *share = next->factor; /* how many nodes a block has, until the diagonals are known */
    memset(share, 0, next->n * sizeof *share);
    memset(next->place, 0, next->n * sizeof *next->place);
    memset(next->link, 0, w->axes * w->packed * next->n * sizeof *next->link);
    memset(next->ground, 0, w->packed * next->n * sizeof *next->ground);
    for (size_t i = 0; i < l->n; i++) {
        share[l->parent[i]] += 1.0F;
        for (int k = 0; k < 3; k++)
            next->place[l->parent[i]][k] += l->place[i][k];
    }
    for (size_t i = 0; i < next->n; i++)
        for (int k = 0; k < 3; k++)
            next->place[i][k] /= (double)share[i];
    size_t at[3] = {0, 0, 0};
    for (size_t i = 0; i < l->n; i++, carom_level_step_on(l, at)) {
        const size_t from = l->parent[i];
        double m[CAROM_LEVEL_PACKED] = {0.0}, arm[3];
        for (int k = 0; k < 3; k++)
            arm[k] = l->place[i][k] - next->place[from][k];
        carom_level_add_carried(w->b, l->ground + w->packed * i, arm, 0.5, m);
        add_packed(w->packed, m, next->ground + w->packed * from);
        size_t stride = 1;
        for (size_t a = 0; a < w->axes; a++) {
            const bool inside = at[a] + 1 < l->count[a];
            const size_t j = inside ? i + stride : i - stride * (l->count[a] - 1);
            stride *= l->count[a];
            if ((!inside && !(a == 0 && l->ring)) || l->parent[j] == from)
                continue;
            double fine = 0.0, coarse = 0.0;
            const double *to = next->place[l->parent[j]];
            for (int k = 0; k < 3; k++) {
                const double d = l->place[j][k] - l->place[i][k], e = to[k] - next->place[from][k];
                fine += d * d;
                coarse += e * e;
                arm[k] = 0.5 * (l->place[j][k] + l->place[i][k] - to[k] - next->place[from][k]);
            }
            memset(m, 0, sizeof m);
            carom_level_add_carried(w->b, l->link + w->packed * (w->axes * i + a), arm, fmin(1.0, sqrt(fine / coarse)),
                                    m);
            add_packed(w->packed, m, next->link + w->packed * (w->axes * from + a));
        }
    }
}

void carom_solid_blocks_build(struct carom_solid_blocks *w, const double *q, bool loose)
{
    const struct carom_solid *s = w->s;
    const struct carom_level *fine = w->level;
    for (size_t i = 0; i < s->n; i++)
        for (int k = 0; k < 3; k++)
            fine->place[i][k] = s->centre[i][k] + (k < s->dimension ? q[s->wide * i + (size_t)k] : 0.0);
    for (size_t i = 0; i < s->nlinks; i++) {
        const struct carom_solid_link *link = &s->link[i];
        carom_level_link(s, q, link, fine->place[link->cell[0]], fine->place[link->cell[1]], link_at(w, fine, link));
    }
    for (size_t i = 0; i < w->nlevels; i++) {
        if (i > 0)
            build_next(w, fine + i - 1, fine + i);
        build_diagonal(w, fine + i);
    }
    carom_solid_blocks_last_build(w, loose);
}

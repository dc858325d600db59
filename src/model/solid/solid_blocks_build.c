/* The stiffness of all levels of blocks (solid_blocks.c): links of cells as they stand now, links between blocks from
 * those of the level below, diagonals and their factors. */
#include <string.h>

#include "model/solid/solid_blocks_level.h"

/* Cholesky's factor of a packed matrix in place, diagonal inverted; unknowns without stiffness are left alone */
static void factorise(int b, double *m)
{
    for (int i = 0; i < b; i++) {
        double *row = m + i * (i + 1) / 2;
        const double whole = row[i];
        for (int j = 0; j <= i; j++) {
            const double *above = m + j * (j + 1) / 2;
            for (int k = 0; k < j; k++)
                row[j] -= row[k] * above[k];
            if (j < i)
                row[j] *= above[j];
        }
        row[i] = row[i] > 1e-12 * whole ? 1.0 / sqrt(row[i]) : 0.0;
    }
}

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

/* stiffness of the relative motion at the middle between the cells: k at the interface, bending in the axes of I */
static void link_stiffness(const struct carom_solid_blocks *w, const struct carom_level *l, const double *q,
                           const struct carom_solid_link *link, float *to)
{
    const struct carom_solid *s = w->s;
    const struct carom_solid_shape *shape = &s->shape[link->shape];
    const double *here = l->place[link->cell[0]], *there = l->place[link->cell[1]];
    double turn[4], arm[3], bend[3][3] = {{0.0}}, m[CAROM_LEVEL_PACKED] = {0.0};
    float plain[CAROM_LEVEL_PACKED] = {0.0F};
    carom_solid_quaternion(s, q, link->cell[0], turn);
    carom_quat_turn(turn, shape->arm, arm);
    for (int k = 0; k < 3; k++)
        arm[k] -= 0.5 * (there[k] - here[k]); /* from the middle to the interface */
    if (w->b == CAROM_LEVEL_PLANE) {
        plain[0] = plain[2] = (float)shape->stiff;
        plain[5] = (float)shape->bend[0];
    } else {
        static const int index[3][3] = {{0, 5, 4}, {5, 1, 3}, {4, 3, 2}};
        for (int k = 0; k < 3; k++) { /* Q B Q^T, column by column */
            double unit[3] = {0.0, 0.0, 0.0}, x[3], y[3];
            unit[k] = 1.0;
            carom_quat_turn_back(turn, unit, x);
            for (int i = 0; i < 3; i++)
                y[i] =
                    shape->bend[index[i][0]] * x[0] + shape->bend[index[i][1]] * x[1] + shape->bend[index[i][2]] * x[2];
            carom_quat_turn(turn, y, bend[k]);
        }
        plain[0] = plain[2] = plain[5] = (float)shape->stiff;
        for (int i = 0; i < 3; i++)
            for (int j = 0; j <= i; j++)
                plain[(i + 3) * (i + 4) / 2 + j + 3] = (float)bend[j][i];
    }
    carom_level_add_carried(w->b, plain, arm, 1.0, m);
    for (size_t k = 0; k < w->packed; k++)
        to[k] = (float)m[k];
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
        factorise(w->b, m);
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
    for (size_t i = 0; i < s->nlinks; i++)
        link_stiffness(w, fine, q, &s->link[i], link_at(w, fine, &s->link[i]));
    for (size_t i = 0; i < w->nlevels; i++) {
        if (i > 0)
            build_next(w, fine + i - 1, fine + i);
        build_diagonal(w, fine + i);
    }
    carom_solid_blocks_last_build(w, loose);
}

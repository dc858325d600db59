/* What cells in space that go together, one in each lane, are like: for rattle_space_pass.h. */
#ifndef CAROM_SCHEME_SOLID_RATTLE_SPACE_GROUP_H
#define CAROM_SCHEME_SOLID_RATTLE_SPACE_GROUP_H

#include "kernel/turn.h"
#include "model/solid/solid.h"
#include "scheme/solid/rattle.h"

typedef const struct carom_solid_sort *sorts_of_group[CAROM_LANES];

/* what the sorts of a group of cells, one in each lane, say */
struct group {
    sorts_of_group sort;
    carom_lane gain[6];      /* half a step over the mass, and for turns, along the cells' records */
    struct carom_lane3 half; /* half a step over the moments of inertia */
    struct carom_turn frame;
    carom_lane lopsided; /* how much the moments differ, see skew_of */
};

#define EACH(l) for (size_t l = 0; l < CAROM_LANES; l++)

/* how many cells from i on go together */
ALWAYS_INLINE size_t cells_of(size_t i, size_t last)
{
    return last - i < CAROM_LANES ? last - i : CAROM_LANES;
}

/* that of lane l; lanes beyond have the last of them again */
ALWAYS_INLINE size_t cell_of(size_t i, size_t cells, size_t l)
{
    return i + (l < cells ? l : cells - 1);
}

/* three numbers of each of several records */
ALWAYS_INLINE struct carom_lane3 three(const double *const at[CAROM_LANES])
{
    const double *y[CAROM_LANES], *z[CAROM_LANES];
    EACH(l)
    {
        y[l] = at[l] + 1;
        z[l] = at[l] + 2;
    }
    return (struct carom_lane3){carom_lane_of(at), carom_lane_of(y), carom_lane_of(z)};
}

/* differences of the moments of inertia over the moments, the factors of the fixed point */
static struct carom_lane3 skew_of(const sorts_of_group sort)
{
    const double *inertias[CAROM_LANES], *inverses[CAROM_LANES];
    EACH(l)
    {
        inertias[l] = sort[l]->inertia;
        inverses[l] = sort[l]->inverse_inertia;
    }
    const struct carom_lane3 inertia = three(inertias), inverse = three(inverses);
    return (struct carom_lane3){(inertia.z - inertia.y) * inverse.x, (inertia.x - inertia.z) * inverse.y,
                                (inertia.y - inertia.x) * inverse.z};
}

ALWAYS_INLINE carom_lane inverse_masses(const sorts_of_group sort)
{
    const double *inverse[CAROM_LANES];
    EACH(l) inverse[l] = &sort[l]->inverse_mass;
    return carom_lane_of(inverse);
}

/* what kicks multiply forces by, along records of velocity and angular momentum */
ALWAYS_INLINE void gains_of(carom_lane inverse_mass, double half, carom_lane gain[6])
{
    const carom_lane light = half * inverse_mass, turn = carom_lane_all(half),
                     x[6] = {light, light, light, turn, turn, turn};
    carom_lane_records(x, gain);
}

static void group_of(struct group *g, const sorts_of_group sort, double h)
{
    const double *inverses[CAROM_LANES], *frames[CAROM_LANES], *axes[CAROM_LANES];
    EACH(l)
    {
        g->sort[l] = sort[l];
        inverses[l] = sort[l]->inverse_inertia;
        frames[l] = sort[l]->frame;
        axes[l] = sort[l]->frame + 1;
    }
    const struct carom_lane3 inverse = three(inverses), skew = skew_of(sort);
    gains_of(inverse_masses(sort), 0.5 * h, g->gain);
    g->half = (struct carom_lane3){0.5 * h * inverse.x, 0.5 * h * inverse.y, 0.5 * h * inverse.z};
    g->frame = (struct carom_turn){carom_lane_of(frames), three(axes)};
    g->lopsided =
        carom_lane_max(carom_lane_max(carom_lane_abs(skew.x), carom_lane_abs(skew.y)), carom_lane_abs(skew.z));
}

/* numbers of unlike cells from i on, `n` in all */
ALWAYS_INLINE carom_lane unlike_of(const double *unlike, size_t n, size_t number, size_t i)
{
    return carom_lane_load(unlike + n * number + i);
}

ALWAYS_INLINE struct carom_lane3 unlike_three(const double *unlike, size_t n, size_t number, size_t i)
{
    return (struct carom_lane3){unlike_of(unlike, n, number, i), unlike_of(unlike, n, number + 1, i),
                                unlike_of(unlike, n, number + 2, i)};
}

/* as group_of(), of as many cells as there are lanes */
ALWAYS_INLINE void group_unlike(struct group *g, const double *unlike, size_t n, size_t i, double h)
{
    const double half = 0.5 * h;
    const struct carom_lane3 inverse = unlike_three(unlike, n, CAROM_UNLIKE_INVERSE_INERTIA, i);
    g->sort[0] = NULL; /* no longer what the group is like */
    gains_of(unlike_of(unlike, n, CAROM_UNLIKE_INVERSE_MASS, i), half, g->gain);
    g->half = (struct carom_lane3){half * inverse.x, half * inverse.y, half * inverse.z};
    g->frame = (struct carom_turn){unlike_of(unlike, n, CAROM_UNLIKE_FRAME, i),
                                   unlike_three(unlike, n, CAROM_UNLIKE_FRAME + 1, i)};
    g->lopsided = unlike_of(unlike, n, CAROM_UNLIKE_LOPSIDED, i);
}

ALWAYS_INLINE bool is_group(const sorts_of_group known, const sorts_of_group sort)
{
    bool same = true;
    EACH(l) same &= known[l] == sort[l];
    return same;
}

ALWAYS_INLINE void group_at(struct group *g, const struct carom_solid_sort *sorts, const uint32_t *sort, size_t i,
                            size_t cells, double h)
{
    sorts_of_group here;
    EACH(l) here[l] = &sorts[sort[cell_of(i, cells, l)]];
    if (!is_group(g->sort, here))
        group_of(g, here, h);
}

#endif

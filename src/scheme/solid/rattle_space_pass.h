/* Kick and drift of cells in space, Monasse and Mariotti 2012, section 5.3: a portion of cells at a time, some in the
 * lanes of a register. The rotation is a long chain of dependent operations for each cell, so it is cut into loops over
 * the portion: cells wait for each other nowhere. The fixed point of rattle_turn.c is run as often as its bound asks
 * for the fastest cell of the portion; portions depend neither on threads nor on lanes. Cells beyond the bound go one
 * by one. */
#ifndef CAROM_SCHEME_SOLID_RATTLE_SPACE_PASS_H
#define CAROM_SCHEME_SOLID_RATTLE_SPACE_PASS_H

#include <string.h>

#include "kernel/hinge.h"
#include "kernel/still.h"
#include "model/solid/solid_turns.h"
#include "scheme/solid/rattle.h"
#include "scheme/solid/rattle_cell.h"
#include "scheme/solid/rattle_space_group.h"
#include "scheme/solid/rattle_turn.h"

enum { GROUPS = CAROM_TURN_PORTION / CAROM_LANES };

/* a portion on its way */
struct portion {
    size_t first, last;
    double h;
    struct group group; /* as met last */
    struct carom_lane3 a[GROUPS], y[GROUPS], skew[GROUPS];
    struct carom_turn frame[GROUPS]; /* where some cell has one */
    carom_lane size[GROUPS];         /* sum |a|; 0 in lanes that are not turned here */
    double lopsided, largest;        /* of all cells; the largest size */
    bool within, all;                /* are all within the bound, are all turned? */
};

/* --- moves ------------------------------------------------------------------------------------------------------- */

/* the quaternions of cells */
ALWAYS_INLINE struct carom_turn quaternion_of(const double *q, size_t i, size_t cells)
{
    struct carom_turn out;
    const double *at[2][CAROM_LANES];
    EACH(l)
    {
        at[0][l] = q + 7 * cell_of(i, cells, l) + 3;
        at[1][l] = at[0][l] + 2;
    }
    carom_lane_columns(carom_lane_rows_of(at[0]), &out.a, &out.w.x);
    carom_lane_columns(carom_lane_rows_of(at[1]), &out.w.y, &out.w.z);
    return out;
}

/* Kick and move of a group of cells, all but their turns; returns their angular momenta. Forces are used up: they are
 * set to 0 while they are at hand, for the next ones. */
ALWAYS_INLINE struct carom_lane3 push(size_t i, double h, const carom_lane gain[6], const carom_lane still[6],
                                      double *restrict f, const double *restrict q0, const double *v0,
                                      double *restrict q1, double *v1)
{
    carom_lane v[6], z, old[2];
    struct carom_lane_rows row[3];
    struct carom_lane3 momentum;
    const double *from[CAROM_LANES];
    double *to[CAROM_LANES];
    for (size_t k = 0, at = 6 * i; k < 6; k++, at += CAROM_LANES) {
        v[k] = carom_lane_load(v0 + at) + gain[k] * carom_lane_load(f + at);
        v[k] = carom_still_lane(v[k], still[k]);
        carom_lane_store(v1 + at, v[k]);
        carom_lane_store(f + at, carom_lane_all(0.0));
    }
    carom_lane_record_rows(v, row);
    EACH(l)
    {
        from[l] = q0 + 7 * (i + l);
        to[l] = q1 + 7 * (i + l);
    }
    const struct carom_lane_rows xy = carom_lane_rows_of(from);
    carom_lane_rows_to(to, (struct carom_lane_rows){xy.even + h * row[0].even, xy.odd + h * row[0].odd});
    EACH(l) from[l]++;
    carom_lane_columns(carom_lane_rows_of(from), &old[0], &old[1]);
    carom_lane_columns(row[1], &z, &momentum.x);
    carom_lane_columns(row[2], &momentum.y, &momentum.z);
    z = old[1] + h * z;
    EACH(l) to[l][2] = z[l];
    return momentum;
}

/* one cell alone */
static void push_one(const struct carom_rattle_body *body, size_t i, double h, const double *q0, const double *v0,
                     double *q1, double *v1)
{
    const double half = 0.5 * h, light = half * carom_solid_sort_of(body->solid, i)->inverse_mass;
    for (size_t k = 0; k < 6; k++) {
        const double v = v0[6 * i + k] + (k < 3 ? light : half) * body->force[6 * i + k];
        v1[6 * i + k] = carom_still(v, body->still[k >= 3]);
        body->force[6 * i + k] = 0.0;
    }
    for (size_t k = 0; k < 3; k++)
        q1[7 * i + k] = q0[7 * i + k] + h * v1[6 * i + k];
}

/* the same where something is held: held coordinates feel nothing */
static void push_held(const struct carom_rattle_body *body, size_t i, double h, const double *q0, const double *v0,
                      double *q1, double *v1)
{
    const double half = 0.5 * h, light = half * carom_solid_sort_of(body->solid, i)->inverse_mass;
    for (size_t k = 0; k < 6; k++) {
        const double v = v0[6 * i + k];
        v1[6 * i + k] = carom_solid_holds(body->solid, i, k) ? v : v + (k < 3 ? light : half) * body->force[6 * i + k];
    }
    if (carom_solid_turns_held(body->solid, i))
        carom_solid_turns_balance(body->solid, i, q0, v1 + 6 * i + 3);
    for (size_t k = 0; k < 6; k++)
        v1[6 * i + k] = carom_still(v1[6 * i + k], body->still[k >= 3]);
    for (size_t k = 0; k < 3; k++)
        q1[7 * i + k] = q0[7 * i + k] + h * v1[6 * i + k];
}

/* angular momenta of cells that have been pushed */
ALWAYS_INLINE struct carom_lane3 momenta(const double *v, size_t i, size_t cells)
{
    const double *at[CAROM_LANES];
    EACH(l) at[l] = v + 6 * cell_of(i, cells, l) + 3;
    return three(at);
}

/* Pushes the cells unless that has been done (where something is held), and works out what the fixed point begins with.
 * `framed` and `pushed` are constants where this is compiled in. */
ALWAYS_INLINE void begin(const struct carom_rattle_body *body, bool framed, bool pushed, const double *restrict q0,
                         const double *v0, double *restrict q1, double *v1, struct portion *restrict t)
{
    const struct carom_solid *s = body->solid;
    double *restrict f = body->force;
    struct group *g = &t->group;
    const carom_lane least = carom_lane_all(body->still[2]), slow = carom_lane_all(body->still[0]),
                     still = carom_lane_all(body->still[1]), stills[6] = {slow, slow, slow, still, still, still};
    carom_lane limit[6], largest = carom_lane_all(0.0), lopsided = largest;
    carom_lane_mask within = largest == 0.0, all = within;
    const uint32_t *restrict sort = s->sort;
    const struct carom_solid_sort *restrict sorts = s->sorts;
    const size_t first = t->first, last = t->last;
    const double h = t->h;
    carom_lane_records(stills, limit);
    for (size_t i = first, k = 0; i < last; i += CAROM_LANES, k++) {
        const size_t cells = cells_of(i, last);
        struct carom_lane3 momentum;
        struct carom_turn q;
        if (cells == CAROM_LANES) {
            if (body->unlike)
                group_unlike(g, body->unlike, s->n, i, h);
            else
                group_at(g, sorts, sort, i, CAROM_LANES, h);
            momentum = pushed ? momenta(v1, i, CAROM_LANES) : push(i, h, g->gain, limit, f, q0, v0, q1, v1);
            q = quaternion_of(q0, i, CAROM_LANES);
        } else {
            group_at(g, sorts, sort, i, cells, h);
            for (size_t cell = i; !pushed && cell < last; cell++)
                push_one(body, cell, h, q0, v0, q1, v1);
            momentum = momenta(v1, i, cells);
            q = quaternion_of(q0, i, cells);
        }
        const struct carom_lane3 moment = carom_turn_back(framed ? carom_turn_product(q, g->frame) : q, momentum);
        const struct carom_lane3 a = {carom_still_lane(moment.x * g->half.x, least),
                                      carom_still_lane(moment.y * g->half.y, least),
                                      carom_still_lane(moment.z * g->half.z, least)};
        const carom_lane size = carom_lane_size(a.x) + carom_lane_size(a.y) + carom_lane_size(a.z);
        within &= size <= 0.5 * CAROM_TURN_BOUND;
        all &= size > 0.0;
        largest = carom_lane_max(size, largest);
        lopsided = carom_lane_max(g->lopsided, lopsided);
        t->a[k] = a;
        t->size[k] = size;
        if (framed)
            t->frame[k] = g->frame;
    }
    t->within = carom_lane_every(within);
    t->all = carom_lane_every(within & all);
    t->largest = carom_lane_most(largest);
    t->lopsided = carom_lane_most(lopsided);
}

/* cells beyond the bound stay, and are turned on their own afterwards */
static void bound_turns(struct portion *t, size_t groups)
{
    const carom_lane none = carom_lane_all(0.0);
    for (size_t k = 0; k < groups; k++) {
        const carom_lane_mask good = t->size[k] <= 0.5 * CAROM_TURN_BOUND;
        const struct carom_lane3 a = t->a[k];
        t->a[k] = (struct carom_lane3){carom_lane_pick(good, a.x, none), carom_lane_pick(good, a.y, none),
                                       carom_lane_pick(good, a.z, none)};
        t->size[k] = carom_lane_pick(good, t->size[k], none);
    }
}

static double largest_size(const struct portion *t, size_t groups)
{
    carom_lane largest = carom_lane_all(0.0);
    for (size_t k = 0; k < groups; k++)
        largest = carom_lane_max(t->size[k], largest);
    return carom_lane_most(largest);
}

static void fixed_point(const struct carom_rattle_body *body, struct portion *t, size_t groups, int rounds)
{
    const struct carom_solid *s = body->solid;
    memcpy(t->y, t->a, groups * sizeof *t->y);
    for (size_t k = 0, i = t->first; k < groups; k++, i += CAROM_LANES) {
        sorts_of_group sort;
        if (body->unlike && i + CAROM_LANES <= t->last) {
            t->skew[k] = unlike_three(body->unlike, s->n, CAROM_UNLIKE_SKEW, i);
            continue;
        }
        EACH(l) sort[l] = carom_solid_sort_of(s, cell_of(i, cells_of(i, t->last), l));
        t->skew[k] = skew_of(sort);
    }
    for (int r = 0; r < rounds; r++)
        for (size_t k = 0; k < groups; k++)
            t->y[k] = carom_turn_round(t->a[k], t->skew[k], t->y[k]);
}

/* q1 = q0 e for groups k and, if `ways` is 2, k + 1, from cell i on: side by side, as each is a long chain of dependent
 * operations. All but i and k, and `cells` where they end, are constants where this is compiled in. */
ALWAYS_INLINE void finish_groups(const struct portion *restrict t, size_t ways, bool framed, bool small, bool all,
                                 size_t i, size_t cells, size_t k, const double *restrict q0, double *restrict q1)
{
    struct carom_turn q[2], e[2], next[2];
    for (size_t w = 0; w < ways; w++) {
        q[w] = quaternion_of(q0, i + CAROM_LANES * w, cells);
        e[w] = small ? carom_turn_small_step(t->a[k + w]) : carom_turn_step(t->y[k + w]);
        if (framed)
            e[w].w = carom_turn_forth(t->frame[k + w], e[w].w);
    }
    for (size_t w = 0; w < ways; w++) {
        const struct carom_turn c = q[w];
        next[w] = carom_turn_on(c, e[w]);
        const carom_lane_mask turned = t->size[k + w] > 0.0; /* what does not turn stays as it is, to the bit */
        if (!all)
            next[w] = (struct carom_turn){carom_lane_pick(turned, next[w].a, c.a),
                                          {carom_lane_pick(turned, next[w].w.x, c.w.x),
                                           carom_lane_pick(turned, next[w].w.y, c.w.y),
                                           carom_lane_pick(turned, next[w].w.z, c.w.z)}};
    }
    for (size_t w = 0; w < ways; w++) {
        double *to[2][CAROM_LANES];
        struct carom_lane_rows row[2];
        EACH(l)
        {
            to[0][l] = q1 + 7 * cell_of(i + CAROM_LANES * w, cells, l) + 3;
            to[1][l] = to[0][l] + 2;
        }
        carom_lane_columns((struct carom_lane_rows){next[w].a, next[w].w.x}, &row[0].even, &row[0].odd);
        carom_lane_columns((struct carom_lane_rows){next[w].w.y, next[w].w.z}, &row[1].even, &row[1].odd);
        carom_lane_rows_to(to[0], row[0]);
        carom_lane_rows_to(to[1], row[1]);
    }
}

ALWAYS_INLINE void finish(const struct portion *restrict t, bool framed, bool small, bool all,
                          const double *restrict q0, double *restrict q1)
{
    const size_t last = t->last;
    size_t i = t->first, k = 0;
    for (; i + 2 * CAROM_LANES <= last; i += 2 * CAROM_LANES, k += 2)
        finish_groups(t, 2, framed, small, all, i, CAROM_LANES, k, q0, q1);
    for (; i < last; i += CAROM_LANES, k++)
        finish_groups(t, 1, framed, small, all, i, cells_of(i, last), k, q0, q1);
}

/* one cell beyond the bound: q1 = q0 e, kept at length 1 */
static bool turn_cell(const struct carom_solid *s, const struct carom_solid_sort *sort, double h, const double q0[4],
                      const double momentum[3], double q1[4])
{
    double axes[4], moment[3], e[4], next[4], square = 0.0;
    if (momentum[0] == 0.0 && momentum[1] == 0.0 && momentum[2] == 0.0)
        return true;
    if (s->framed)
        carom_quat_product(q0, sort->frame, axes);
    carom_quat_turn_back(s->framed ? axes : q0, momentum, moment);
    for (int k = 0; k < 3; k++)
        moment[k] *= h;
    if (!carom_rattle_turn_solve(sort->inertia, sort->inverse_inertia, moment, e))
        return false;
    if (s->framed)
        carom_quat_turn(sort->frame, e + 1, e + 1);
    carom_quat_product(q0, e, next);
    for (int k = 0; k < 4; k++)
        square += next[k] * next[k];
    const double mend = 1.5 - 0.5 * square;
    for (int k = 0; k < 4; k++)
        q1[k] = mend * next[k];
    return true;
}

/* the cells that the portion has left alone; the first that cannot turn */
static size_t turn_wild(const struct carom_solid *s, const struct portion *t, const double *q0, const double *v1,
                        double *q1)
{
    for (size_t i = t->first; i < t->last; i++)
        if (t->size[(i - t->first) / CAROM_LANES][(i - t->first) % CAROM_LANES] == 0.0 &&
            !turn_cell(s, carom_solid_sort_of(s, i), t->h, q0 + 7 * i + 3, v1 + 6 * i + 3, q1 + 7 * i + 3))
            return i;
    return SIZE_MAX;
}

/* Cells whose turns are held about some axes turn about the others alone. The first that cannot turn. */
static size_t turn_hinged(const struct carom_solid *s, const struct portion *t, const double *q0, const double *v1,
                          double *q1)
{
    for (size_t i = t->first; i < t->last; i++) {
        const struct carom_solid_sort *sort = carom_solid_sort_of(s, i);
        const unsigned held = carom_solid_turns_held(s, i);
        if (held != 0U && !carom_hinge_step(held, sort->inverse_inertia, sort->frame, t->h, q0 + 7 * i + 3,
                                            v1 + 6 * i + 3, q1 + 7 * i + 3))
            return i;
    }
    return SIZE_MAX;
}

/* `framed` is a constant where this is compiled in */
ALWAYS_INLINE size_t drift(const struct carom_rattle_body *body, bool framed, struct portion *t, const double *q0,
                           const double *v0, double *q1, double *v1)
{
    const struct carom_solid *s = body->solid;
    const size_t groups = (t->last - t->first + CAROM_LANES - 1) / CAROM_LANES;
    if (s->held) {
        for (size_t i = t->first; i < t->last; i++)
            push_held(body, i, t->h, q0, v0, q1, v1);
        begin(body, framed, true, q0, v0, q1, v1, t);
    } else {
        begin(body, framed, false, q0, v0, q1, v1, t);
    }
    if (!t->within) {
        bound_turns(t, groups);
        t->largest = largest_size(t, groups);
    }
    const bool small = carom_turn_is_small(t->largest, t->lopsided);
    if (!small)
        fixed_point(body, t, groups, carom_turn_rounds(t->largest, t->lopsided));
    if (small && t->all)
        finish(t, framed, true, true, q0, q1);
    else if (small)
        finish(t, framed, true, false, q0, q1);
    else
        finish(t, framed, false, false, q0, q1);
    const size_t wild = t->within ? SIZE_MAX : turn_wild(s, t, q0, v1, q1);
    const size_t hinged = s->held ? turn_hinged(s, t, q0, v1, q1) : SIZE_MAX;
    return wild < hinged ? wild : hinged;
}

static size_t drift_some(const struct carom_rattle_body *body, size_t first, size_t last, double h, const double *q0,
                         const double *v0, double *q1, double *v1)
{
    size_t bad = SIZE_MAX;
    struct portion t;
    t.h = h;
    memset(t.group.sort, 0, sizeof t.group.sort);
    for (size_t i = first; i < last; i = t.last) {
        t.first = i;
        t.last = last - i < CAROM_TURN_PORTION ? last : i + CAROM_TURN_PORTION;
        const size_t worst =
            body->solid->framed ? drift(body, true, &t, q0, v0, q1, v1) : drift(body, false, &t, q0, v0, q1, v1);
        bad = bad == SIZE_MAX ? worst : bad;
    }
    return bad;
}

/* v += half a step of force; the first cell whose motion is not finite */
static size_t kick(const struct carom_rattle_body *body, size_t first, size_t last, double half, double *restrict v)
{
    const uint32_t *sort = body->solid->sort;
    const struct carom_solid_sort *sorts = body->solid->sorts;
    const double *restrict f = body->force, *unlike = body->unlike;
    const size_t n = body->solid->n;
    carom_lane sum = carom_lane_all(0.0), gain[6] = {sum}; /* sum: finite only if all is */
    sorts_of_group known = {NULL}, here;
    size_t i = first;
    for (; i + CAROM_LANES <= last; i += CAROM_LANES) {
        if (unlike) {
            gains_of(unlike_of(unlike, n, CAROM_UNLIKE_INVERSE_MASS, i), half, gain);
        } else {
            EACH(l) here[l] = &sorts[sort[i + l]];
            if (!is_group(known, here)) {
                memcpy(known, here, sizeof known);
                gains_of(inverse_masses(known), half, gain);
            }
        }
        for (size_t k = 0, at = 6 * i; k < 6; k++, at += CAROM_LANES) {
            const carom_lane x = carom_lane_load(v + at) + gain[k] * carom_lane_load(f + at);
            sum += x;
            carom_lane_store(v + at, x);
        }
    }
    for (size_t k = 6 * i; k < 6 * last; k++) {
        v[k] += (k % 6 < 3 ? half * sorts[sort[k / 6]].inverse_mass : half) * f[k];
        sum += v[k];
    }
    for (size_t k = 6 * first; carom_lane_any(~(carom_lane_abs(sum) < HUGE_VAL)) && k < 6 * last; k++)
        if (!(fabs(v[k]) < HUGE_VAL))
            return k / 6;
    return SIZE_MAX;
}

static size_t kick_held(const struct carom_solid *s, size_t first, size_t last, double half, const double *f,
                        const double *q, double *v)
{
    size_t bad = SIZE_MAX;
    for (size_t i = first; i < last; i++) {
        const double light = half * carom_solid_sort_of(s, i)->inverse_mass;
        for (size_t k = 0; k < 6; k++) {
            if (!carom_solid_holds(s, i, k))
                v[6 * i + k] += (k < 3 ? light : half) * f[6 * i + k];
            if (!(fabs(v[6 * i + k]) < HUGE_VAL) && bad == SIZE_MAX)
                bad = i;
        }
        if (carom_solid_turns_held(s, i))
            carom_solid_turns_balance(s, i, q, v + 6 * i + 3);
    }
    return bad;
}

static size_t kick_some(const struct carom_rattle_body *body, size_t first, size_t last, double h, const double *q1,
                        double *v1)
{
    const struct carom_solid *s = body->solid;
    return s->held ? kick_held(s, first, last, 0.5 * h, body->force, q1, v1) : kick(body, first, last, 0.5 * h, v1);
}

#endif

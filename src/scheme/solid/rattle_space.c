/* Kick and drift of cells in space, Monasse and Mariotti 2012, section 5.3: a portion of cells at a time, two in the
 * lanes of a register. The rotation is a long chain of dependent operations for each cell, so it is cut into loops over
 * the portion: cells wait for each other nowhere. The fixed point of rattle_turn.c is run as often as its bound asks
 * for the fastest cell of the portion; portions do not depend on threads. Cells beyond the bound go one by one. */
#include <string.h>

#include "kernel/hinge.h"
#include "kernel/still.h"
#include "model/solid/solid_turns.h"
#include "scheme/solid/rattle.h"
#include "scheme/solid/rattle_cell.h"
#include "scheme/solid/rattle_turn.h"

enum { PAIRS = CAROM_TURN_PORTION / CAROM_LANES };

/* what the sorts of a pair of cells say */
struct pair {
    const struct carom_solid_sort *sort[2];
    double light[2];         /* half a step over the mass */
    struct carom_lane3 half; /* half a step over the moments of inertia */
    struct carom_turn frame;
    double lopsided; /* how much the moments differ, see skew_of */
};

/* a portion on its way */
struct portion {
    size_t first, last;
    double h;
    struct carom_lane3 a[PAIRS], y[PAIRS], skew[PAIRS];
    struct carom_turn frame[PAIRS]; /* where some cell has one */
    carom_lane size[PAIRS];         /* sum |a|; 0 in lanes that are not turned here */
    double lopsided, largest;       /* of all cells; the largest size */
    bool within, all;               /* are all within the bound, are all turned? */
};

#define BOTH(expression0, expression1) ((carom_lane){(expression0), (expression1)})

ALWAYS_INLINE struct carom_lane3 three(const double *x0, const double *x1)
{
    return (struct carom_lane3){BOTH(x0[0], x1[0]), BOTH(x0[1], x1[1]), BOTH(x0[2], x1[2])};
}

ALWAYS_INLINE carom_lane size_of(carom_lane x)
{
    return BOTH(fabs(x[0]), fabs(x[1]));
}

/* differences of the moments of inertia over the moments, the factors of the fixed point */
static struct carom_lane3 skew_of(const struct carom_solid_sort *s0, const struct carom_solid_sort *s1)
{
    const struct carom_lane3 inertia = three(s0->inertia, s1->inertia);
    const struct carom_lane3 inverse = three(s0->inverse_inertia, s1->inverse_inertia);
    return (struct carom_lane3){(inertia.z - inertia.y) * inverse.x, (inertia.x - inertia.z) * inverse.y,
                                (inertia.y - inertia.x) * inverse.z};
}

static void pair_of(struct pair *p, const struct carom_solid_sort *s0, const struct carom_solid_sort *s1, double h)
{
    const struct carom_lane3 inverse = three(s0->inverse_inertia, s1->inverse_inertia), skew = skew_of(s0, s1);
    p->sort[0] = s0;
    p->sort[1] = s1;
    p->light[0] = 0.5 * h * s0->inverse_mass;
    p->light[1] = 0.5 * h * s1->inverse_mass;
    p->half = (struct carom_lane3){0.5 * h * inverse.x, 0.5 * h * inverse.y, 0.5 * h * inverse.z};
    p->frame = (struct carom_turn){BOTH(s0->frame[0], s1->frame[0]), three(s0->frame + 1, s1->frame + 1)};
    p->lopsided = 0.0;
    for (int c = 0; c < 2; c++)
        p->lopsided = fmax(fmax(p->lopsided, fabs(skew.x[c])), fmax(fabs(skew.y[c]), fabs(skew.z[c])));
}

/* the quaternions of cells i and j */
ALWAYS_INLINE struct carom_turn quaternion_of(const double *q, size_t i, size_t j)
{
    const carom_lane i0 = carom_lane_load(q + 7 * i + 3), i1 = carom_lane_load(q + 7 * i + 5);
    const carom_lane j0 = carom_lane_load(q + 7 * j + 3), j1 = carom_lane_load(q + 7 * j + 5);
    return (struct carom_turn){carom_lane_first(i0, j0),
                               {carom_lane_second(i0, j0), carom_lane_first(i1, j1), carom_lane_second(i1, j1)}};
}

/* Kick and move of a cell, all but its turn, along its own numbers; v: velocity and angular momentum, once more. The
 * force is used up: it is set to 0 while it is at hand, for the next one. */
ALWAYS_INLINE void push(size_t i, double h, double light, const double still[2], double *restrict f,
                        const double *restrict q0, const double *v0, double *restrict q1, double *v1, carom_lane v[3])
{
    const double half = 0.5 * h;
    v[0] = carom_lane_load(v0 + 6 * i) + light * carom_lane_load(f + 6 * i);
    v[1] = carom_lane_load(v0 + 6 * i + 2) + BOTH(light, half) * carom_lane_load(f + 6 * i + 2);
    v[2] = carom_lane_load(v0 + 6 * i + 4) + half * carom_lane_load(f + 6 * i + 4);
    for (size_t k = 0; k < 3; k++) {
        v[k] = carom_still_lane(v[k], BOTH(still[k == 2], still[k > 0]));
        carom_lane_store(v1 + 6 * i + 2 * k, v[k]);
    }
    memset(f + 6 * i, 0, 6 * sizeof *f);
    carom_lane_store(q1 + 7 * i, carom_lane_load(q0 + 7 * i) + h * v[0]);
    q1[7 * i + 2] = q0[7 * i + 2] + h * v[1][0];
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

/* Pushes the cells unless that has been done (where something is held), and works out what the fixed point begins with.
 * `framed` and `pushed` are constants where this is compiled in. */
ALWAYS_INLINE void begin(const struct carom_rattle_body *body, bool framed, bool pushed, const double *restrict q0,
                         const double *v0, double *restrict q1, double *v1, struct portion *restrict t)
{
    const struct carom_solid *s = body->solid;
    double *restrict f = body->force;
    const double still[2] = {body->still[0], body->still[1]};
    struct pair p = {.sort = {NULL, NULL}};
    carom_lane largest = {0.0, 0.0};
    carom_lane_mask within = {-1, -1}, all = {-1, -1};
    const uint32_t *restrict sort = s->sort;
    const struct carom_solid_sort *restrict sorts = s->sorts;
    const size_t first = t->first, last = t->last;
    const double h = t->h;
    t->lopsided = 0.0;
    for (size_t i = first, k = 0; i < last; i += 2, k++) {
        const size_t j = i + 1 < last ? i + 1 : i;
        if (&sorts[sort[i]] != p.sort[0] || &sorts[sort[j]] != p.sort[1]) {
            pair_of(&p, &sorts[sort[i]], &sorts[sort[j]], h);
            t->lopsided = fmax(t->lopsided, p.lopsided);
        }
        struct carom_lane3 momentum;
        if (pushed) {
            momentum = three(v1 + 6 * i + 3, v1 + 6 * j + 3);
        } else {
            carom_lane vi[3], vj[3];
            push(i, h, p.light[0], still, f, q0, v0, q1, v1, vi);
            if (j > i)
                push(j, h, p.light[1], still, f, q0, v0, q1, v1, vj);
            else
                memcpy(vj, vi, sizeof vj);
            momentum = (struct carom_lane3){carom_lane_second(vi[1], vj[1]), carom_lane_first(vi[2], vj[2]),
                                            carom_lane_second(vi[2], vj[2])};
        }
        const struct carom_turn q = quaternion_of(q0, i, j);
        const struct carom_lane3 moment = carom_turn_back(framed ? carom_turn_product(q, p.frame) : q, momentum);
        const carom_lane least = carom_lane_all(body->still[2]);
        const struct carom_lane3 a = {carom_still_lane(moment.x * p.half.x, least),
                                      carom_still_lane(moment.y * p.half.y, least),
                                      carom_still_lane(moment.z * p.half.z, least)};
        const carom_lane size = size_of(a.x) + size_of(a.y) + size_of(a.z);
        within &= size <= 0.5 * CAROM_TURN_BOUND;
        all &= size > 0.0;
        largest = carom_lane_pick(size > largest, size, largest);
        t->a[k] = a;
        t->size[k] = size;
        if (framed)
            t->frame[k] = p.frame;
    }
    t->within = within[0] & within[1];
    t->all = t->within & all[0] & all[1];
    t->largest = largest[0] > largest[1] ? largest[0] : largest[1];
}

/* cells beyond the bound stay, and are turned on their own afterwards */
static void bound_turns(struct portion *t, size_t pairs)
{
    const carom_lane none = {0.0, 0.0};
    for (size_t k = 0; k < pairs; k++) {
        const carom_lane_mask good = t->size[k] <= 0.5 * CAROM_TURN_BOUND;
        const struct carom_lane3 a = t->a[k];
        t->a[k] = (struct carom_lane3){carom_lane_pick(good, a.x, none), carom_lane_pick(good, a.y, none),
                                       carom_lane_pick(good, a.z, none)};
        t->size[k] = carom_lane_pick(good, t->size[k], none);
    }
}

static double largest_size(const struct portion *t, size_t pairs)
{
    carom_lane largest = {0.0, 0.0};
    for (size_t k = 0; k < pairs; k++)
        largest = carom_lane_pick(t->size[k] > largest, t->size[k], largest);
    return largest[0] > largest[1] ? largest[0] : largest[1];
}

static void fixed_point(const struct carom_solid *s, struct portion *t, size_t pairs, int rounds)
{
    memcpy(t->y, t->a, pairs * sizeof *t->y);
    for (size_t k = 0, i = t->first; k < pairs; k++, i += 2)
        t->skew[k] = skew_of(carom_solid_sort_of(s, i), carom_solid_sort_of(s, i + 1 < t->last ? i + 1 : i));
    for (int r = 0; r < rounds; r++)
        for (size_t k = 0; k < pairs; k++)
            t->y[k] = carom_turn_round(t->a[k], t->skew[k], t->y[k]);
}

/* q1 = q0 e for pairs k and, if `ways` is 2, k + 1, from cell i on: side by side, as each is a long chain of dependent
 * operations. `single`: the second cell of the pair is not there. All but i and k are constants where this is compiled
 * in. */
ALWAYS_INLINE void finish_pairs(const struct portion *restrict t, size_t ways, bool single, bool framed, bool small,
                                bool all, size_t i, size_t k, const double *restrict q0, double *restrict q1)
{
    struct carom_turn q[2], e[2], next[2];
    for (size_t w = 0; w < ways; w++) {
        q[w] = quaternion_of(q0, i + 2 * w, i + 2 * w + (single ? 0 : 1));
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
        double *to = q1 + 7 * (i + 2 * w);
        carom_lane_store(to + 3, carom_lane_first(next[w].a, next[w].w.x));
        carom_lane_store(to + 5, carom_lane_first(next[w].w.y, next[w].w.z));
        if (!single) {
            carom_lane_store(to + 10, carom_lane_second(next[w].a, next[w].w.x));
            carom_lane_store(to + 12, carom_lane_second(next[w].w.y, next[w].w.z));
        }
    }
}

ALWAYS_INLINE void finish(const struct portion *restrict t, bool framed, bool small, bool all,
                          const double *restrict q0, double *restrict q1)
{
    const size_t last = t->last;
    size_t i = t->first, k = 0;
    for (; i + 4 <= last; i += 4, k += 2)
        finish_pairs(t, 2, false, framed, small, all, i, k, q0, q1);
    for (; i + 2 <= last; i += 2, k++)
        finish_pairs(t, 1, false, framed, small, all, i, k, q0, q1);
    if (i < last)
        finish_pairs(t, 1, true, framed, small, all, i, k, q0, q1);
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
        if (t->size[(i - t->first) / 2][(i - t->first) % 2] == 0.0 &&
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
    const size_t pairs = (t->last - t->first + 1) / 2;
    if (s->held) {
        for (size_t i = t->first; i < t->last; i++)
            push_held(body, i, t->h, q0, v0, q1, v1);
        begin(body, framed, true, q0, v0, q1, v1, t);
    } else {
        begin(body, framed, false, q0, v0, q1, v1, t);
    }
    if (!t->within) {
        bound_turns(t, pairs);
        t->largest = largest_size(t, pairs);
    }
    const bool small = carom_turn_is_small(t->largest, t->lopsided);
    if (!small)
        fixed_point(s, t, pairs, carom_turn_rounds(t->largest, t->lopsided));
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

size_t carom_rattle_space_drift(const struct carom_rattle_body *body, size_t first, size_t last, double h,
                                const double *q0, const double *v0, double *q1, double *v1)
{
    size_t bad = SIZE_MAX;
    struct portion t;
    t.h = h;
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
static size_t kick(size_t first, size_t last, double half, const uint32_t *sort, const struct carom_solid_sort *sorts,
                   const double *restrict f, double *restrict v)
{
    carom_lane sum = {0.0, 0.0}; /* finite only if all is */
    const struct carom_solid_sort *known = NULL;
    carom_lane light = {0.0, 0.0}, mixed = light;
    for (size_t i = first; i < last; i++) {
        if (&sorts[sort[i]] != known) {
            known = &sorts[sort[i]];
            light = half * BOTH(known->inverse_mass, known->inverse_mass);
            mixed = BOTH(light[0], half);
        }
        const carom_lane a = carom_lane_load(v + 6 * i) + light * carom_lane_load(f + 6 * i);
        const carom_lane b = carom_lane_load(v + 6 * i + 2) + mixed * carom_lane_load(f + 6 * i + 2);
        const carom_lane c = carom_lane_load(v + 6 * i + 4) + half * carom_lane_load(f + 6 * i + 4);
        sum += a + b + c;
        carom_lane_store(v + 6 * i, a);
        carom_lane_store(v + 6 * i + 2, b);
        carom_lane_store(v + 6 * i + 4, c);
    }
    for (size_t i = 6 * first; !(fabs(sum[0] + sum[1]) < HUGE_VAL) && i < 6 * last; i++)
        if (!(fabs(v[i]) < HUGE_VAL))
            return i / 6;
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

size_t carom_rattle_space_kick(const struct carom_rattle_body *body, size_t first, size_t last, double h,
                               const double *q1, double *v1)
{
    const struct carom_solid *s = body->solid;
    return s->held ? kick_held(s, first, last, 0.5 * h, body->force, q1, v1)
                   : kick(first, last, 0.5 * h, s->sort, s->sorts, body->force, v1);
}

/* Kick and drift of cells in space, Monasse and Mariotti 2012, section 5.3: a portion of cells at a time, two in the
 * lanes of a register. The rotation is a long chain of dependent operations for each cell, so it is cut into loops over
 * the portion: cells wait for each other nowhere. The fixed point of rattle_turn.c is run as often as its bound asks
 * for the fastest cell of the portion; portions do not depend on threads. Cells beyond the bound go one by one. */
#include <string.h>

#include "model/solid_lane.h"
#include "scheme/rattle.h"
#include "scheme/rattle_turn.h"

#define ALWAYS_INLINE static inline __attribute__((always_inline))

enum { PAIRS = 16 }; /* in a portion */

/* the fixed point has come close enough, absolute in e / e_0: a tenth of the last bit of the quaternion */
#define CLOSE 1e-17

/* sum |a| up to which three terms are as good */
#define SMALL 1.5e-3

struct quaternion {
    carom_lane a;
    struct carom_lane3 w;
};

/* what the sorts of a pair of cells say */
struct pair {
    const struct carom_solid_sort *sort[2];
    struct carom_lane3 half, skew; /* step / (2 inertia), and the differences of the fixed point */
    struct quaternion frame;
    double lopsided; /* largest |skew| */
};

/* a portion on its way */
struct portion {
    size_t first, last;
    double h;
    struct quaternion q[PAIRS], e[PAIRS];
    struct carom_lane3 a[PAIRS], y[PAIRS], skew[PAIRS];
    struct quaternion frame[PAIRS]; /* where some cell has one */
    carom_lane size[PAIRS];         /* sum |a|; 0 in lanes that are not turned here */
    double lopsided;
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

/* as carom_solid_product has it */
ALWAYS_INLINE struct quaternion product(struct quaternion p, struct quaternion q)
{
    return (struct quaternion){p.a * q.a - p.w.x * q.w.x - p.w.y * q.w.y - p.w.z * q.w.z,
                               {p.a * q.w.x + p.w.x * q.a + p.w.y * q.w.z - p.w.z * q.w.y,
                                p.a * q.w.y - p.w.x * q.w.z + p.w.y * q.a + p.w.z * q.w.x,
                                p.a * q.w.z + p.w.x * q.w.y - p.w.y * q.w.x + p.w.z * q.a}};
}

ALWAYS_INLINE struct carom_lane3 turn(struct quaternion q, struct carom_lane3 x)
{
    return carom_lane_add(x, carom_lane_shift(q.a, q.w, x));
}

/* Q^T x: the crosses are swapped instead of w */
ALWAYS_INLINE struct carom_lane3 turn_back(struct quaternion q, struct carom_lane3 x)
{
    struct carom_lane3 t = carom_lane_cross(x, q.w);
    t = carom_lane_add(t, t);
    return carom_lane_add(x, carom_lane_add(carom_lane_times(q.a, t), carom_lane_cross(t, q.w)));
}

static void pair_of(struct pair *p, const struct carom_solid_sort *s0, const struct carom_solid_sort *s1, double h)
{
    const struct carom_lane3 inertia = three(s0->inertia, s1->inertia);
    const struct carom_lane3 inverse = three(s0->inverse_inertia, s1->inverse_inertia);
    p->sort[0] = s0;
    p->sort[1] = s1;
    p->half = (struct carom_lane3){0.5 * h * inverse.x, 0.5 * h * inverse.y, 0.5 * h * inverse.z};
    p->skew = (struct carom_lane3){(inertia.z - inertia.y) * inverse.x, (inertia.x - inertia.z) * inverse.y,
                                   (inertia.y - inertia.x) * inverse.z};
    p->frame = (struct quaternion){BOTH(s0->frame[0], s1->frame[0]), three(s0->frame + 1, s1->frame + 1)};
    p->lopsided = 0.0;
    for (int c = 0; c < 2; c++)
        p->lopsided = fmax(fmax(p->lopsided, fabs(p->skew.x[c])), fmax(fabs(p->skew.y[c]), fabs(p->skew.z[c])));
}

/* Kick and move of cells, all but their turn: along the cells' own numbers, which need no lanes. What is read stands
 * in arguments of its own, so that the compiler knows that it does not change. */
static void push(size_t first, size_t last, double h, const uint32_t *sort, const struct carom_solid_sort *sorts,
                 const double *restrict f, const double *restrict q0, const double *v0, double *restrict q1, double *v1)
{
    const double half = 0.5 * h;
    for (size_t i = first; i < last; i++) {
        const double light = half * sorts[sort[i]].inverse_mass;
        const carom_lane a = carom_lane_load(v0 + 6 * i) + light * carom_lane_load(f + 6 * i);
        const carom_lane b = carom_lane_load(v0 + 6 * i + 2) + BOTH(light, half) * carom_lane_load(f + 6 * i + 2);
        const carom_lane c = carom_lane_load(v0 + 6 * i + 4) + half * carom_lane_load(f + 6 * i + 4);
        carom_lane_store(v1 + 6 * i, a);
        carom_lane_store(v1 + 6 * i + 2, b);
        carom_lane_store(v1 + 6 * i + 4, c);
        carom_lane_store(q1 + 7 * i, carom_lane_load(q0 + 7 * i) + h * a);
        q1[7 * i + 2] = q0[7 * i + 2] + h * b[0];
    }
}

/* the same where something is held: held coordinates feel nothing */
static void push_held(const struct carom_rattle_body *body, size_t i, double h, const double *q0, const double *v0,
                      double *q1, double *v1)
{
    const double half = 0.5 * h, light = half * carom_solid_sort_of(body->solid, i)->inverse_mass;
    const unsigned held = body->solid->held[i];
    for (size_t k = 0; k < 6; k++) {
        const double v = v0[6 * i + k];
        v1[6 * i + k] = held >> k & 1U ? v : v + (k < 3 ? light : half) * body->force[6 * i + k];
    }
    for (size_t k = 0; k < 3; k++)
        q1[7 * i + k] = q0[7 * i + k] + h * v1[6 * i + k];
}

/* what the fixed point begins with; true if all cells are within the bound */
ALWAYS_INLINE bool begin(const struct carom_solid *s, bool framed, const double *q0, const double *v1,
                         struct portion *t)
{
    struct pair p = {.sort = {NULL, NULL}};
    carom_lane_mask good = {-1, -1};
    t->lopsided = 0.0;
    for (size_t i = t->first, k = 0; i < t->last; i += 2, k++) {
        const size_t j = i + 1 < t->last ? i + 1 : i;
        if (carom_solid_sort_of(s, i) != p.sort[0] || carom_solid_sort_of(s, j) != p.sort[1]) {
            pair_of(&p, carom_solid_sort_of(s, i), carom_solid_sort_of(s, j), t->h);
            t->lopsided = fmax(t->lopsided, p.lopsided);
        }
        const double *qi = q0 + 7 * i + 3, *qj = q0 + 7 * j + 3;
        const struct quaternion q = {BOTH(qi[0], qj[0]), three(qi + 1, qj + 1)};
        const struct carom_lane3 momentum = three(v1 + 6 * i + 3, v1 + 6 * j + 3);
        const struct carom_lane3 moment = turn_back(framed ? product(q, p.frame) : q, momentum);
        const struct carom_lane3 a = {moment.x * p.half.x, moment.y * p.half.y, moment.z * p.half.z};
        const carom_lane size = size_of(a.x) + size_of(a.y) + size_of(a.z);
        good &= size <= 0.5 * CAROM_RATTLE_TURN_BOUND;
        t->q[k] = q;
        t->a[k] = a;
        t->size[k] = size;
        t->skew[k] = p.skew;
        if (framed)
            t->frame[k] = p.frame;
    }
    return good[0] & good[1];
}

/* cells beyond the bound stay, and are turned on their own afterwards */
static void tame(struct portion *t, size_t pairs)
{
    const carom_lane none = {0.0, 0.0};
    for (size_t k = 0; k < pairs; k++) {
        const carom_lane_mask good = t->size[k] <= 0.5 * CAROM_RATTLE_TURN_BOUND;
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

/* How many rounds bring y close, from y = a on. With S >= sum |a| and |skew| <= L the solution has sum |y| <= 1.08 S
 * within the bound, so the first error is at most 1.17 S^2 (S + L / 3), and a round multiplies it by at most
 * 1.08 S (2 S + L). */
static int rounds_for(double size, double lopsided)
{
    const double factor = 1.08 * size * (2.0 * size + lopsided);
    int rounds = 0;
    for (double error = 1.17 * size * size * (size + lopsided / 3.0); error > CLOSE; error *= factor)
        rounds++;
    return rounds;
}

/* y = a (1 + |y|^2) - skew (y_2 y_3, ...) */
static void fixed_point(struct portion *t, size_t pairs, int rounds)
{
    memcpy(t->y, t->a, pairs * sizeof *t->y);
    for (int r = 0; r < rounds; r++)
        for (size_t k = 0; k < pairs; k++) {
            const struct carom_lane3 a = t->a[k], skew = t->skew[k], y = t->y[k];
            const carom_lane whole = 1.0 + carom_lane_dot(y, y);
            t->y[k] = (struct carom_lane3){a.x * whole - skew.x * y.y * y.z, a.y * whole - skew.y * y.z * y.x,
                                           a.z * whole - skew.z * y.x * y.y};
        }
}

/* 1 / sqrt(1 + s) for s = |y|^2 within the bound: a polynomial, then a step of Newton's */
ALWAYS_INLINE carom_lane inverse_root(carom_lane s)
{
    const carom_lane two = s * s, p = (1.0 - 0.5 * s) + two * ((0.375 - 0.3125 * s) + two * 0.2734375);
    return p * (1.5 - (0.5 + 0.5 * s) * (p * p));
}

/* The turn e = (1, y) / |(1, y)| of the step, from what the fixed point has left. */
ALWAYS_INLINE struct quaternion step_of(const struct portion *t, size_t k)
{
    const struct carom_lane3 y = t->y[k];
    const carom_lane a = inverse_root(carom_lane_dot(y, y));
    return (struct quaternion){a, carom_lane_times(a, y)};
}

/* The same for cells that are alike along all axes, to rounding, and turn slowly: y = a (1 + A + 2 A^2 + ...) with
 * A = |a|^2, in both places; what is left out is of the size of A^3. */
ALWAYS_INLINE struct quaternion small_step_of(const struct portion *t, size_t k)
{
    const struct carom_lane3 a = t->a[k];
    const carom_lane square = carom_lane_dot(a, a);
    return (struct quaternion){1.0 - square * (0.5 + 0.625 * square),
                               carom_lane_times(1.0 + square * (0.5 + 0.875 * square), a)};
}

/* the turns of the step; that q0 is not quite of length 1 is mended with them, to what rounding adds in one step */
ALWAYS_INLINE void steps_of(struct portion *t, size_t pairs, bool framed, bool small)
{
    for (size_t k = 0; k < pairs; k++) {
        t->e[k] = small ? small_step_of(t, k) : step_of(t, k);
        if (framed)
            t->e[k].w = turn(t->frame[k], t->e[k].w);
    }
    for (size_t k = 0; k < pairs; k++) {
        const struct quaternion q = t->q[k], e = t->e[k];
        const carom_lane square = (q.a * q.a + q.w.x * q.w.x) + (q.w.y * q.w.y + q.w.z * q.w.z);
        const carom_lane mend = 1.5 - 0.5 * square;
        t->e[k] = (struct quaternion){mend * e.a, carom_lane_times(mend, e.w)};
    }
}

/* q1 = q0 e */
ALWAYS_INLINE void finish(const struct portion *t, double *q1)
{
    for (size_t i = t->first, k = 0; i < t->last; i += 2, k++) {
        const struct quaternion q = t->q[k], next = product(q, t->e[k]);
        const carom_lane_mask turned = t->size[k] > 0.0; /* what does not turn stays as it is, to the bit */
        const carom_lane out[4] = {carom_lane_pick(turned, next.a, q.a), carom_lane_pick(turned, next.w.x, q.w.x),
                                   carom_lane_pick(turned, next.w.y, q.w.y), carom_lane_pick(turned, next.w.z, q.w.z)};
        carom_lane_store(q1 + 7 * i + 3, BOTH(out[0][0], out[1][0]));
        carom_lane_store(q1 + 7 * i + 5, BOTH(out[2][0], out[3][0]));
        if (i + 1 < t->last) {
            carom_lane_store(q1 + 7 * i + 10, BOTH(out[0][1], out[1][1]));
            carom_lane_store(q1 + 7 * i + 12, BOTH(out[2][1], out[3][1]));
        }
    }
}

/* one cell beyond the bound: q1 = q0 e, kept at length 1 */
static bool turn_cell(const struct carom_solid *s, const struct carom_solid_sort *sort, double h, const double q0[4],
                      const double momentum[3], double q1[4])
{
    double axes[4], moment[3], e[4], next[4], square = 0.0;
    if (momentum[0] == 0.0 && momentum[1] == 0.0 && momentum[2] == 0.0)
        return true;
    if (s->framed)
        carom_solid_product(q0, sort->frame, axes);
    carom_solid_turn_back(s->framed ? axes : q0, momentum, moment);
    for (int k = 0; k < 3; k++)
        moment[k] *= h;
    if (!carom_rattle_turn_solve(sort->inertia, sort->inverse_inertia, moment, e))
        return false;
    if (s->framed)
        carom_solid_turn(sort->frame, e + 1, e + 1);
    carom_solid_product(q0, e, next);
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

/* `framed` is a constant where this is compiled in */
ALWAYS_INLINE size_t drift(const struct carom_rattle_body *body, bool framed, struct portion *t, const double *q0,
                           const double *v0, double *q1, double *v1)
{
    const size_t pairs = (t->last - t->first + 1) / 2;
    if (body->solid->held)
        for (size_t i = t->first; i < t->last; i++)
            push_held(body, i, t->h, q0, v0, q1, v1);
    else
        push(t->first, t->last, t->h, body->solid->sort, body->solid->sorts, body->force, q0, v0, q1, v1);
    const bool good = begin(body->solid, framed, q0, v1, t);
    if (!good)
        tame(t, pairs);
    const double size = largest_size(t, pairs);
    if (t->lopsided * size * size <= CLOSE && size <= SMALL) {
        steps_of(t, pairs, framed, true);
    } else {
        fixed_point(t, pairs, rounds_for(size, t->lopsided));
        steps_of(t, pairs, framed, false);
    }
    finish(t, q1);
    return good ? SIZE_MAX : turn_wild(body->solid, t, q0, v1, q1);
}

size_t carom_rattle_space_drift(const struct carom_rattle_body *body, size_t first, size_t last, double h,
                                const double *q0, const double *v0, double *q1, double *v1)
{
    size_t bad = SIZE_MAX;
    struct portion t = {.h = h};
    for (size_t i = first; i < last; i = t.last) {
        t.first = i;
        t.last = last - i < 2 * PAIRS ? last : i + 2 * PAIRS;
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
    carom_lane none = {0.0, 0.0}; /* stays so as long as all is finite */
    for (size_t i = first; i < last; i++) {
        const double light = half * sorts[sort[i]].inverse_mass;
        const carom_lane a = carom_lane_load(v + 6 * i) + light * carom_lane_load(f + 6 * i);
        const carom_lane b = carom_lane_load(v + 6 * i + 2) + BOTH(light, half) * carom_lane_load(f + 6 * i + 2);
        const carom_lane c = carom_lane_load(v + 6 * i + 4) + half * carom_lane_load(f + 6 * i + 4);
        none += 0.0 * a + 0.0 * b + 0.0 * c;
        carom_lane_store(v + 6 * i, a);
        carom_lane_store(v + 6 * i + 2, b);
        carom_lane_store(v + 6 * i + 4, c);
    }
    for (size_t i = 6 * first; !(none[0] + none[1] == 0.0) && i < 6 * last; i++)
        if (!(fabs(v[i]) < HUGE_VAL))
            return i / 6;
    return SIZE_MAX;
}

static size_t kick_held(const struct carom_solid *s, size_t first, size_t last, double half, const double *f, double *v)
{
    size_t bad = SIZE_MAX;
    for (size_t i = first; i < last; i++) {
        const double light = half * carom_solid_sort_of(s, i)->inverse_mass;
        for (size_t k = 0; k < 6; k++) {
            if (!(s->held[i] >> k & 1U))
                v[6 * i + k] += (k < 3 ? light : half) * f[6 * i + k];
            if (!(fabs(v[6 * i + k]) < HUGE_VAL) && bad == SIZE_MAX)
                bad = i;
        }
    }
    return bad;
}

size_t carom_rattle_space_kick(const struct carom_rattle_body *body, size_t first, size_t last, double h, double *v1)
{
    const struct carom_solid *s = body->solid;
    return s->held ? kick_held(s, first, last, 0.5 * h, body->force, v1)
                   : kick(first, last, 0.5 * h, s->sort, s->sorts, body->force, v1);
}

/* Monasse and Mariotti 2012, section 5.3, for four cells: two in the lanes of a register, two such registers side by
 * side, with the operations of turn_cell (rattle_motion.c) and of the fixed point (rattle_turn.c) in each lane. The
 * fixed point is a chain of dependent operations, so four chains cost hardly more than one. */
#include "scheme/rattle_pair.h"

#include "model/solid_lane.h"
#include "scheme/rattle_turn.h"

#define ALWAYS_INLINE static inline __attribute__((always_inline))

struct quaternion {
    carom_lane a;
    struct carom_lane3 w;
};

#define BOTH(expression0, expression1) ((carom_lane){(expression0), (expression1)})

ALWAYS_INLINE struct quaternion load(const double *q0, const double *q1)
{
    return (struct quaternion){BOTH(q0[0], q1[0]), {BOTH(q0[1], q1[1]), BOTH(q0[2], q1[2]), BOTH(q0[3], q1[3])}};
}

ALWAYS_INLINE struct carom_lane3 load3(const double *x0, const double *x1)
{
    return (struct carom_lane3){BOTH(x0[0], x1[0]), BOTH(x0[1], x1[1]), BOTH(x0[2], x1[2])};
}

/* as carom_solid_product has it */
ALWAYS_INLINE struct quaternion product(struct quaternion p, struct quaternion q)
{
    return (struct quaternion){p.a * q.a - p.w.x * q.w.x - p.w.y * q.w.y - p.w.z * q.w.z,
                               {p.a * q.w.x + p.w.x * q.a + p.w.y * q.w.z - p.w.z * q.w.y,
                                p.a * q.w.y - p.w.x * q.w.z + p.w.y * q.a + p.w.z * q.w.x,
                                p.a * q.w.z + p.w.x * q.w.y - p.w.y * q.w.x + p.w.z * q.a}};
}

/* as carom_solid_turn and carom_solid_turn_back */
ALWAYS_INLINE struct carom_lane3 turn(struct quaternion q, struct carom_lane3 x)
{
    struct carom_lane3 t = carom_lane_cross(q.w, x);
    t = (struct carom_lane3){t.x * 2.0, t.y * 2.0, t.z * 2.0};
    const struct carom_lane3 s = carom_lane_add(carom_lane_times(q.a, t), carom_lane_cross(q.w, t));
    return carom_lane_add(x, s);
}

ALWAYS_INLINE struct carom_lane3 turn_back(struct quaternion q, struct carom_lane3 x)
{
    q.w = (struct carom_lane3){-q.w.x, -q.w.y, -q.w.z};
    return turn(q, x);
}

ALWAYS_INLINE carom_lane size_of(carom_lane x)
{
    return BOTH(fabs(x[0]), fabs(x[1]));
}

/* y where `moving`, else x */
ALWAYS_INLINE carom_lane pick(carom_lane_mask moving, carom_lane y, carom_lane x)
{
    return (carom_lane)((moving & (carom_lane_mask)y) | (~moving & (carom_lane_mask)x));
}

/* two pairs on their way: chains of dependent operations, side by side */
struct turning {
    struct quaternion q, frame;
    struct carom_lane3 a, skew, y;
    carom_lane size, bulk;
};

ALWAYS_INLINE struct carom_lane3 round_of(const struct turning *t)
{
    const carom_lane whole = 1.0 + carom_lane_dot(t->y, t->y);
    return (struct carom_lane3){t->a.x * whole - t->skew.x * t->y.y * t->y.z,
                                t->a.y * whole - t->skew.y * t->y.z * t->y.x,
                                t->a.z * whole - t->skew.z * t->y.x * t->y.y};
}

/* the fixed point of rattle_turn.c; a lane stands still once it has converged */
ALWAYS_INLINE void fixed_point(struct turning t[2])
{
    carom_lane_mask moving[2] = {{-1, -1}, {-1, -1}};
    t[0].y = t[0].a;
    t[1].y = t[1].a;
    for (int round = 1; round <= CAROM_RATTLE_TURN_MOST; round++) {
        for (int p = 0; p < 2; p++) {
            const struct carom_lane3 n = round_of(&t[p]);
            const carom_lane change = size_of(n.x - t[p].y.x) + size_of(n.y - t[p].y.y) + size_of(n.z - t[p].y.z);
            t[p].y.x = pick(moving[p], n.x, t[p].y.x);
            t[p].y.y = pick(moving[p], n.y, t[p].y.y);
            t[p].y.z = pick(moving[p], n.z, t[p].y.z);
            moving[p] &= ~(change <= CAROM_RATTLE_TURN_STILL);
        }
        const carom_lane_mask any = moving[0] | moving[1];
        if (!(any[0] | any[1]))
            break;
    }
}

ALWAYS_INLINE void begin(bool framed, double h, const struct carom_rattle_pair pair[2], struct turning *t)
{
    const struct carom_solid_sort *s0 = pair[0].sort, *s1 = pair[1].sort;
    const struct carom_lane3 momentum = load3(pair[0].momentum, pair[1].momentum);
    const struct carom_lane3 inertia = load3(s0->inertia, s1->inertia);
    const struct carom_lane3 inverse = load3(s0->inverse_inertia, s1->inverse_inertia);
    t->q = load(pair[0].q, pair[1].q);
    t->frame = framed ? load(s0->frame, s1->frame) : t->q;
    struct carom_lane3 moment = turn_back(framed ? product(t->q, t->frame) : t->q, momentum);
    moment = (struct carom_lane3){moment.x * h, moment.y * h, moment.z * h};
    t->size = size_of(moment.x) * inverse.x + size_of(moment.y) * inverse.y + size_of(moment.z) * inverse.z;
    t->bulk = size_of(momentum.x) + size_of(momentum.y) + size_of(momentum.z);
    t->a = (struct carom_lane3){0.5 * moment.x * inverse.x, 0.5 * moment.y * inverse.y, 0.5 * moment.z * inverse.z};
    t->skew = (struct carom_lane3){(inertia.z - inertia.y) * inverse.x, (inertia.x - inertia.z) * inverse.y,
                                   (inertia.y - inertia.x) * inverse.z};
}

ALWAYS_INLINE void finish(bool framed, const struct turning *t, const struct carom_rattle_pair pair[2])
{
    struct quaternion e = {.a = 1.0 / carom_lane_sqrt(1.0 + carom_lane_dot(t->y, t->y))};
    e.w = carom_lane_times(e.a, t->y);
    if (framed)
        e.w = turn(t->frame, e.w);
    const struct quaternion next = product(t->q, e);
    const carom_lane square = next.a * next.a + next.w.x * next.w.x + next.w.y * next.w.y + next.w.z * next.w.z;
    const carom_lane mend = 1.5 - 0.5 * square;
    const carom_lane out[4] = {mend * next.a, mend * next.w.x, mend * next.w.y, mend * next.w.z};
    for (int lane = 0; lane < 2; lane++)
        for (int k = 0; k < 4; k++)
            pair[lane].next[k] = out[k][lane];
}

bool carom_rattle_pair_turn(bool framed, double h, const struct carom_rattle_pair cell[CAROM_RATTLE_PAIR])
{
    struct turning t[2];
    begin(framed, h, cell, &t[0]);
    begin(framed, h, cell + 2, &t[1]);
    const carom_lane_mask good = (t[0].size <= CAROM_RATTLE_TURN_BOUND) & (t[1].size <= CAROM_RATTLE_TURN_BOUND) &
                                 (t[0].bulk > 0.0) & (t[1].bulk > 0.0);
    if (!(good[0] & good[1]))
        return false;
    fixed_point(t);
    finish(framed, &t[0], cell);
    finish(framed, &t[1], cell + 2);
    return true;
}

bool carom_rattle_pair_plane(double h, const struct carom_rattle_pair cell[2])
{
    const carom_lane q0 = BOTH(cell[0].q[0], cell[1].q[0]), q1 = BOTH(cell[0].q[1], cell[1].q[1]);
    const carom_lane inverse = BOTH(cell[0].sort->inverse_inertia[2], cell[1].sort->inverse_inertia[2]);
    const carom_lane x = h * BOTH(cell[0].momentum[0], cell[1].momentum[0]) * inverse;
    const carom_lane_mask good = size_of(x) <= 1.0;
    if (!(good[0] & good[1]))
        return false;
    const carom_lane cosine = carom_lane_sqrt((1.0 - x) * (1.0 + x)), e0 = carom_lane_sqrt(0.5 * (1.0 + cosine));
    const carom_lane e1 = 0.5 * x / e0, a = q0 * e0 - q1 * e1, d = q1 * e0 + q0 * e1;
    const carom_lane mend = 1.5 - 0.5 * (a * a + d * d);
    const carom_lane out[2] = {mend * a, mend * d};
    for (int lane = 0; lane < 2; lane++)
        for (int k = 0; k < 2; k++)
            cell[lane].next[k] = out[k][lane];
    return true;
}

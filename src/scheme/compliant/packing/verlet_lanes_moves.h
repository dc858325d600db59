/* Bodies of space in a step of verlet, as many side by side as registers hold where this is included: their kicks and
 * drift, and what contacts are shown of them. */
#ifndef CAROM_SCHEME_COMPLIANT_PACKING_VERLET_LANES_MOVES_H
#define CAROM_SCHEME_COMPLIANT_PACKING_VERLET_LANES_MOVES_H

#include "model/bodies/move.h"
#include "scheme/compliant/packing/verlet_lanes.h"

/* velocity and spin of a body, as states have them: vx vy, vz wx, wy wz */
struct six {
    carom_lane_duo a, b, c;
};

ALWAYS_INLINE struct six six_load(const double *v)
{
    return (struct six){carom_lane_duo_load(v), carom_lane_duo_load(v + 2), carom_lane_duo_load(v + 4)};
}

ALWAYS_INLINE void six_store(double *v, struct six x)
{
    carom_lane_duo_store(v, x.a);
    carom_lane_duo_store(v + 2, x.b);
    carom_lane_duo_store(v + 4, x.c);
}

/* the same of a body, as contacts are shown it */
ALWAYS_INLINE struct six six_shown(const struct carom_verlet_body *body)
{
    return (struct six){carom_lane_duo_load(body->v), {body->v[2], body->spin[0]}, carom_lane_duo_load(body->spin + 1)};
}

ALWAYS_INLINE void six_show(struct carom_verlet_body *body, struct six x)
{
    carom_lane_duo_store(body->v, x.a);
    body->v[2] = x.b[0];
    body->spin[0] = x.b[1];
    carom_lane_duo_store(body->spin + 1, x.c);
}

/* what half a step of gravity makes of velocities; bodies that do not move do not fall */
struct fall {
    carom_lane_duo xy, z;
};

ALWAYS_INLINE struct fall fall_of(const struct carom_verlet_bodies_work *w, double half)
{
    const double *g = w->bodies->gravity;
    return (struct fall){{half * g[0], half * g[1]}, {half * g[2], 0.0}};
}

/* what body i has after half a step: its share of forces, which are 0 then, and of gravity */
ALWAYS_INLINE struct six kicked(const struct carom_verlet_bodies_work *w, size_t i, const struct fall *fall,
                                double scale, struct six from)
{
    const double x = w->body[i].per_mass, turn = w->body[i].per_inertia;
    double *force = w->force + carom_verlet_room_of(w, i) * 6;
    const carom_lane_duo none = {0.0, 0.0};
    const struct six given = six_load(force);
    const struct fall falls = x > 0.0 ? *fall : (struct fall){none, none};
    six_store(force, (struct six){none, none, none});
    return (struct six){from.a + (scale * x * given.a + falls.xy),
                        from.b + (scale * (carom_lane_duo){x, turn} * given.b + falls.z),
                        from.c + scale * turn * given.c};
}

/* first kick of body i and its drift but for the turn */
ALWAYS_INLINE void glide(struct carom_verlet_bodies_work *w, const struct carom_state *start, struct carom_state *end,
                         const struct fall *fall, size_t i, double h)
{
    struct carom_verlet_body *body = &w->body[i];
    const struct six v = kicked(w, i, fall, 0.5 * h, w->brief ? six_shown(body) : six_load(start->v + i * 6));
    const double *from = start->q + i * 10;
    double *to = end->q + i * 10;
    const carom_lane_duo u = carom_lane_duo_load(from) + h * v.a;
    const double z = from[2] + h * v.b[0];
    if (!w->brief) /* nobody asks the state before the step is over, and contacts were shown v of its start */
        six_store(end->v + i * 6, v);
    six_show(body, v);
    carom_lane_duo_store(to, u);
    carom_lane_duo_store(body->u, u);
    body->u[2] = to[2] = z;
    memcpy(to + 7, from + 7, 3 * sizeof *to); /* the anchor */
}

/* First kick and drift of so many bodies from i on; of those that fill lanes the turn once more. */
ALWAYS_INLINE void drift_few(struct carom_verlet_bodies_work *w, const struct carom_state *start,
                             struct carom_state *end, const struct fall *fall, size_t i, size_t count, double h,
                             carom_lane_mask *speed, carom_lane_mask *far)
{
    const double *body[CAROM_LANES], *from[CAROM_LANES];
    double *to[CAROM_LANES];
    struct carom_lane3 u, v;
    carom_lane unused;
    for (size_t l = 0; l < CAROM_LANES; l++) {
        const size_t at = l < count ? i + l : i + count - 1;
        if (l < count)
            glide(w, start, end, fall, at, h);
        body[l] = (const double *)(const void *)&w->body[at];
        from[l] = start->q + at * 10 + 3;
        to[l] = end->q + at * 10 + 3;
    }
    carom_verlet_two(body, CAROM_VERLET_SEEN(u[0]), &u.x, &u.y);
    carom_verlet_two(body, CAROM_VERLET_SEEN(u[2]), &u.z, &unused);
    carom_verlet_two(body, CAROM_VERLET_SEEN(v[0]), &v.x, &v.y);
    carom_verlet_two(body, CAROM_VERLET_SEEN(v[2]), &v.z, &unused);
    const struct carom_lane3 spin = carom_verlet_spin(body, false, &unused);
    carom_move_turn_few(from, carom_lane_times(carom_lane_all(h), spin), to);
    const carom_lane edge = carom_lane_all(w->bodies->edge);
    *speed = carom_lane_larger(*speed, carom_lane_dot(v, v));
    *far |= (carom_lane_abs(u.x) > edge) | (carom_lane_abs(u.y) > edge) | (carom_lane_abs(u.z) > edge);
}

static void drift_some(struct carom_verlet_bodies_work *w, const struct carom_state *from, struct carom_state *to,
                       size_t first, size_t last, double h, struct carom_verlet_part *part)
{
    const struct fall fall = fall_of(w, 0.5 * h);
    carom_lane_mask speed = {0}, far = {0};
    size_t i = first;
    for (; i + CAROM_LANES <= last; i += CAROM_LANES)
        drift_few(w, from, to, &fall, i, CAROM_LANES, h, &speed, &far);
    if (i < last)
        drift_few(w, from, to, &fall, i, last - i, h, &speed, &far);
    part->speed = carom_lane_largest(speed);
    part->far = carom_lane_any(far);
}

/* second kicks; are all velocities numbers? */
static bool finish_some(struct carom_verlet_bodies_work *w, struct carom_state *to, size_t first, size_t last, double h)
{
    const struct fall fall = fall_of(w, 0.5 * h);
    carom_lane_duo nothing = {0.0, 0.0};
    for (size_t i = first; i < last; i++) {
        const struct six v = kicked(w, i, &fall, 1.0, w->brief ? six_shown(&w->body[i]) : six_load(to->v + i * 6));
        six_store(to->v + i * 6, v);
        six_show(&w->body[i], v);
        nothing += 0.0 * v.a + 0.0 * v.b + 0.0 * v.c;
    }
    return nothing[0] + nothing[1] == 0.0;
}

#endif

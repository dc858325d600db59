/* Bodies in a step of verlet: their kicks and drift, and what contacts are shown of them. */
#include <string.h>

#include "model/bodies/move.h"
#include "model/bodies/outside.h"
#include "scheme/compliant/packing/verlet_bodies.h"

void carom_verlet_moves_describe(struct carom_verlet_bodies_work *w)
{
    const struct carom_bodies *b = w->bodies;
    double most = 0.0;
    w->smallest = HUGE_VAL;
    for (size_t i = 0; i < b->n; i++) {
        const struct carom_body *body = &b->body[i];
        struct carom_verlet_body *out = &w->body[i];
        const bool ball = body->surface == CAROM_BALL && !body->inside, moves = !body->fixed;
        out->radius = body->radius;
        w->weight[i][0] = moves && body->mass > 0.0 ? 1.0 / body->mass : 0.0;
        w->weight[i][1] = moves && body->inertia > 0.0 ? 1.0 / body->inertia : 0.0;
        if (moves && body->moments[0] > 0.0) /* carom_verlet_tumble_ease makes a spin of its torque */
            w->weight[i][1] = 1.0;
        most = fmax(most, carom_verlet_mobility(w, i));
        w->smallest = ball ? fmin(w->smallest, body->radius) : w->smallest;
        w->apart |= !ball || body->lead >= 0 || !(body->inertia > 0.0);
    }
    for (size_t p = 0; p < b->npairings; p++) {
        w->apart |= !w->lanes[p].good;
        w->lanes[p].weak = 0.48 / (w->step_size * 2.0 * most);
    }
}

void carom_verlet_moves_leave(struct carom_verlet_bodies_work *w, const double *q)
{
    for (size_t i = 0; w->bodies->outside == CAROM_OUTSIDE_REMOVE && i < w->bodies->n; i++)
        if (carom_outside_is(w->bodies, i, q))
            w->weight[i][0] = w->weight[i][1] = 0.0;
}

void carom_verlet_moves_begin(struct carom_verlet_bodies_work *w, double t, double scale)
{
    const struct carom_bodies *b = w->bodies;
    const size_t nv = carom_bodies_nv(b);
    if (!w->clear)
        memset(w->force, 0, (b->n + w->guests) * nv * sizeof *w->force);
    w->clear = false;
    for (size_t j = 0; j < b->nloads; j++) {
        const double value = scale * carom_signal_value(&b->load[j].signal, t);
        for (size_t k = 0; k < b->dimension; k++)
            w->force[b->load[j].body * nv + k] += value * b->load[j].force[k];
    }
}

/* what half a step of gravity makes of velocities; bodies that do not move do not fall */
struct fall {
    carom_lane xy, z;
};

static inline struct fall fall_of(const struct carom_verlet_bodies_work *w, double half)
{
    const double *g = w->bodies->gravity;
    return (struct fall){{half * g[0], half * g[1]}, {half * g[2], 0.0}};
}

/* velocity and spin of a body of space, as states have them: vx vy, vz wx, wy wz */
struct six {
    carom_lane a, b, c;
};

static inline struct six six_load(const double *v)
{
    return (struct six){carom_lane_load(v), carom_lane_load(v + 2), carom_lane_load(v + 4)};
}

static inline void six_store(double *v, struct six x)
{
    carom_lane_store(v, x.a);
    carom_lane_store(v + 2, x.b);
    carom_lane_store(v + 4, x.c);
}

/* what body i of space is given in half a step: its share of forces, which are 0 then, and gravity's */
static inline struct six kicked(const struct carom_verlet_bodies_work *w, size_t i, const struct fall *fall,
                                double scale, const double *v)
{
    const double x = w->weight[i][0], turn = w->weight[i][1];
    double *force = w->force + i * 6;
    const carom_lane none = {0.0, 0.0};
    const struct six given = six_load(force), from = six_load(v);
    const struct fall falls = x > 0.0 ? *fall : (struct fall){none, none};
    six_store(force, (struct six){none, none, none});
    return (struct six){from.a + (scale * x * given.a + falls.xy),
                        from.b + (scale * (carom_lane){x, turn} * given.b + falls.z), from.c + scale * turn * given.c};
}

/* the same in the plane, into `to` */
static inline void kick_flat(const struct carom_verlet_bodies_work *w, size_t i, const struct fall *fall, double scale,
                             const double *from, double *to)
{
    const double x = w->weight[i][0], turn = w->weight[i][1];
    double *force = w->force + i * 3;
    const carom_lane none = {0.0, 0.0};
    carom_lane_store(to, carom_lane_load(from) + (scale * x * carom_lane_load(force) + (x > 0.0 ? fall->xy : none)));
    to[2] = from[2] + scale * turn * force[2];
    carom_lane_store(force, none);
    force[2] = 0.0;
}

/* what contacts ask of a body, with velocities v of its own */
static inline void present(struct carom_verlet_body *body, const double *v, bool plane)
{
    if (!plane) {
        six_store(body->v, six_load(v));
        return;
    }
    carom_lane_store(body->v, carom_lane_load(v));
    body->v[5] = v[2];
}

void carom_verlet_moves_present(struct carom_verlet_bodies_work *w, const double *v, size_t block)
{
    const size_t nv = carom_bodies_nv(w->bodies);
    for (size_t i = block * CAROM_VERLET_BODIES; i < carom_verlet_block_end(w, block); i++)
        present(&w->body[i], v + i * nv, nv == 3);
}

void carom_verlet_moves_show(struct carom_verlet_bodies_work *w, const struct carom_state *state, size_t body)
{
    const size_t nq = carom_bodies_nq(w->bodies), nv = carom_bodies_nv(w->bodies);
    memcpy(w->body[body].u, state->q + body * nq, w->bodies->dimension * sizeof(double));
    present(&w->body[body], state->v + body * nv, nv == 3);
}

/* from one state to another in a step of size h */
struct sweep {
    struct carom_verlet_bodies_work *w;
    const struct carom_state *from;
    struct carom_state *to;
    double h;
};

/* where a body has come to, for contacts and for the block */
static inline void arrive(struct carom_verlet_bodies_work *w, size_t i, const double *u, const double *v, bool plane,
                          struct carom_verlet_part *part)
{
    struct carom_verlet_body *body = &w->body[i];
    const size_t d = plane ? 2 : 3;
    double square = 0.0, far = 0.0;
    for (size_t k = 0; k < d; k++) {
        body->u[k] = u[k];
        square += v[k] * v[k];
        far = fmax(far, fabs(u[k]));
    }
    present(body, v, plane);
    part->speed = square > part->speed || square != square ? square : part->speed; /* not a number: stays so */
    part->far |= far > w->bodies->edge;
}

/* first kick and drift of body i */
static inline void drift_one(const struct sweep *s, const struct fall *fall, size_t i, bool plane,
                             struct carom_verlet_part *part)
{
    const size_t nv = plane ? 3 : 6, nq = plane ? 5 : 10;
    const double *v0 = s->from->v + i * nv, half = 0.5 * s->h;
    double *v = s->to->v + i * nv, *u = s->to->q + i * nq, step[6];
    if (plane)
        kick_flat(s->w, i, fall, half, v0, v);
    else
        six_store(v, kicked(s->w, i, fall, half, v0));
    for (size_t k = 0; k < nv; k++)
        step[k] = s->h * v[k];
    carom_move_body(plane, s->from->q + i * nq, step, u);
    arrive(s->w, i, u, v, plane, part);
}

/* first kick of a body of space and its drift but for the turn: what it turns by */
static inline struct six glide(const struct sweep *s, const struct fall *fall, size_t i)
{
    struct carom_verlet_body *body = &s->w->body[i];
    const struct six v = kicked(s->w, i, fall, 0.5 * s->h, s->from->v + i * 6);
    const double *from = s->from->q + i * 10;
    double *to = s->to->q + i * 10;
    const struct six step = {s->h * v.a, s->h * v.b, s->h * v.c};
    const carom_lane u = carom_lane_load(from) + step.a;
    const double z = from[2] + step.b[0];
    six_store(s->to->v + i * 6, v);
    six_store(body->v, v);
    carom_lane_store(to, u);
    carom_lane_store(body->u, u);
    body->u[2] = to[2] = z;
    memcpy(to + 7, from + 7, 3 * sizeof *to); /* the anchor */
    return step;
}

/* drift_one of bodies i and i + 1 of space side by side: the same bits */
static inline void drift_two(const struct sweep *s, const struct fall *fall, size_t i, carom_lane_mask *speed,
                             carom_lane_mask *far)
{
    const struct six step[2] = {glide(s, fall, i), glide(s, fall, i + 1)};
    const struct carom_verlet_body *body = &s->w->body[i];
    const double *from = s->from->q + i * 10, edge = s->w->bodies->edge;
    double *to = s->to->q + i * 10;
    const struct carom_lane3 turn = {carom_lane_second(step[0].b, step[1].b), carom_lane_first(step[0].c, step[1].c),
                                     carom_lane_second(step[0].c, step[1].c)};
    carom_move_turn_two((const double *const[2]){from + 3, from + 13}, turn, (double *const[2]){to + 3, to + 13});
    const carom_lane u[2] = {carom_lane_load(body[0].u), carom_lane_load(body[1].u)};
    const carom_lane v[2] = {carom_lane_load(body[0].v), carom_lane_load(body[1].v)};
    const carom_lane x = carom_lane_first(v[0], v[1]), y = carom_lane_second(v[0], v[1]);
    const carom_lane z = {body[0].v[2], body[1].v[2]}, deep = {body[0].u[2], body[1].u[2]};
    *speed = carom_lane_larger(*speed, x * x + y * y + z * z);
    *far |= (carom_lane_abs(u[0]) > edge) | (carom_lane_abs(u[1]) > edge) | (carom_lane_abs(deep) > edge);
}

static void drift_flat(const struct sweep *s, size_t first, size_t last, struct carom_verlet_part *part)
{
    const struct fall fall = fall_of(s->w, 0.5 * s->h);
    for (size_t i = first; i < last; i++)
        drift_one(s, &fall, i, true, part);
}

static void drift_space(const struct sweep *s, size_t first, size_t last, struct carom_verlet_part *part)
{
    const struct fall fall = fall_of(s->w, 0.5 * s->h);
    carom_lane_mask speed = {0}, far = {0};
    for (size_t i = first; i + 1 < last; i += 2)
        drift_two(s, &fall, i, &speed, &far);
    part->speed = carom_lane_largest(speed);
    part->far = carom_lane_any(far);
    if ((last - first) % 2 == 1)
        drift_one(s, &fall, last - 1, false, part);
}

void carom_verlet_moves_drift(struct carom_verlet_bodies_work *w, const struct carom_state *from,
                              struct carom_state *to, size_t block, double h)
{
    const size_t first = block * CAROM_VERLET_BODIES, last = carom_verlet_block_end(w, block);
    const struct sweep sweep = {w, from, to, h};
    struct carom_verlet_part part = {0.0, false, true};
    carom_verlet_guests_return(w, block);
    if (w->bodies->tumbling)
        carom_verlet_tumble_ease(w, from->q, first, last);
    if (w->bodies->dimension == 2)
        drift_flat(&sweep, first, last, &part);
    else
        drift_space(&sweep, first, last, &part);
    const size_t nv = carom_bodies_nv(w->bodies);
    if (w->drift)
        memcpy(w->drift + first * nv, to->v + first * nv, (last - first) * nv * sizeof *w->drift);
    if (w->bodies->tumbling)
        carom_verlet_tumble_drift(w, from, to, first, last, h, &part);
    w->part[block] = part;
}

void carom_verlet_moves_lead(struct carom_verlet_bodies_work *w, const struct carom_state *from, struct carom_state *to,
                             double h)
{
    const size_t nv = carom_bodies_nv(w->bodies), nq = carom_bodies_nq(w->bodies), d = w->bodies->dimension;
    w->led = 0.0;
    for (size_t i = 0; i < w->bodies->n && w->bodies->nleads > 0; i++)
        if (w->bodies->body[i].lead >= 0) {
            for (size_t k = 0; k < d; k++)
                w->drift[i * nv + k] = (to->q[i * nq + k] - from->q[i * nq + k]) / h;
            for (size_t k = d; k < nv; k++)
                w->drift[i * nv + k] = 0.5 * (from->v[i * nv + k] + to->v[i * nv + k]);
            memcpy(w->body[i].u, to->q + i * nq, d * sizeof(double));
            double square = 0.0;
            for (size_t k = 0; k < d; k++)
                square += w->drift[i * nv + k] * w->drift[i * nv + k];
            w->led = fmax(w->led, h * sqrt(square));
        }
}

/* second kicks; are all velocities numbers? */
static bool finish_flat(const struct sweep *s, size_t first, size_t last)
{
    const struct fall fall = fall_of(s->w, 0.5 * s->h);
    double nothing = 0.0;
    for (size_t i = first; i < last; i++) {
        double *v = s->to->v + i * 3;
        kick_flat(s->w, i, &fall, 1.0, v, v);
        nothing += 0.0 * v[0] + 0.0 * v[1] + 0.0 * v[2];
        present(&s->w->body[i], v, true);
    }
    return nothing == 0.0;
}

static bool finish_space(const struct sweep *s, size_t first, size_t last)
{
    const struct fall fall = fall_of(s->w, 0.5 * s->h);
    carom_lane nothing = {0.0, 0.0};
    for (size_t i = first; i < last; i++) {
        const struct six v = kicked(s->w, i, &fall, 1.0, s->to->v + i * 6);
        six_store(s->to->v + i * 6, v);
        six_store(s->w->body[i].v, v);
        nothing += 0.0 * v.a + 0.0 * v.b + 0.0 * v.c;
    }
    return nothing[0] + nothing[1] == 0.0;
}

void carom_verlet_moves_finish(struct carom_verlet_bodies_work *w, struct carom_state *to, size_t block, double h)
{
    const size_t first = block * CAROM_VERLET_BODIES, last = carom_verlet_block_end(w, block);
    const struct sweep sweep = {w, NULL, to, h};
    carom_verlet_guests_return(w, block);
    if (w->bodies->tumbling)
        carom_verlet_tumble_ease(w, to->q, first, last);
    w->part[block].finite =
        w->bodies->dimension == 2 ? finish_flat(&sweep, first, last) : finish_space(&sweep, first, last);
}

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
        out->per_mass = moves && body->mass > 0.0 ? 1.0 / body->mass : 0.0;
        out->per_inertia = moves && body->inertia > 0.0 ? 1.0 / body->inertia : 0.0;
        if (moves && body->moments[0] > 0.0) /* carom_verlet_tumble_ease makes a spin of its torque */
            out->per_inertia = 1.0;
        most = fmax(most, carom_verlet_mobility(out));
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
            w->body[i].per_mass = w->body[i].per_inertia = 0.0;
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

/* what body i of the plane is given in half a step, into `to`: its share of forces, which are 0 then, and of gravity */
static inline void kick_flat(const struct carom_verlet_bodies_work *w, size_t i, double half, double scale,
                             const double *from, double *to)
{
    const double x = w->body[i].per_mass, turn = w->body[i].per_inertia;
    double *force = w->force + carom_verlet_room_of(w, i) * 3;
    const carom_lane none = {0.0, 0.0}, fall = {half * w->bodies->gravity[0], half * w->bodies->gravity[1]};
    carom_lane_store(to, carom_lane_load(from) + (scale * x * carom_lane_load(force) + (x > 0.0 ? fall : none)));
    to[2] = from[2] + scale * turn * force[2];
    carom_lane_store(force, none);
    force[2] = 0.0;
}

/* what contacts ask of a body, with velocities v of its own */
static inline void present(struct carom_verlet_body *body, const double *v, bool plane)
{
    memcpy(body->v, v, (plane ? 2 : 3) * sizeof *v);
    if (plane)
        body->spin[2] = v[2];
    else
        memcpy(body->spin, v + 3, sizeof body->spin);
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

/* first kick and drift of body i of the plane; where it has come to, for contacts and for the block */
static inline void drift_one(const struct sweep *s, size_t i, struct carom_verlet_part *part)
{
    const double *v0 = s->from->v + i * 3, half = 0.5 * s->h;
    double *v = s->to->v + i * 3, *u = s->to->q + i * 5;
    struct carom_verlet_body *body = &s->w->body[i];
    kick_flat(s->w, i, half, half, v0, v);
    const double step[3] = {s->h * v[0], s->h * v[1], s->h * v[2]}, square = v[0] * v[0] + v[1] * v[1];
    carom_move_body(true, s->from->q + i * 5, step, u);
    body->u[0] = u[0];
    body->u[1] = u[1];
    present(body, v, true);
    part->speed = square > part->speed || square != square ? square : part->speed; /* not a number: stays so */
    part->far |= fmax(fabs(u[0]), fabs(u[1])) > s->w->bodies->edge;
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
    for (size_t i = first; i < last && w->bodies->dimension == 2; i++)
        drift_one(&sweep, i, &part);
    if (w->bodies->dimension == 3)
        w->passes->drift(w, from, to, first, last, h, &part);
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
    double nothing = 0.0;
    for (size_t i = first; i < last; i++) {
        double *v = s->to->v + i * 3;
        kick_flat(s->w, i, 0.5 * s->h, 1.0, v, v);
        nothing += 0.0 * v[0] + 0.0 * v[1] + 0.0 * v[2];
        present(&s->w->body[i], v, true);
    }
    return nothing == 0.0;
}

void carom_verlet_moves_finish(struct carom_verlet_bodies_work *w, struct carom_state *to, size_t block, double h)
{
    const size_t first = block * CAROM_VERLET_BODIES, last = carom_verlet_block_end(w, block);
    const struct sweep sweep = {w, NULL, to, h};
    carom_verlet_guests_return(w, block);
    if (w->bodies->tumbling)
        carom_verlet_tumble_ease(w, to->q, first, last);
    w->part[block].finite =
        w->bodies->dimension == 2 ? finish_flat(&sweep, first, last) : w->passes->finish(w, to, first, last, h);
}

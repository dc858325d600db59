/* Bodies in a step of verlet: their kicks and drift, and what contacts are shown of them. */
#include <string.h>

#include "model/bodies/move.h"
#include "model/bodies/outside.h"
#include "scheme/compliant/verlet_bodies.h"

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
    w->weak = 0.48 / (w->step_size * 2.0 * most);
    for (size_t p = 0; p < b->npairings; p++)
        w->apart |= !w->lanes[p].good;
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

/* what a body is given in half a step: its share of forces, which are 0 then, and gravity's */
static inline void kick(const struct carom_verlet_bodies_work *w, size_t i, double half, double scale,
                        const double *from, double *to, bool plane)
{
    const size_t nv = plane ? 3 : 6;
    const double *g = w->bodies->gravity, x = w->weight[i][0], turn = w->weight[i][1], fall = x > 0.0 ? half : 0.0;
    double *force = w->force + i * nv;
    const carom_lane none = {0.0, 0.0}, falls = {fall * g[0], fall * g[1]};
    carom_lane_store(to, carom_lane_load(from) + (scale * x * carom_lane_load(force) + falls));
    carom_lane_store(force, none);
    if (plane) {
        to[2] = from[2] + scale * turn * force[2];
        force[2] = 0.0;
        return;
    }
    const carom_lane both = {x, turn}, deeper = {fall * g[2], 0.0};
    carom_lane_store(to + 2, carom_lane_load(from + 2) + (scale * both * carom_lane_load(force + 2) + deeper));
    carom_lane_store(to + 4, carom_lane_load(from + 4) + scale * turn * carom_lane_load(force + 4));
    carom_lane_store(force + 2, none);
    carom_lane_store(force + 4, none);
}

/* what contacts ask of body i, with velocities v of its own */
static inline void present(struct carom_verlet_body *body, const double *v, bool plane)
{
    carom_lane_store(body->moves + 4, carom_lane_load(v));
    body->moves[3] = plane ? 0.0 : v[2];
    carom_lane_store(body->spin, plane ? (carom_lane){0.0, 0.0} : carom_lane_load(v + 3));
    body->spin[2] = plane ? v[2] : v[5];
}

void carom_verlet_moves_present(struct carom_verlet_bodies_work *w, const double *v, size_t block)
{
    const size_t nv = carom_bodies_nv(w->bodies);
    for (size_t i = block * CAROM_VERLET_BODIES; i < carom_verlet_block_end(w, block); i++)
        present(&w->body[i], v + i * nv, nv == 3);
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
        body->moves[k] = u[k];
        square += v[k] * v[k];
        far = fmax(far, fabs(u[k]));
    }
    present(body, v, plane);
    part->speed = square > part->speed || square != square ? square : part->speed; /* not a number: stays so */
    part->far |= far > w->bodies->edge;
}

/* first kick and drift of a block of bodies, in space two at a time; `plane` is known to the compiler */
static inline void drift_some(const struct sweep *s, size_t first, size_t last, bool plane,
                              struct carom_verlet_part *part)
{
    struct carom_verlet_bodies_work *w = s->w;
    const size_t nv = plane ? 3 : 6, nq = plane ? 5 : 10;
    for (size_t i = first; i < last;) {
        const size_t count = plane || i + 1 == last ? 1 : 2;
        double step[2][6];
        for (size_t at = 0; at < count; at++) {
            double *v = s->to->v + (i + at) * nv;
            kick(w, i + at, 0.5 * s->h, 0.5 * s->h, s->from->v + (i + at) * nv, v, plane);
            for (size_t k = 0; k < nv; k++)
                step[at][k] = s->h * v[k];
        }
        const double *u0 = s->from->q + i * nq;
        double *u1 = s->to->q + i * nq;
        if (count == 2)
            carom_move_two((const double *const[2]){u0, u0 + nq}, (const double *const[2]){step[0], step[1]},
                           (double *const[2]){u1, u1 + nq});
        else
            carom_move_body(plane, u0, step[0], u1);
        for (size_t at = 0; at < count; at++)
            arrive(w, i + at, u1 + at * nq, s->to->v + (i + at) * nv, plane, part);
        i += count;
    }
    if (w->drift)
        memcpy(w->drift + first * nv, s->to->v + first * nv, (last - first) * nv * sizeof *w->drift);
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
        drift_some(&sweep, first, last, true, &part);
    else
        drift_some(&sweep, first, last, false, &part);
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
            memcpy(w->body[i].moves, to->q + i * nq, d * sizeof(double));
            double square = 0.0;
            for (size_t k = 0; k < d; k++)
                square += w->drift[i * nv + k] * w->drift[i * nv + k];
            w->led = fmax(w->led, h * sqrt(square));
        }
}

static inline void finish_some(const struct sweep *s, size_t first, size_t last, bool plane,
                               struct carom_verlet_part *part)
{
    struct carom_verlet_bodies_work *w = s->w;
    const size_t nv = plane ? 3 : 6;
    carom_lane nothing = {0.0, 0.0};
    for (size_t i = first; i < last; i++) {
        double *v = s->to->v + i * nv;
        kick(w, i, 0.5 * s->h, 1.0, v, v, plane);
        for (size_t k = 0; k + 1 < nv; k += 2)
            nothing += 0.0 * carom_lane_load(v + k);
        if (plane)
            nothing[0] += 0.0 * v[2];
        present(&w->body[i], v, plane);
    }
    part->finite = nothing[0] + nothing[1] == 0.0;
}

void carom_verlet_moves_finish(struct carom_verlet_bodies_work *w, struct carom_state *to, size_t block, double h)
{
    const size_t first = block * CAROM_VERLET_BODIES, last = carom_verlet_block_end(w, block);
    const struct sweep sweep = {w, NULL, to, h};
    carom_verlet_guests_return(w, block);
    if (w->bodies->tumbling)
        carom_verlet_tumble_ease(w, to->q, first, last);
    if (w->bodies->dimension == 2)
        finish_some(&sweep, first, last, true, &w->part[block]);
    else
        finish_some(&sweep, first, last, false, &w->part[block]);
}

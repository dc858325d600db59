/* Boxes and cylinders that move freely, in a step of verlet: kicks and drift of bodies that do not turn alike about
 * every axis. Their angular momentum is kept to rounding and their energy to second order, without drift. */
#include "model/bodies/tumble.h"
#include "scheme/compliant/packing/verlet_bodies.h"

void carom_verlet_tumble_ease(struct carom_verlet_bodies_work *w, const double *q, size_t first, size_t last)
{
    const size_t nq = carom_bodies_nq(w->bodies), nv = carom_bodies_nv(w->bodies);
    for (size_t i = first; i < last; i++) {
        const struct carom_body *body = &w->bodies->body[i];
        double *torque = w->force + i * nv + 3;
        if (carom_bodies_tumbles(body) && body->moments[0] > 0.0)
            carom_tumble_scale(body, true, q + i * nq + 3, torque, torque);
    }
}

/* the first kick has been given: from the spin at the start of the drift to that at its end */
static void drift_one(struct carom_verlet_bodies_work *w, const struct carom_state *from, struct carom_state *to,
                      size_t i, double h)
{
    const struct carom_body *body = &w->bodies->body[i];
    double *spin = to->v + 6 * i + 3, *turn = to->q + 10 * i + 3, momentum[3];
    carom_tumble_scale(body, false, from->q + 10 * i + 3, spin, momentum);
    carom_tumble_drift(body, from->q + 10 * i + 3, momentum, h, turn);
    for (int k = 0; k < 3; k++)
        w->drift[6 * i + 3 + (size_t)k] = 0.5 * spin[k];
    carom_tumble_scale(body, true, turn, momentum, spin);
    for (int k = 0; k < 3; k++)
        w->drift[6 * i + 3 + (size_t)k] += 0.5 * spin[k];
}

void carom_verlet_tumble_drift(struct carom_verlet_bodies_work *w, const struct carom_state *from,
                               struct carom_state *to, size_t first, size_t last, double h,
                               struct carom_verlet_part *part)
{
    const size_t nv = carom_bodies_nv(w->bodies), d = w->bodies->dimension;
    for (size_t i = first; i < last; i++) {
        const struct carom_body *body = &w->bodies->body[i];
        double square = 0.0, spins = 0.0;
        if (!carom_bodies_tumbles(body))
            continue;
        if (body->moments[0] > 0.0)
            drift_one(w, from, to, i, h);
        for (size_t k = 0; k < nv; k++)
            *(k < d ? &square : &spins) += to->v[i * nv + k] * to->v[i * nv + k];
        const double speed = sqrt(square) + carom_bodies_reach(body) * sqrt(spins);
        part->speed = speed * speed > part->speed || speed != speed ? speed * speed : part->speed;
    }
}

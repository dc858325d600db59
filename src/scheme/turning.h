/* How the plane of a contact in space turns in a step, and tangential vectors carried along with it. */
#ifndef CAROM_SCHEME_TURNING_H
#define CAROM_SCHEME_TURNING_H

#include <string.h>

#include "base/vec.h"
#include "carom/bodies.h"
#include "carom/state.h"

/* From one normal to another, and about that with the bodies' mean spin. */
struct carom_turning {
    double to[3], axis[3], cosine, c, s;
};

/* From one normal to another, and on about it by the angle whose half this is. */
static inline void carom_turning_between(const double from[3], const double to[3], double half,
                                         struct carom_turning *out)
{
    const double square = half * half;
    memcpy(out->to, to, sizeof out->to);
    carom_vec_cross(from, to, out->axis);
    out->cosine = carom_vec_dot(from, to);
    out->c = (1.0 - square) / (1.0 + square); /* a rotation by that angle to third order, and exactly a rotation */
    out->s = 2.0 * half / (1.0 + square);
}

/* Of contact `key` in a step of size h, `v` being the velocities of all bodies in it. */
static inline void carom_turning_of(const struct carom_bodies *bodies, const struct carom_contact_key *key,
                                    const double *v, const double from[3], const double to[3], double h,
                                    struct carom_turning *out)
{
    const double *wa = v + 6 * key->a + 3, *wb = v + 6 * key->b + 3;
    const bool a_turns = bodies->body[key->a].inertia > 0.0, b_turns = bodies->body[key->b].inertia > 0.0;
    double rate = 0.0;
    for (int k = 0; k < 3; k++)
        rate += to[k] * ((a_turns ? wa[k] : 0.0) + (b_turns ? wb[k] : 0.0));
    carom_turning_between(from, to, 0.5 * h * rate / (a_turns && b_turns ? 2.0 : 1.0), out);
}

/* a tangential vector of space carried along */
static inline void carom_turning_carry(const struct carom_turning *t, double x[3])
{
    double turned[3], twist[3];
    const double along = carom_vec_dot(t->axis, x) / (1.0 + t->cosine);
    carom_vec_cross(t->axis, x, turned);
    for (int k = 0; k < 3; k++)
        turned[k] += t->cosine * x[k] + along * t->axis[k];
    carom_vec_cross(t->to, turned, twist);
    const double level = carom_vec_dot(t->to, turned);
    for (int k = 0; k < 3; k++)
        x[k] = t->c * turned[k] + t->s * twist[k] - t->c * level * t->to[k];
}

#endif

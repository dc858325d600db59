/* How the plane of a contact in space turns in a step, and tangential vectors carried along with it. */
#ifndef CAROM_SCHEME_TURNING_H
#define CAROM_SCHEME_TURNING_H

#include "carom/bodies.h"
#include "carom/state.h"
#include "kernel/spring.h"

/* Of contact `key` in a step of size h, `v` being the velocities of all bodies in it. */
static inline void carom_turning_of(const struct carom_bodies *bodies, const struct carom_contact_key *key,
                                    const double *v, const double from[3], const double to[3], double h,
                                    struct carom_turning *out)
{
    const double *wa = v + 6 * key->a + 3, *wb = v + 6 * key->b + 3;
    const bool a_turns = bodies->body[key->a].inertia > 0.0, b_turns = bodies->body[key->b].inertia > 0.0;
    carom_turning_between(from, to, carom_turning_twist(to, wa, a_turns, wb, b_turns, h), out);
}

#endif

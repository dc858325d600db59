/* Dense output of fifth degree between two physical states: displacement, velocity and acceleration meet at both ends.
 * Good to h^6 in displacements and h^5 in velocities where the motion is smooth. */
#ifndef CAROM_SCHEME_QUINTIC_H
#define CAROM_SCHEME_QUINTIC_H

#include "carom/state.h"

/* One end: physical velocities and accelerations (n each), dissipated power of every contact (nlost), and low parts
 * of q (n, or NULL). */
struct carom_quintic_end {
    const struct carom_state *state;
    const double *v, *a, *power, *q_low;
};

/* The view at t between both ends; losses by the cubic through their values and powers, the rest linear. Needs q' =
 * v. */
void carom_quintic_view(const struct carom_quintic_end *from, const struct carom_quintic_end *to, double t,
                        struct carom_state *view);

#endif

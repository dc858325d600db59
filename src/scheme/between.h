/* Discs, spheres and their contacts between the ends of a step. */
#ifndef CAROM_SCHEME_BETWEEN_H
#define CAROM_SCHEME_BETWEEN_H

#include "carom/bodies.h"
#include "carom/state.h"

/* The view at t between two physical states with the same list of contacts: cubics in places and rotations, their
 * derivatives in velocities, straight lines in what contacts remember and have lost. */
void carom_between_view(const struct carom_bodies *bodies, const struct carom_state *from, const struct carom_state *to,
                        double t, struct carom_state *view);

#endif

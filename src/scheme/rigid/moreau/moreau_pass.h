/* Scheme moreau-jean on bodies: does a step carry one through another, so that neither its start nor its end shows that
 * they met? */
#ifndef CAROM_SCHEME_RIGID_MOREAU_MOREAU_PASS_H
#define CAROM_SCHEME_RIGID_MOREAU_MOREAU_PASS_H

#include "scheme/rigid/moreau/moreau_graph.h"

/* The part of a step of h from `from`, at whose end velocities are v1, after which two bodies nearly touch that would
 * go through each other; 1 if there are none, 0 if somebody's way is too long to tell. `pair`: who does so first. */
double carom_moreau_pass_part(struct carom_moreau_graph *w, const struct carom_state *from, const double *v1, double h,
                              size_t pair[2]);

/* The part of a step of h that may be taken so that no body whose moments differ turns too far in it for what turns it
 * about itself to be found by iteration, with spins v; 1: all of it. `body`: who turns farthest. */
double carom_moreau_pass_turn(const struct carom_moreau_graph *w, const double *v, double h, size_t *body);

#endif

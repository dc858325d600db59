/* Contacts that are struck, by the laws of Poisson and Stronge: all that are joined to each other are followed along
 * the path of their impulses (impact/blow_path.h), in plane and space and beside joints. The path begins with half of
 * what forces do in the step; the other half, and what the path has left, the contacts then take without e. */
#ifndef CAROM_SCHEME_RIGID_MOREAU_MOREAU_STRUCK_H
#define CAROM_SCHEME_RIGID_MOREAU_MOREAU_STRUCK_H

#include "scheme/rigid/moreau/moreau_graph.h"

struct carom_moreau_struck;

void carom_moreau_struck_free(struct carom_moreau_struck *struck);

/* Impulses of islands in which something is struck, after carom_moreau_friction_solve and instead of what it found.
 * Islands that are too large keep that, which is by Newton's law; friction->newtonian says so. */
enum carom_status carom_moreau_struck(struct carom_stepper *stepper, double t, struct carom_error *error);

/* Energy that the normal impulse of contact i, limits of joints counted after all others, took along the path that was
 * followed in the step; else `usual`. */
double carom_moreau_struck_taken(const struct carom_moreau_graph *w, size_t i, double usual);

#endif

/* Impulses of contacts of solids, as vectors, step by step. Of springs: the mean force of both ends of a step times its
 * length, which is what the scheme applies. Of dampers: where normals keep their direction (planes, balls) the
 * difference of the integral that the damping law has in closed form, elsewhere the mean force, too. */
#ifndef CAROM_SIM_BETWEEN_IMPULSES_SOLID_H
#define CAROM_SIM_BETWEEN_IMPULSES_SOLID_H

#include "sim/between/impulses.h"

/* The impulse on the second body of a contact's pair so far, and what pushed at the last look (solid_push.h). */
struct carom_impulses_solid {
    double given[3], spring[3], damper[3], viscous[3];
};
#define CAROM_IMPULSES_SOLID_REALS 12

/* As carom_impulses_see. */
void carom_impulses_solid_see(struct carom_impulses *sums, struct carom_peak_force *peak,
                              const struct carom_model *model, const struct carom_state *view, size_t from, size_t to);

/* Adds up to the last look at contact j, at which it has opened. */
void carom_impulses_solid_end(struct carom_impulses *sums, const struct carom_peak_force *peak, size_t j);

/* What contact j has given so far; of others than solids nothing is changed. */
void carom_impulses_solid_told(const struct carom_impulses *sums, size_t j, double vector[3]);

#endif

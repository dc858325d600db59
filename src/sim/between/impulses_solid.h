/* Impulses of contacts of solids from one step to the next, as vectors: the mean of what springs push at both ends of
 * it, which is what the scheme has given; of dampers of balls what the scheme has given, too; of dampers of faces what
 * they tell without an integral where normals stay, on planes, else the mean. */
#ifndef CAROM_SIM_BETWEEN_IMPULSES_SOLID_H
#define CAROM_SIM_BETWEEN_IMPULSES_SOLID_H

#include "sim/between/impulses.h"

/* What a contact has given the second body of its pair so far, and pushed at the last look (solid_push.h). */
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

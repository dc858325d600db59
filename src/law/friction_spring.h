/* Tangential springs held by Coulomb's cone, common to cundall-strack and mindlin. With stiffness k(d), stretch x and
 * viscous time g the force on side b is
 *
 *     F = -P(k x + k g slip),   P: onto the disc of radius mu max(N, 0),
 *
 * and x follows the slip but never leaves k |x| <= mu N. As x itself lies inside the disc, such a contact never gives
 * more than it was given, but for changes of k with the overlap, which each form treats its own way. */
#ifndef CAROM_LAW_FRICTION_SPRING_H
#define CAROM_LAW_FRICTION_SPRING_H

#include "carom/friction.h"
#include "kernel/press.h"
#include "kernel/spring.h"

void carom_friction_spring_moment(const struct carom_friction_moment *m, size_t j,
                                  const struct carom_friction_spring *spring);
void carom_friction_spring_step(const struct carom_friction_step *s, size_t j,
                                const struct carom_friction_spring *spring);

#endif

/* Restitution: what a binary collision under a law does with the closing speed, and the damping that gives a wanted
 * restitution. For two free bodies of reduced mass m1 m2 / (m1 + m2), or one body (its own mass) and a wall. */
#ifndef CAROM_LAW_RESTITUTION_H
#define CAROM_LAW_RESTITUTION_H

#include "carom/contact.h"
#include "carom/param.h"

struct carom_law;

/* The work of loading a fresh contact up to an overlap: what it stores and, if its law has a memory, what it loses. */
double carom_restitution_work(const struct carom_law *law, const double *const *param, double deform);

/* Integrates one collision at the closing speed `speed` to about 1e-12: *e is separation over closing speed,
 * *contact_time lasts from touch to where `ending` ends the contact, *peak is the largest overlap. Outputs that are
 * NULL are not wanted. `param` has a value per row of the law's table. Laws with a memory: a first contact, whose
 * contact_time lasts until the force has ended. CAROM_E_REFUSED: the law has a memory and does not say its
 * restitution, stores no energy, or the pair sticks (separates with less than 1e-9 of its closing speed, or never).
 * With CAROM_END_FORCE, bodies are taken as free from the moment the force has come down to zero; that holds for
 * laws whose elastic/drag falls as the gap opens, such as b < p + 1. */
enum carom_status carom_restitution_of(const struct carom_law *law, const double *param, enum carom_ending ending,
                                       double mass, double speed, double *e, double *contact_time, double *peak,
                                       struct carom_error *error);

/* Finds the `gamma` of the law's table (or what the law names as its damping) with which the pair separates with
 * e * speed, 0 < e <= 1, to 1e-10 relative; param's own gamma is not read. e = 1 gives the undamped law.
 * CAROM_E_REFUSED if the law has no gamma or none gives this e. */
enum carom_status carom_restitution_gamma(const struct carom_law *law, const double *param, enum carom_ending ending,
                                          double mass, double speed, double e, double *gamma,
                                          struct carom_error *error);

#endif

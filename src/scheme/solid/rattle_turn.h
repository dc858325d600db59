/* The rotation step of scheme rattle: from angular momentum to the turn of one step. */
#ifndef CAROM_SCHEME_SOLID_RATTLE_TURN_H
#define CAROM_SCHEME_SOLID_RATTLE_TURN_H

#include <stdbool.h>

/* Solves Monasse and Mariotti 2012 (49) for the unit quaternion e of the step: inertia[3] principal moments,
 * moment[3] = angular momentum in principal axes x step. False if there is no solution near the identity. */
bool carom_rattle_turn_solve(const double inertia[3], const double inverse[3], const double moment[3], double e[4]);

/* Rounds of the fixed point, inside the bound of kernel/turn.h, end when one changes less than this (the next would
 * change less by the factor of the bound at least), or after so many, as the last bits may go to and fro. */
#define CAROM_RATTLE_TURN_STILL 1e-16
#define CAROM_RATTLE_TURN_MOST 24

#endif

/* The impulse of one contact in the plane that is struck, by the laws of Poisson and Stronge: normal and tangential
 * impulse grow together, friction against the slip there is at each moment, through stops and reversals of the slip. */
#ifndef CAROM_SCHEME_RIGID_MOREAU_MOREAU_BLOW_H
#define CAROM_SCHEME_RIGID_MOREAU_MOREAU_BLOW_H

#include <stdbool.h>

enum carom_moreau_law { CAROM_MOREAU_NEWTON, CAROM_MOREAU_POISSON, CAROM_MOREAU_STRONGE };

/* u = A r + u of a contact, normal first, u[0] < 0. Poisson: the impulse after the bodies have come nearest is e times
 * that before; Stronge: the normal work after it is e^2 times that before, so that no energy is created. `taken`:
 * energy that the normal impulse took along the path. False: A lets no impulse end the approach. */
bool carom_moreau_blow(enum carom_moreau_law law, const double a[4], const double u[2], double mu, double e,
                       double r[2], double *taken);

#endif

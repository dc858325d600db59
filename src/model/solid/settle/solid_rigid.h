/* Rigid motions of a solid that nothing holds, and how to take them out of forces and motions. */
#ifndef CAROM_MODEL_SOLID_SETTLE_SOLID_RIGID_H
#define CAROM_MODEL_SOLID_SETTLE_SOLID_RIGID_H

#include "model/solid/solid.h"

struct carom_solid_rigid {
    const struct carom_solid *solid;
    const double *q;
    double middle[3];
    double weight[6][6]; /* momenta -> motion, of those that are free; next to 0 for others */
    bool some;           /* is there one? */
    bool free[6];        /* does a push along x, y, z, or a turn, move the body? */
};

/* For the configuration q, which is kept by reference. */
void carom_solid_rigid_find(struct carom_solid_rigid *rigid, const struct carom_solid *solid, const double *q);

/* Takes the free rigid motions out of forces and torques f (by inertia forces; the largest one that it took is
 * returned), or out of motions z (so that they have no momentum); `fast` numbers a cell, turns in space axes. */
double carom_solid_rigid_balance(const struct carom_solid_rigid *rigid, double *f);
void carom_solid_rigid_still(const struct carom_solid_rigid *rigid, double *z);

/* The torques of f on the turns that are free (0 on others), and the motion z that turns the body by `angle`, about
 * each axis of space; to first order in it. */
void carom_solid_rigid_torque(const struct carom_solid_rigid *rigid, const double *f, double torque[3]);
void carom_solid_rigid_turn(const struct carom_solid_rigid *rigid, const double angle[3], double *z);

#endif

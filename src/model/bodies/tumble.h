/* Bodies of space whose three moments of inertia differ: boxes and cylinders that move freely. Spins, angular momenta
 * and torques count in the axes of space; `turn` is the body's rotation since the start, a quaternion. */
#ifndef CAROM_MODEL_BODIES_TUMBLE_H
#define CAROM_MODEL_BODIES_TUMBLE_H

#include "carom/bodies.h"

/* to = I from, or with `solve` I^-1 from; they may be one array. */
void carom_tumble_scale(const struct carom_body *body, bool solve, const double turn[4], const double from[3],
                        double to[3]);

/* The torque -spin x I spin that turns the spin of a free body, and spin . I spin, twice its energy. */
void carom_tumble_gyre(const struct carom_body *body, const double turn[4], const double spin[3], double torque[3]);
double carom_tumble_energy(const struct carom_body *body, const double turn[4], const double spin[3]);

/* Turns freely for a time h with its angular momentum kept to the bit: turns about its own axes one after the other,
 * there and back (symplectic, of second order). `moved` may be `turn`. */
void carom_tumble_drift(const struct carom_body *body, const double turn[4], const double momentum[3], double h,
                        double moved[4]);

#endif

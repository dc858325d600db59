/* Limits of joints of balls beside solids: they give way, as contacts there do. */
#ifndef CAROM_MODEL_SOLID_STRIKE_SOLID_STOPS_H
#define CAROM_MODEL_SOLID_STRIKE_SOLID_STOPS_H

#include "model/solid/strike/solid_balls.h"

/* How far the coordinate of joint j is beyond a limit at q, the part's: less than 0 beyond the lower one, 0 between
 * them; and the coordinate. */
double carom_solid_stops_beyond(const struct carom_solid_balls *balls, size_t j, const double *q,
                                struct carom_solid_joint_row *row);

/* What all of them store. */
double carom_solid_stops_energy(const struct carom_solid_balls *balls, const double *q);

/* How fast the coordinate of joint j gets by an impulse of 1 along it, while all joints hold; 0: it is held itself.
 * False: out of memory. */
bool carom_solid_stops_mobility(const struct carom_solid_balls *balls, size_t j, const double *q, double *out);

/* The gamma that lets a coordinate of this mobility leave a stop with e > 0 of its speed. */
double carom_solid_stops_gamma(double k, double mobility, double e);

/* The largest frequency of what is on a stop; 0: there is none. */
double carom_solid_stops_frequency(const struct carom_solid_balls *balls);

#endif

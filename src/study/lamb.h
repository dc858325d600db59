/* Lamb's problem in the plane: a line force with the time course of a Ricker wavelet on or in an elastic half-space,
 * and the displacement anywhere in it, by the method of Cagniard and de Hoop. Depths count downwards from the surface,
 * forces and displacements are positive to the right (x) and down (z). Plane strain. */
#ifndef CAROM_STUDY_LAMB_H
#define CAROM_STUDY_LAMB_H

#include <stddef.h>

#include "carom/error.h"

struct carom_lamb {
    double young, poisson, density;
    double source_depth;     /* at x = 0 */
    double force[2];         /* amplitude per unit length, x and z */
    double frequency, delay; /* of the wavelet (1 - 2 a) exp(-a), a = (pi frequency (t - delay))^2 */
};

/* What one receiver sees; the arrays are sums over a contour, worked out once for all times. */
struct carom_lamb_record {
    struct carom_lamb problem;
    double x, depth, latest;
    size_t count, room;
    double (*node)[6]; /* per node: Re T, Im T of the travel time, then real and imaginary weights of u_x and u_z */
};

/* Prepares a receiver for times up to `latest`. Free with carom_lamb_close. */
enum carom_status carom_lamb_open(struct carom_lamb_record *record, const struct carom_lamb *problem, double x,
                                  double depth, double latest, struct carom_error *error);
void carom_lamb_close(struct carom_lamb_record *record);

/* Displacement (x, z) at time t <= latest. */
void carom_lamb_displacement(const struct carom_lamb_record *record, double t, double u[2]);

/* Speeds of compressional, shear and Rayleigh waves. */
void carom_lamb_speeds(const struct carom_lamb *problem, double *p, double *s, double *rayleigh);

#endif

/* Damping by mass and absorbing sides under rattle, cell by cell, once for processors and devices: the common subset of
 * C and OpenCL C, as sheet.h. Sides, a face at a time: v' = -rate v in the point where a face acts, and likewise for
 * the cell's angular momentum, half a step at the start of a step as it stands and half at its end (`last`) implicitly.
 * held: bits as in struct carom_solid_hold; inverse: inverse moments of inertia; axes: the total turn of the principal
 * axes; velocities have angular momenta in space axes behind them. */
#ifndef CAROM_KERNEL_DAMP_H
#define CAROM_KERNEL_DAMP_H

#ifndef CAROM_ON_DEVICE
#include "kernel/hinge.h"
#endif

/* Is velocity k of a cell held? In space turns count as held if all are. */
ALWAYS_INLINE bool carom_damp_holds(int dimension, unsigned held, int k)
{
    return k >= 3 ? held >> 3 == 7U : (held >> (dimension == 2 && k == 2 ? 5 : k) & 1U) != 0;
}

/* does it turn about all its axes? */
ALWAYS_INLINE bool carom_damp_turns(int dimension, unsigned held)
{
    return dimension == 2 ? (held >> 5 & 1U) == 0 : held >> 3 == 0;
}

/* twice the kinetic energy of a cell's turning */
ALWAYS_INLINE double carom_damp_turning(int dimension, const double inverse[3], const double axes[4],
                                        const double *momentum)
{
    double spin[3];
    if (dimension == 2)
        return momentum[0] * momentum[0] * inverse[2];
    carom_hinge_spin(inverse, axes, momentum, spin);
    return carom_vec_dot(spin, momentum);
}

/* Velocities of a cell shrink by a factor; returns twice the kinetic energy of its free motions before, and of those
 * that are given. */
ALWAYS_INLINE double carom_damp_shrink(int dimension, unsigned held, double mass, const double inverse[3],
                                       const double axes[4], double factor, double *v, double *given)
{
    const int fast = dimension == 2 ? 3 : 6;
    double sum = 0.0, driven = 0.0;
    for (int k = 0; k < dimension; k++)
        if (carom_damp_holds(dimension, held, k))
            driven += mass * v[k] * v[k];
        else
            sum += mass * v[k] * v[k];
    sum += carom_damp_turning(dimension, inverse, axes, v + dimension); /* a held turn is none */
    for (int k = 0; k < fast; k++)
        if (!carom_damp_holds(dimension, held, k))
            v[k] *= factor;
    *given = driven;
    return sum;
}

ALWAYS_INLINE double carom_damp_factor(double rate, double h, bool last)
{
    return last ? 1.0 / (1.0 + 0.5 * h * rate) : 1.0 - 0.5 * h * rate;
}

/* the energy that part of an impulse takes from a cell */
ALWAYS_INLINE double carom_damp_push(int dimension, unsigned held, double mass, double inverse_mass,
                                     const double impulse[3], double part, double *v)
{
    double lost = 0.0;
    for (int l = 0; l < dimension; l++)
        if (!carom_damp_holds(dimension, held, l)) {
            const double change = part * impulse[l] * inverse_mass;
            lost -= 0.5 * mass * change * (2.0 * v[l] + change);
            v[l] += change;
        }
    return lost;
}

/* The impulse of a face with such a normal, `inward` of whose velocity is that of the inner cell. */
ALWAYS_INLINE void carom_damp_face(int dimension, double mass, double inward, const double normal[3], double across,
                                   double along, const double *own, const double *inner, double impulse[3])
{
    const double part_across = mass * (across - 1.0), part_along = mass * (along - 1.0);
    double normally = 0.0;
    for (int l = 0; l < dimension; l++) {
        impulse[l] = (1.0 - inward) * own[l] + inward * inner[l];
        normally += normal[l] * impulse[l];
    }
    for (int l = 0; l < dimension; l++)
        impulse[l] = part_across * impulse[l] + (part_along - part_across) * normally * normal[l];
}

#endif

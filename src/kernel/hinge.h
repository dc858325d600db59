/* Cells in space that are held about one or two axes of space, once for processors and devices (the common subset of C
 * and OpenCL C, as sheet.h): what holds them acts by torques about those axes, as large as it takes, and they turn
 * about the others alone. held: bit k: about axis k; inverse: inverse moments of inertia; axes: the total turn of the
 * principal axes; momentum: angular, in space axes. */
#ifndef CAROM_KERNEL_HINGE_H
#define CAROM_KERNEL_HINGE_H

#ifndef CAROM_ON_DEVICE
#include "base/quat.h"
#include "kernel/turn.h"
#endif

/* J^-1 x in space axes */
ALWAYS_INLINE void carom_hinge_yield(const double inverse[3], const double axes[4], const double x[3], double out[3])
{
    double own[3];
    carom_quat_turn_back(axes, x, own);
    for (int k = 0; k < 3; k++)
        own[k] *= inverse[k];
    carom_quat_turn(axes, own, out);
}

/* the same for angular momenta; cells that are alike along all axes need no turning */
ALWAYS_INLINE void carom_hinge_spin(const double inverse[3], const double axes[4], const double momentum[3],
                                    double spin[3])
{
    if (inverse[0] == inverse[1] && inverse[1] == inverse[2]) {
        for (int k = 0; k < 3; k++)
            spin[k] = momentum[k] * inverse[k];
        return;
    }
    carom_hinge_yield(inverse, axes, momentum, spin);
}

/* Takes from the momentum what makes the spin about held axes 0. */
ALWAYS_INLINE void carom_hinge_balance(unsigned held, const double inverse[3], const double axes[4], double momentum[3])
{
    double spin[3], answer[2][3];
    int axis[2] = {0, 0}, count = 0;
    for (int k = 0; k < 3; k++)
        if (held >> k & 1U)
            axis[count++] = k;
    carom_hinge_yield(inverse, axes, momentum, spin);
    for (int i = 0; i < count; i++) {
        const double along[3] = {axis[i] == 0, axis[i] == 1, axis[i] == 2};
        carom_hinge_yield(inverse, axes, along, answer[i]);
    }
    if (count == 1) {
        momentum[axis[0]] -= spin[axis[0]] / answer[0][axis[0]];
    } else if (count == 2) {
        const double a = answer[0][axis[0]], b = answer[1][axis[0]], c = answer[0][axis[1]], d = answer[1][axis[1]];
        const double x = spin[axis[0]], y = spin[axis[1]], whole = a * d - b * c;
        momentum[axis[0]] -= (d * x - b * y) / whole;
        momentum[axis[1]] -= (a * y - c * x) / whole;
    }
}

/* q1 = q0 turned by the time h about `spin`, in the way of the plane; false: too fast */
ALWAYS_INLINE bool carom_hinge_turn(double h, const double spin[3], const double q0[4], double q1[4])
{
    const double rate = carom_vec_norm(spin);
    double e[2], turn[4], square = 0.0;
    if (!carom_turn_plane(h * rate, e))
        return false;
    turn[0] = e[0];
    for (int k = 0; k < 3; k++)
        turn[1 + k] = rate > 0.0 ? e[1] / rate * spin[k] : 0.0;
    carom_quat_product(turn, q0, q1);
    for (int k = 0; k < 4; k++)
        square += q1[k] * q1[k];
    for (int k = 0; k < 4; k++)
        q1[k] *= 1.5 - 0.5 * square;
    return true;
}

/* The turn of a step, about the spin at its middle, of second order; about a single axis, as a plane cell does. */
ALWAYS_INLINE bool carom_hinge_step(unsigned held, const double inverse[3], const double frame[4], double h,
                                    const double q0[4], const double momentum[3], double q1[4])
{
    double spin[3], axes[4], kept[3] = {momentum[0], momentum[1], momentum[2]};
    carom_quat_product(q0, frame, axes);
    carom_hinge_spin(inverse, axes, kept, spin);
    if (!carom_hinge_turn(0.5 * h, spin, q0, q1))
        return false;
    carom_quat_product(q1, frame, axes);
    carom_hinge_balance(held, inverse, axes, kept);
    carom_hinge_spin(inverse, axes, kept, spin);
    return carom_hinge_turn(h, spin, q0, q1);
}

#endif

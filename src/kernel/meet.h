/* Two bodies that meet, once for processors and devices: what their contact is once one knows where they are, and how
 * they pass each other there. The common subset of C and OpenCL C, as sheet.h. */
#ifndef CAROM_KERNEL_MEET_H
#define CAROM_KERNEL_MEET_H

#ifndef CAROM_ON_DEVICE
#include "base/vec.h"
#endif

struct carom_meeting {
    double gap;       /* negative: they overlap */
    double normal[3]; /* from a to b */
    double arm[2][3]; /* from the centres of a and b to the point where they touch */
};

/* What two balls keep of their meeting as long as their anchors and the image through which they meet are the same: see
 * meet.c. */
struct carom_meet_balls {
    double apart[3], length; /* D0 and |D0| */
    double gap;              /* g0 */
    double radius[2];
    double near; /* the square of a distance between centres from which on they do not touch for certain */
};

/* The arms of balls whose gap and normal are known. */
static inline void carom_meet_arms(const struct carom_meet_balls *balls, struct carom_meeting *m)
{
    for (int k = 0; k < 3; k++) {
        m->arm[0][k] = m->normal[k] * (balls->radius[0] + 0.5 * m->gap);
        m->arm[1][k] = -m->normal[k] * (balls->radius[1] + 0.5 * m->gap);
    }
}

/* Balls whose centres have moved by du past each other since their anchors; returns as carom_meet does. */
static inline bool carom_meet_moved(const struct carom_meet_balls *balls, const double du[3], struct carom_meeting *m)
{
    const double *apart = balls->apart, now[3] = {apart[0] + du[0], apart[1] + du[1], apart[2] + du[2]};
    const double length = carom_vec_norm(now);
    m->gap = balls->gap + (2.0 * carom_vec_dot(apart, du) + carom_vec_dot(du, du)) / (length + balls->length);
    for (int k = 0; k < 3; k++)
        m->normal[k] = now[k] / length;
    carom_meet_arms(balls, m);
    return length > 0.1 * (balls->radius[0] + balls->radius[1]);
}

/* The velocity of b past a at their point of contact, its part along the normal (the gap's rate) apart from the slip
 * along the contact's plane; va and vb are all velocities of a body. Asked three times a contact and step, hence
 * here. */
static inline double carom_meet_pass(bool plane, const double *va, const double *vb, const struct carom_meeting *m,
                                     double slip[3])
{
    double of_a[3], of_b[3];
    if (plane) {
        of_a[0] = va[0] - va[2] * m->arm[0][1];
        of_a[1] = va[1] + va[2] * m->arm[0][0];
        of_b[0] = vb[0] - vb[2] * m->arm[1][1];
        of_b[1] = vb[1] + vb[2] * m->arm[1][0];
        of_a[2] = of_b[2] = 0.0;
    } else {
        carom_vec_cross(va + 3, m->arm[0], of_a);
        carom_vec_cross(vb + 3, m->arm[1], of_b);
        for (int k = 0; k < 3; k++) {
            of_a[k] += va[k];
            of_b[k] += vb[k];
        }
    }
    for (int k = 0; k < 3; k++)
        slip[k] = of_b[k] - of_a[k];
    const double rate = carom_vec_dot(slip, m->normal);
    for (int k = 0; k < 3; k++)
        slip[k] -= rate * m->normal[k];
    return rate;
}

/* How fast b rolls past a, their lever times their relative spin along the contact's plane (in the plane along z), and
 * how fast it twists, the same about the normal. */
static inline double carom_meet_rolling(bool plane, double lever, const double *va, const double *vb,
                                        const struct carom_meeting *m, double roll[3])
{
    roll[0] = roll[1] = 0.0;
    for (int k = plane ? 2 : 3; k < (plane ? 3 : 6); k++)
        roll[plane ? 2 : k - 3] = lever * (vb[k] - va[k]);
    const double twist = carom_vec_dot(roll, m->normal);
    for (int k = 0; k < 3; k++)
        roll[k] -= twist * m->normal[k];
    return twist;
}

/* The tangential vector of a contact that a vector of space has: one number in the plane, three in space. */
static inline void carom_meet_tangential(bool plane, const struct carom_meeting *m, const double vector[3],
                                         double *tangential)
{
    if (plane) {
        tangential[0] = m->normal[0] * vector[1] - m->normal[1] * vector[0];
        return;
    }
    const double along = carom_vec_dot(m->normal, vector);
    for (int k = 0; k < 3; k++)
        tangential[k] = vector[k] - along * m->normal[k];
}

#endif

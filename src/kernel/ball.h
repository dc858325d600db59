/* Two balls that meet, once for processors (several contacts side by side in lanes) and devices (one in each place):
 * the geometry of model/bodies/meet.c, and spheres after Hertz or Kuwabara and Kono over a step of verlet
 * (scheme/compliant/packing). The common subset of C and OpenCL C, as sheet.h. `plane` is known to the compiler
 * everywhere; in the plane nobody looks at z of a vector, nor at x and y of a spin or torque. */
#ifndef CAROM_KERNEL_BALL_H
#define CAROM_KERNEL_BALL_H

#ifndef CAROM_ON_DEVICE
#include "base/lane3.h"
#endif

/* Contacts side by side over a step. */
struct carom_ball_few {
    struct carom_lane3 normal0;       /* at the start of the step, */
    carom_lane deform0, root0, rate;  /* with the overlap, its root (not above 0: friction was at its cone) and rate */
    carom_lane rest, length, gain;    /* of balls on their way: g0, |D0| and 2 D0.du + du.du; */
    struct carom_lane3 normal;        /* D0 + du then, and the normal at the end of the step */
    carom_lane deform, root;          /* overlap there and its root */
    struct carom_lane3 given, spring; /* friction and spring at the start; */
    struct carom_lane3 fly, spin[2];  /* velocity of b past a in the step, spins of both */
    carom_lane radius[2];
};

ALWAYS_INLINE carom_lane carom_ball_dot(struct carom_lane3 a, struct carom_lane3 b, bool plane)
{
    return plane ? a.x * b.x + a.y * b.y : carom_lane_dot(a, b);
}

/* Balls whose centres have moved by du past each other since they were `apart`, see meet.c: what needs no root. */
ALWAYS_INLINE void carom_ball_approach(struct carom_lane3 apart, struct carom_lane3 du, bool plane,
                                       struct carom_ball_few *f)
{
    f->normal = carom_lane_add(apart, du);
    f->gain = carom_ball_dot(carom_lane_add(apart, f->normal), du, plane);
}

/* Their normal and overlap and its root, in three stages, since roots and divisions take long: the distance, */
ALWAYS_INLINE void carom_ball_meet_first(bool plane, struct carom_ball_few *f)
{
    f->root = carom_lane_sqrt(carom_ball_dot(f->normal, f->normal, plane));
}

/* normal and overlap, which one division serves, */
ALWAYS_INLINE void carom_ball_meet_next(struct carom_ball_few *f)
{
    const carom_lane distance = f->root, sum = distance + f->length, inverse = 1.0 / (distance * sum);
    f->normal = carom_lane_times(sum * inverse, f->normal);
    f->deform = -(f->rest + f->gain * (distance * inverse));
}

/* and the root. */
ALWAYS_INLINE void carom_ball_meet_last(struct carom_ball_few *f)
{
    f->root = carom_lane_sqrt(carom_lane_positive(f->deform));
}

ALWAYS_INLINE void carom_ball_meet(bool plane, struct carom_ball_few *f)
{
    carom_ball_meet_first(plane, f);
    carom_ball_meet_next(f);
    carom_ball_meet_last(f);
}

/* The force along normals at the start of a step; the root of what is open is 0. */
ALWAYS_INLINE carom_lane carom_ball_press(carom_lane k, carom_lane gamma, carom_lane root, carom_lane deform,
                                          carom_lane rate)
{
    return k * root * (deform + 1.5 * gamma * rate);
}

/* What is given along normals in the second kick, the normal force at the end of the step, and what dampers lose. */
ALWAYS_INLINE carom_lane carom_ball_kick(carom_lane k, carom_lane gamma, double h, const struct carom_ball_few *f,
                                         carom_lane *pressed, carom_lane *lost)
{
    const carom_lane deform0 = f->deform0, rate = f->rate;
    const carom_lane stiff0 = k * carom_lane_abs(f->root0), stiff = k * f->root, steep = 1.5 * gamma;
    const carom_lane elastic0 = stiff0 * deform0, elastic = stiff * f->deform, damper = gamma * (elastic - elastic0);
    const carom_lane mean = (f->deform - deform0) * (1.0 / h);
    const carom_lane last = carom_lane_pick(deform0 > 0.0, 2.0 * mean - rate, mean);
    *lost = mean * damper;
    *pressed = elastic + steep * stiff * last;
    return 0.5 * h * (elastic - steep * stiff0 * rate) + damper;
}

#endif

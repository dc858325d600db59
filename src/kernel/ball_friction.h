/* Friction of balls over a step of verlet, once for processors (several contacts side by side in lanes) and devices
 * (one in each place): the springs under the cone of src/law/friction_spring.c, without its static coefficient and its
 * push along the normal. Kicks are vectors of space, those of the start as they were given: a step gives half of the
 * forces at both its ends, and dampers as much as the way asks for. The common subset of C and OpenCL C, as sheet.h.
 * With one common point of contact the velocity past each other is
 *
 *     v_b - v_a - s x n,   s = (r_a - d/2) w_a + (r_b - d/2) w_b,
 *
 * and a force F across the normal turns both bodies by -(r - d/2) n x F. */
#ifndef CAROM_KERNEL_BALL_FRICTION_H
#define CAROM_KERNEL_BALL_FRICTION_H

#ifndef CAROM_ON_DEVICE
#include "kernel/ball.h"
#endif

/* What all contacts of a pairing have in common. */
struct carom_ball_friction_law {
    bool hertzian;        /* tangential stiffness goes with the root of the overlap */
    bool follows, always; /* the spring's force stays as stiffness grows, or whenever it changes */
    double mu;
};

ALWAYS_INLINE struct carom_lane3 carom_ball_friction_pick(carom_lane_mask m, struct carom_lane3 y, struct carom_lane3 x)
{
    return (struct carom_lane3){carom_lane_pick(m, y.x, x.x), carom_lane_pick(m, y.y, x.y),
                                carom_lane_pick(m, y.z, x.z)};
}

/* x + s y */
ALWAYS_INLINE struct carom_lane3 carom_ball_friction_plus(struct carom_lane3 x, carom_lane s, struct carom_lane3 y)
{
    return carom_lane_add(x, carom_lane_times(s, y));
}

ALWAYS_INLINE struct carom_lane3 carom_ball_friction_minus(struct carom_lane3 x, carom_lane s, struct carom_lane3 y)
{
    return carom_lane_less(x, carom_lane_times(s, y));
}

/* A spin times a vector. */
ALWAYS_INLINE struct carom_lane3 carom_ball_friction_swing(struct carom_lane3 spin, struct carom_lane3 x, bool plane)
{
    if (!plane)
        return carom_lane_cross(spin, x);
    return (struct carom_lane3){-spin.z * x.y, spin.z * x.x, spin.z};
}

/* What a force across the normal turns bodies by, at an arm of 1. */
ALWAYS_INLINE struct carom_lane3 carom_ball_friction_torque(struct carom_lane3 normal, struct carom_lane3 aside,
                                                            bool plane)
{
    const carom_lane none = carom_lane_all(0.0);
    return plane ? (struct carom_lane3){none, none, normal.x * aside.y - normal.y * aside.x}
                 : carom_lane_cross(normal, aside);
}

/* What a vector must be multiplied by, whose square is given, so as not to be longer than `most`. */
ALWAYS_INLINE carom_lane carom_ball_friction_shortening(carom_lane square, carom_lane most)
{
    return carom_lane_pick(square > most * most, most / carom_lane_sqrt(square), carom_lane_all(1.0));
}

ALWAYS_INLINE carom_lane carom_ball_friction_stiffness(const struct carom_ball_friction_law *law, carom_lane k_t,
                                                       carom_lane root)
{
    return law->hertzian ? k_t * root : carom_lane_where(root > 0.0, k_t);
}

/* --- the start of a step ------------------------------------------------------------------------------------------ */

/* How fast contacts slip whose overlaps change at `rate`; arms: from the centres to where they touch. */
ALWAYS_INLINE struct carom_lane3 carom_ball_friction_slip(struct carom_lane3 fly, carom_lane rate,
                                                          struct carom_lane3 normal, const struct carom_lane3 spin[2],
                                                          const carom_lane arm[2], bool plane)
{
    const struct carom_lane3 turn =
        carom_lane_add(carom_lane_times(arm[0], spin[0]), carom_lane_times(arm[1], spin[1]));
    const struct carom_lane3 past = carom_lane_add(fly, carom_lane_times(rate, normal));
    return carom_lane_less(past, carom_ball_friction_swing(turn, normal, plane));
}

/* Friction on a. Contacts inside the cone need no root and no division, and only the damper's part of them is kept; of
 * those at the cone the whole. */
ALWAYS_INLINE struct carom_lane3 carom_ball_friction_press(carom_lane k, carom_lane damper, double mu,
                                                           struct carom_lane3 slip, struct carom_lane3 spring,
                                                           carom_lane pressed, bool plane, struct carom_lane3 *kept,
                                                           carom_lane_mask *at_cone)
{
    const carom_lane cone = mu * carom_lane_positive(pressed), most = cone * cone;
    const struct carom_lane3 damped = carom_lane_times(damper, slip);
    struct carom_lane3 force = carom_lane_times(k, spring);
    const carom_lane stretched = carom_ball_dot(force, force, plane);
    if (carom_lane_any(stretched > most))
        force = carom_lane_times(carom_ball_friction_shortening(stretched, cone), force);
    force = carom_lane_add(force, damped);
    const carom_lane pull = carom_ball_dot(force, force, plane);
    *kept = damped;
    *at_cone = carom_lane_not(pull < most * (1.0 - 2e-12));
    if (carom_lane_any(*at_cone)) {
        force = carom_lane_times(carom_ball_friction_shortening(pull, cone), force);
        *kept = carom_ball_friction_pick(*at_cone, force, damped);
    }
    return force;
}

/* --- over a step -------------------------------------------------------------------------------------------------- */

/* Springs over a step. */
struct carom_coulomb {
    struct carom_lane3 before, way; /* before: the one of the start in the plane of the end */
    carom_lane k0, k1, mean;        /* stiffness at both ends, and between them */
    carom_lane shrink, grow;        /* grow: what of the way goes into the stretch; shrink: of the stretch before */
    carom_lane cone, damper, late;  /* late: the damper at the end */
    carom_lane_mask holds;
    struct carom_lane3 after, taken, end; /* end: force at the end, of those that are capped */
    carom_lane ways, afters, across;      /* squares of way and spring after it, and their product */
    carom_lane_mask capped;
};

/* the part of the step in which bodies touch */
ALWAYS_INLINE carom_lane carom_ball_friction_touching(carom_lane d0, carom_lane d1)
{
    const carom_lane one = carom_lane_all(1.0);
    const carom_lane_mask was = d0 > 0.0, is = d1 > 0.0;
    if (!carom_lane_any(carom_lane_not(was) | carom_lane_not(is)))
        return one;
    const carom_lane part = carom_lane_pick(was, d0, d1) / carom_lane_abs(d1 - d0);
    return carom_lane_where(was | is, carom_lane_pick(was & is, one, part));
}

/* A vector x across n0 turned to one across n1, and about that with the bodies' mean spin: the first is
 * x - (n1.x) (n0 + n1) / (1 + n0.n1); c and s of the second belong to its angle to third order, and exactly to one. In
 * the plane springs count along the tangent and turn with it. */
ALWAYS_INLINE struct carom_lane3 carom_ball_friction_turned(struct carom_lane3 x, struct carom_lane3 n0,
                                                            struct carom_lane3 n1, struct carom_lane3 sum,
                                                            carom_lane twist)
{
    const carom_lane square = twist * twist, flat = 1.0 + carom_lane_dot(n0, n1), round = 1.0 + square;
    const carom_lane inverse = 1.0 / (flat * round), exactly = flat * inverse;
    const struct carom_lane3 y = carom_ball_friction_minus(x, carom_lane_dot(n1, x) * (round * inverse), sum);
    return carom_ball_friction_plus(carom_lane_times((1.0 - square) * exactly, y), 2.0 * twist * exactly,
                                    carom_lane_cross(n1, y));
}

/* How far contacts slide: at the middle of the step, then into the plane of its end; and the springs turned to it. */
ALWAYS_INLINE void carom_ball_friction_slide(const struct carom_ball_few *f, double h, bool plane,
                                             struct carom_coulomb *s)
{
    const struct carom_lane3 n1 = f->normal, twice = carom_lane_add(f->normal0, n1); /* the normal of the middle */
    const carom_lane inside = 0.25 * (f->deform0 + f->deform);
    const carom_lane arm[2] = {0.5 * (f->radius[0] - inside), 0.5 * (f->radius[1] - inside)};
    const struct carom_lane3 turn = carom_ball_friction_plus(carom_lane_times(arm[0], f->spin[0]), arm[1], f->spin[1]);
    const struct carom_lane3 past = carom_lane_less(f->fly, carom_ball_friction_swing(turn, twice, plane));
    const struct carom_lane3 across = carom_ball_friction_minus(past, 0.25 * carom_ball_dot(past, twice, plane), twice);
    const struct carom_lane3 level = carom_ball_friction_minus(across, carom_ball_dot(across, n1, plane), n1);
    s->way = carom_lane_times(h * carom_ball_friction_touching(f->deform0, f->deform), level);
    if (plane)
        s->before = (struct carom_lane3){-n1.y * f->spring.z, n1.x * f->spring.z, f->spring.z};
    else
        s->before = carom_ball_friction_turned(f->spring, f->normal0, n1, twice,
                                               0.25 * h * carom_lane_dot(n1, carom_lane_add(f->spin[0], f->spin[1])));
}

/* How stiff springs are at both ends of the step, and what the cone holds at its end; dampers are the caller's. */
ALWAYS_INLINE void carom_ball_friction_read(const struct carom_ball_friction_law *law, carom_lane k_t,
                                            const struct carom_ball_few *f, carom_lane pressed, struct carom_coulomb *s)
{
    const carom_lane one = carom_lane_all(1.0);
    s->k0 = carom_ball_friction_stiffness(law, k_t, carom_lane_abs(f->root0));
    s->k1 = carom_ball_friction_stiffness(law, k_t, f->root);
    s->mean = 0.5 * (s->k0 + s->k1);
    s->shrink = s->grow = one;
    s->holds = (f->deform > 0.0) & (pressed > 0.0);
    s->cone = law->mu * carom_lane_positive(pressed);
    if (!law->hertzian)
        return;
    const carom_lane ratio = s->k0 / s->k1, part = (1.0 + ratio * (1.0 + ratio)) / (1.5 * (1.0 + ratio));
    s->mean = part * s->k1; /* as carom_spring_mean_of_roots() */
    if (law->follows) {
        const carom_lane_mask holds = law->always ? s->holds : s->holds & (s->k1 > s->k0);
        s->shrink = carom_lane_pick(holds, ratio, one);
        s->grow = carom_lane_pick(holds, part, one);
    }
}

/* The spring after its slide; those that the cone holds back at the end, or held at the start, are capped: their spring
 * and the force of spring and damper then. */
ALWAYS_INLINE void carom_ball_friction_stretch(carom_lane root0, double often, bool plane, struct carom_coulomb *s)
{
    s->after = carom_ball_friction_plus(carom_lane_times(s->shrink, s->before), s->grow, s->way);
    s->taken = s->way;
    s->ways = carom_ball_dot(s->way, s->way, plane);
    s->afters = carom_ball_dot(s->after, s->after, plane);
    s->across = carom_ball_dot(s->after, s->way, plane);
    const carom_lane most = s->cone * s->cone, damper = s->late * often, square = s->k1 * s->k1 * s->afters;
    const carom_lane_mask slips = square > most; /* and the square of k1 after + damper way: */
    s->capped = slips | (square + damper * (2.0 * s->k1 * s->across + damper * s->ways) > most) |
                carom_lane_not(s->holds) | (root0 < 0.0);
    if (!carom_lane_any(s->capped))
        return;
    const carom_lane zero = carom_lane_all(0.0);
    const struct carom_lane3 none = {zero, zero, zero}, trial = s->after;
    const carom_lane scale =
        carom_lane_pick(slips, s->cone / (s->k1 * carom_lane_sqrt(s->afters)), carom_lane_all(1.0));
    s->after = carom_ball_friction_pick(s->holds, carom_lane_times(scale, trial), none);
    s->taken = carom_ball_friction_minus(s->way, carom_lane_where(s->holds & slips, (1.0 - scale) / s->grow), trial);
    s->afters = carom_ball_dot(s->after, s->after, plane);
    s->across = carom_ball_dot(s->after, s->taken, plane);
    s->end = carom_ball_friction_plus(carom_lane_times(s->k1, s->after), damper, s->way);
    const carom_lane pull = carom_ball_friction_shortening(carom_ball_dot(s->end, s->end, plane), s->cone);
    s->end = carom_ball_friction_pick(s->holds, carom_lane_times(pull, s->end), none);
}

/* What contacts over a step are given across their normals, the second kicks on a; what they lose, and what a change of
 * stiffness made of the springs' energy. */
ALWAYS_INLINE struct carom_lane3 carom_ball_friction_kick(const struct carom_ball_few *f, double h, bool plane,
                                                          const struct carom_coulomb *s, carom_lane *lost,
                                                          carom_lane *change)
{
    const double middle = 0.5 * h, often = 1.0 / h;
    const struct carom_lane3 given = f->given;
    const carom_lane took = 0.5 * (s->k0 * carom_ball_dot(s->before, s->taken, plane) + s->k1 * s->across);
    const carom_lane gain = 0.5 * (s->k1 * s->afters - s->k0 * carom_ball_dot(f->spring, f->spring, plane));
    const carom_lane damper = s->damper;
    /* on a: half of the spring's force at the end, and what the damper has not given yet */
    struct carom_lane3 aside = carom_ball_friction_plus(
        carom_lane_times(carom_lane_all(middle), carom_lane_less(carom_lane_times(s->k1, s->after), given)), damper,
        s->way);
    carom_lane friction_loss = damper * often * s->ways;
    if (carom_lane_any(s->capped)) {
        const carom_lane_mask inside = f->root0 > 0.0; /* at the start; there the spring's part was not kept */
        const struct carom_lane3 force0 =
            carom_ball_friction_pick(inside, carom_ball_friction_plus(given, s->k0, f->spring), given);
        const carom_lane work = 0.5 * carom_ball_dot(carom_lane_add(s->end, force0), s->way, plane);
        aside = carom_ball_friction_pick(s->capped, carom_lane_times(carom_lane_all(middle), s->end), aside);
        friction_loss = carom_lane_pick(s->capped, work - took, friction_loss);
    }
    *lost = friction_loss;
    *change = took - gain;
    return aside;
}

#endif

/* Batches of balls in lanes, shared by verlet_lanes.c and verlet_lanes_friction.c: numbers of contacts side by side. */
#ifndef CAROM_SCHEME_COMPLIANT_VERLET_LANES_H
#define CAROM_SCHEME_COMPLIANT_VERLET_LANES_H

#include "base/vec.h"
#include "law/friction_spring.h"
#include "scheme/compliant/verlet_bodies.h"

/* Two contacts of a batch over a step. */
struct carom_verlet_lane_pair {
    uint32_t j[2];                /* alike: there is only one */
    carom_lane deform0, deform;   /* overlap at the start and at the end of the step, */
    carom_lane root0, root;       /* its root, */
    carom_lane rate;              /* and its rate at the start */
    carom_lane along;             /* what is given along the normal */
    carom_lane pressed0, pressed; /* normal forces at both ends */
    carom_lane arm[2], mobility;  /* arm: radii first */
    struct carom_lane3 normal0, normal;
    struct carom_lane3 fly, turn, spin; /* v_b - v_a, and the sums of spins times radii and of spins */
    struct carom_lane3 spring, force0;  /* at the start of the step */
};

struct carom_verlet_lane_batch {
    size_t n; /* pairs */
    const struct carom_verlet_lanes *law;
    struct carom_verlet_lane_pair pair[CAROM_VERLET_BATCH / 2];
};

/* A parameter of contacts j0 and j1. */
ALWAYS_INLINE carom_lane carom_verlet_lane_take(const struct carom_contacts *c,
                                                const struct carom_verlet_number *number, uint32_t j0, uint32_t j1)
{
    if (number->column == SIZE_MAX)
        return (carom_lane){number->value, number->value};
    return (carom_lane){c->column[number->column][j0], c->column[number->column][j1]};
}

ALWAYS_INLINE bool carom_verlet_lane_any(carom_lane_mask m)
{
    return (m[0] | m[1]) != 0;
}

/* What a vector must be multiplied by, whose square is given, so as not to be longer than `most`. */
ALWAYS_INLINE carom_lane carom_verlet_lane_shortening(carom_lane square, carom_lane most)
{
    const carom_lane one = {1.0, 1.0};
    return carom_lane_pick(square > most * most, most / carom_lane_sqrt(square), one);
}

ALWAYS_INLINE carom_lane carom_verlet_lane_stiffness(const struct carom_verlet_lanes *law, carom_lane k_t,
                                                     carom_lane deform, carom_lane root)
{
    return law->hertzian ? k_t * root : carom_lane_where(deform > 0.0, k_t);
}

/* The damper, no stronger than a step can bear (carom_friction_spring_damper). */
ALWAYS_INLINE carom_lane carom_verlet_lane_damper(carom_lane strength, carom_lane mobility, double step)
{
    const carom_lane takes = strength * (step * mobility);
    if (carom_verlet_lane_any(takes >= 0.49))
        return carom_lane_pick(takes < 0.49, strength, carom_lane_min(strength, 0.5 / (step * mobility)));
    return strength;
}

/* Two contacts at a moment. */
struct carom_verlet_lane_slip {
    struct carom_lane3 normal, fly, turn, spin, spring;
    carom_lane deform, root, rate, pressed, mobility, k_t, gamma_t;
};

/* Their friction on b. Contacts inside the cone need no root and no division. */
ALWAYS_INLINE struct carom_lane3 carom_verlet_lane_friction(const struct carom_verlet_lanes *law,
                                                            const struct carom_verlet_lane_slip *s, double step)
{
    const carom_lane k = carom_verlet_lane_stiffness(law, s->k_t, s->deform, s->root);
    const carom_lane damper = carom_verlet_lane_damper(k * s->gamma_t, s->mobility, step);
    const carom_lane cone = law->mu * carom_lane_positive(s->pressed);
    const struct carom_lane3 turn = carom_lane_less(s->turn, carom_lane_times(0.5 * s->deform, s->spin));
    const struct carom_lane3 past = carom_lane_add(s->fly, carom_lane_times(s->rate, s->normal));
    const struct carom_lane3 slip = carom_lane_less(past, carom_lane_cross(turn, s->normal));
    struct carom_lane3 force = carom_lane_times(k, s->spring);
    const carom_lane stretched = carom_lane_dot(force, force);
    if (carom_verlet_lane_any(stretched > cone * cone))
        force = carom_lane_times(carom_verlet_lane_shortening(stretched, cone), force);
    force = carom_lane_add(force, carom_lane_times(damper, slip));
    const carom_lane pull = carom_lane_dot(force, force);
    if (carom_verlet_lane_any(pull > cone * cone))
        force = carom_lane_times(carom_verlet_lane_shortening(pull, cone), force);
    return (struct carom_lane3){-force.x, -force.y, -force.z};
}

/* The rest of the kick of balls that rub: how far they slide, springs, second kicks, and what is lost. */
void carom_verlet_lanes_friction_kick(struct carom_verlet_bodies_work *w, const struct carom_contacts *from,
                                      const struct carom_contacts *to, const struct carom_verlet_lane_batch *batch,
                                      double h);

#endif

/* Batches of balls in lanes, shared by verlet_lanes.c and verlet_lanes_friction.c: numbers of contacts side by side.
 * `plane` and `rubs` are known to the compiler everywhere; in the plane nobody looks at z of a vector, nor at x and y
 * of a spin or torque. */
#ifndef CAROM_SCHEME_COMPLIANT_VERLET_LANES_H
#define CAROM_SCHEME_COMPLIANT_VERLET_LANES_H

#include "base/vec.h"
#include "law/friction_spring.h"
#include "scheme/compliant/verlet_bodies.h"

/* Two contacts with their bodies; the second may be the first again: there is only one then. */
struct carom_verlet_two {
    uint32_t j[2];
    struct carom_verlet_contact *contact[2];
    const struct carom_verlet_body *a[2], *b[2];
};

/* Two contacts of a batch over a step, as far as they were worked out without friction. */
struct carom_verlet_lane_pair {
    carom_lane rest, length, gain; /* of balls on their way: g0, |D0| and 2 D0.du + du.du; `normal` is D0 + du then */
    carom_lane deform0, deform;    /* overlap at the start and at the end of the step, */
    carom_lane root0, root;        /* and its root; root0 as in struct carom_verlet_contact */
    carom_lane along;              /* what is given along the normal */
    carom_lane pressed;            /* the normal force at the end */
    struct carom_lane3 normal;
};

struct carom_verlet_lane_batch {
    const uint32_t *contact; /* n of them */
    size_t n;
    const struct carom_verlet_lanes *law;
    struct carom_verlet_lane_pair pair[CAROM_VERLET_BATCH / 2];
};

ALWAYS_INLINE struct carom_verlet_two carom_verlet_two_of(const struct carom_verlet_bodies_work *w,
                                                          const uint32_t *contact, size_t i, size_t n)
{
    const uint32_t j0 = contact[i], j1 = contact[i + 1 < n ? i + 1 : i];
    struct carom_verlet_contact *c0 = &w->contact[j0], *c1 = &w->contact[j1];
    return (struct carom_verlet_two){
        {j0, j1}, {c0, c1}, {&w->body[c0->a], &w->body[c1->a]}, {&w->body[c0->b], &w->body[c1->b]}};
}

enum { CAROM_VERLET_LATER = 64 }; /* so many contacts ahead memory is called for */

/* Calls for what is kept of two contacts that come later in the list, and for the second bodies of two that come
 * sooner, which are numbered as they please: few at a time, since many at once wait for each other. (gcc drops calls of
 * a function that does nothing else, unless it is always inlined.) */
ALWAYS_INLINE void carom_verlet_call_for(const struct carom_verlet_bodies_work *w, const uint32_t *contact, size_t i,
                                         size_t listed, bool plane)
{
    enum { SOONER = 32 };
    if (i + CAROM_VERLET_LATER + 1 < listed)
        for (size_t at = i + CAROM_VERLET_LATER; at < i + CAROM_VERLET_LATER + 2; at++) {
            __builtin_prefetch(&w->contact[contact[at]]);
            __builtin_prefetch(w->contact[contact[at]].normal);
        }
    if (i + SOONER + 1 < listed)
        for (size_t at = i + SOONER; at < i + SOONER + 2; at++) {
            const struct carom_verlet_contact *next = &w->contact[contact[at]];
            __builtin_prefetch(&w->body[next->b]);
            __builtin_prefetch(&w->body[next->b].radius);
            __builtin_prefetch(w->force + next->on[1] * (plane ? 3 : 6), 1);
        }
}

/* Numbers 0 and 1 of two records, side by side. */
ALWAYS_INLINE void carom_verlet_pair_up(carom_lane first, carom_lane second, carom_lane *x, carom_lane *y)
{
    *x = carom_lane_first(first, second);
    *y = carom_lane_second(first, second);
}

/* Differences of numbers k and k + 1 of what moves bodies. */
ALWAYS_INLINE void carom_verlet_apart(const struct carom_verlet_two *t, int k, carom_lane *x, carom_lane *y)
{
    carom_verlet_pair_up(carom_lane_load(t->b[0]->moves + k) - carom_lane_load(t->a[0]->moves + k),
                         carom_lane_load(t->b[1]->moves + k) - carom_lane_load(t->a[1]->moves + k), x, y);
}

/* Velocities of b past a. */
ALWAYS_INLINE struct carom_lane3 carom_verlet_fly(const struct carom_verlet_two *t, bool plane)
{
    struct carom_lane3 fly = {{0.0}, {0.0}, {0.0}};
    carom_lane unused;
    carom_verlet_apart(t, 4, &fly.x, &fly.y);
    if (!plane)
        carom_verlet_apart(t, 2, &unused, &fly.z);
    return fly;
}

/* Spins and radii of one side. */
ALWAYS_INLINE struct carom_lane3 carom_verlet_spin(const struct carom_verlet_body *const body[2], bool plane,
                                                   carom_lane *radius)
{
    struct carom_lane3 spin = {{0.0}, {0.0}, {0.0}};
    if (!plane)
        carom_verlet_pair_up(carom_lane_load(body[0]->spin), carom_lane_load(body[1]->spin), &spin.x, &spin.y);
    carom_verlet_pair_up(carom_lane_load(body[0]->spin + 2), carom_lane_load(body[1]->spin + 2), &spin.z, radius);
    return spin;
}

ALWAYS_INLINE carom_lane carom_verlet_dot(struct carom_lane3 a, struct carom_lane3 b, bool plane)
{
    return plane ? a.x * b.x + a.y * b.y : carom_lane_dot(a, b);
}

/* A spin times a vector. */
ALWAYS_INLINE struct carom_lane3 carom_verlet_swing(struct carom_lane3 spin, struct carom_lane3 x, bool plane)
{
    if (!plane)
        return carom_lane_cross(spin, x);
    return (struct carom_lane3){-spin.z * x.y, spin.z * x.x, spin.z};
}

/* A parameter of two contacts. */
ALWAYS_INLINE carom_lane carom_verlet_lane_take(const struct carom_contacts *c,
                                                const struct carom_verlet_number *number, const uint32_t j[2])
{
    if (number->column == SIZE_MAX)
        return (carom_lane){number->value, number->value};
    return (carom_lane){c->column[number->column][j[0]], c->column[number->column][j[1]]};
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
                                                     carom_lane root)
{
    return law->hertzian ? k_t * root : carom_lane_where(root > 0.0, k_t);
}

/* Springs as vectors of space; in the plane their one number counts along the tangent */
ALWAYS_INLINE struct carom_lane3 carom_verlet_lane_springs(double *const *spring, bool plane, const uint32_t j[2],
                                                           struct carom_lane3 normal)
{
    const carom_lane first = {spring[0][j[0]], spring[0][j[1]]};
    if (plane)
        return (struct carom_lane3){-normal.y * first, normal.x * first, first};
    return (struct carom_lane3){first, {spring[1][j[0]], spring[1][j[1]]}, {spring[2][j[0]], spring[2][j[1]]}};
}

/* Dampers no stronger than a step can bear (carom_friction_spring_damper); weak ones are not asked one by one. */
ALWAYS_INLINE carom_lane carom_verlet_lane_damper(const struct carom_verlet_bodies_work *w,
                                                  const struct carom_verlet_two *t, carom_lane strength)
{
    if (!carom_verlet_lane_any(~(strength < w->weak)))
        return strength;
    for (int l = 0; l < 2; l++)
        strength[l] = carom_friction_spring_damper(strength[l], w->step_size,
                                                   carom_verlet_mobility(w, t->contact[l]->a) +
                                                       carom_verlet_mobility(w, t->contact[l]->b));
    return strength;
}

/* Lane l of two numbers. */
ALWAYS_INLINE carom_lane carom_verlet_lane_one(carom_lane x, carom_lane y, int l)
{
    return l == 0 ? carom_lane_first(x, y) : carom_lane_second(x, y);
}

/* Two contacts give so much along the normal, to b, and across it, to a, one after the other in the order of keys. */
ALWAYS_INLINE void carom_verlet_lane_push(struct carom_verlet_bodies_work *w, const struct carom_verlet_two *t,
                                          struct carom_lane3 normal, carom_lane along, struct carom_lane3 aside,
                                          const carom_lane arm[2], bool plane, bool rubs)
{
    const size_t nv = plane ? 3 : 6;
    struct carom_lane3 force = carom_lane_times(along, normal), on_a = force, on_b = force;
    if (rubs) { /* of a the opposite */
        const struct carom_lane3 turn = plane ? (struct carom_lane3){.z = normal.x * aside.y - normal.y * aside.x}
                                              : carom_lane_cross(normal, aside);
        force = carom_lane_less(force, aside);
        on_a = carom_lane_times(-arm[0], turn);
        on_b = carom_lane_times(arm[1], turn);
    }
    for (int l = 0; l < 2 && (l == 0 || t->j[1] != t->j[0]); l++) {
        double *a = w->force + t->contact[l]->on[0] * nv, *b = w->force + t->contact[l]->on[1] * nv;
        const carom_lane across = carom_verlet_lane_one(force.x, force.y, l);
        carom_lane_onto(a, -across);
        carom_lane_onto(b, across);
        if (!plane && rubs) {
            carom_lane_onto(a + 2, -carom_verlet_lane_one(force.z, on_a.x, l));
            carom_lane_onto(a + 4, -carom_verlet_lane_one(on_a.y, on_a.z, l));
            carom_lane_onto(b + 2, carom_verlet_lane_one(force.z, on_b.x, l));
            carom_lane_onto(b + 4, carom_verlet_lane_one(on_b.y, on_b.z, l));
        } else if (!plane || rubs) { /* z of the force, or in the plane the torque */
            a[2] -= plane ? on_a.z[l] : force.z[l];
            b[2] += plane ? on_b.z[l] : force.z[l];
        }
    }
}

/* Contacts as the step leaves them. */
ALWAYS_INLINE void carom_verlet_lane_keep(const struct carom_verlet_two *t, const struct carom_verlet_lane_pair *p)
{
    for (int l = 0; l < 2; l++) {
        carom_lane_store(t->contact[l]->normal, carom_verlet_lane_one(p->normal.x, p->normal.y, l));
        carom_lane_store(t->contact[l]->normal + 2, carom_verlet_lane_one(p->normal.z, p->root, l));
        t->contact[l]->deform = p->deform[l];
    }
}

/* The rest of the kick of balls that rub: how far they slide, springs, second kicks, and what is lost. */
void carom_verlet_lanes_friction_kick(struct carom_verlet_bodies_work *w, const struct carom_contacts *from,
                                      const struct carom_contacts *to, const struct carom_verlet_lane_batch *batch,
                                      double h);

#endif

/* Balls in lanes: what the passes of verlet_lanes_pass.h and verlet_lanes_friction.h share, numbers of contacts side by
 * side. `plane` and `rubs` are known to the compiler everywhere; in the plane nobody looks at z of a vector, nor at x
 * and y of a spin or torque. */
#ifndef CAROM_SCHEME_COMPLIANT_PACKING_VERLET_LANES_H
#define CAROM_SCHEME_COMPLIANT_PACKING_VERLET_LANES_H

#include "base/vec.h"
#include "law/friction_spring.h"
#include "scheme/compliant/packing/verlet_bodies.h"

/* Contacts side by side with their bodies; where there are fewer than lanes, the last fill the others too. */
struct carom_verlet_few {
    size_t count;
    uint32_t j[CAROM_LANES];
    struct carom_verlet_contact *contact[CAROM_LANES];
    const struct carom_verlet_body *a[CAROM_LANES], *b[CAROM_LANES];
};

/* Those of a batch over a step, as far as they were worked out without friction. */
struct carom_verlet_lane_few {
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
    struct carom_verlet_lane_few few[CAROM_VERLET_BATCH / CAROM_LANES];
};

ALWAYS_INLINE struct carom_verlet_few carom_verlet_few_of(const struct carom_verlet_bodies_work *w,
                                                          const uint32_t *contact, size_t i, size_t n)
{
    struct carom_verlet_few f = {.count = n - i < CAROM_LANES ? n - i : CAROM_LANES};
    for (size_t l = 0; l < CAROM_LANES; l++) {
        f.j[l] = contact[i + (l < f.count ? l : f.count - 1)];
        f.contact[l] = &w->contact[f.j[l]];
        f.a[l] = &w->body[f.contact[l]->a];
        f.b[l] = &w->body[f.contact[l]->b];
    }
    return f;
}

enum { CAROM_VERLET_LATER = 64 }; /* so many contacts ahead memory is called for */

/* Calls for what is kept of contacts that come later in the list, of both lines if it is to be the whole, and for the
 * second bodies of those that come sooner, which are numbered as they please: few at a time, since many at once wait
 * for each other. (gcc drops calls of a function that does nothing else, unless it is always inlined.) */
ALWAYS_INLINE void carom_verlet_call_for(const struct carom_verlet_bodies_work *w, const uint32_t *contact, size_t i,
                                         size_t listed, bool plane, bool whole)
{
    enum { SOONER = 32 };
    if (i + CAROM_VERLET_LATER + CAROM_LANES <= listed)
        for (size_t at = i + CAROM_VERLET_LATER; at < i + CAROM_VERLET_LATER + CAROM_LANES; at++) {
            __builtin_prefetch(&w->contact[contact[at]]);
            if (whole)
                __builtin_prefetch(w->contact[contact[at]].apart);
        }
    if (i + SOONER + CAROM_LANES <= listed)
        for (size_t at = i + SOONER; at < i + SOONER + CAROM_LANES; at++) {
            const struct carom_verlet_contact *next = &w->contact[contact[at]];
            __builtin_prefetch(&w->body[next->b]);
            __builtin_prefetch(&w->body[next->b].v[5]);
            __builtin_prefetch(w->force + next->on[1] * (plane ? 3 : 6), 1);
        }
}

/* Two neighbouring numbers of what is kept of contacts, the first so many bytes from its beginning. */
ALWAYS_INLINE void carom_verlet_kept(const struct carom_verlet_few *f, size_t offset, carom_lane *x, carom_lane *y)
{
    const double *at[CAROM_LANES];
    for (size_t l = 0; l < CAROM_LANES; l++)
        at[l] = (const double *)(const void *)((const char *)f->contact[l] + offset);
    carom_lane_columns(carom_lane_rows_of(at), x, y);
}

#define CAROM_VERLET_KEPT(few, member, x, y) carom_verlet_kept(few, offsetof(struct carom_verlet_contact, member), x, y)

/* Two neighbouring numbers of bodies, the first so many bytes from their beginning. */
ALWAYS_INLINE struct carom_lane_rows carom_verlet_body_rows(const struct carom_verlet_body *const body[CAROM_LANES],
                                                            size_t offset)
{
    const double *at[CAROM_LANES];
    for (size_t l = 0; l < CAROM_LANES; l++)
        at[l] = (const double *)(const void *)((const char *)body[l] + offset);
    return carom_lane_rows_of(at);
}

#define CAROM_VERLET_BODY_ROWS(body, member) carom_verlet_body_rows(body, offsetof(struct carom_verlet_body, member))

/* Differences of two bodies. */
ALWAYS_INLINE void carom_verlet_apart(struct carom_lane_rows from, struct carom_lane_rows to, carom_lane *x,
                                      carom_lane *y)
{
    carom_lane_columns((struct carom_lane_rows){to.even - from.even, to.odd - from.odd}, x, y);
}

/* How far b has moved past a. */
ALWAYS_INLINE struct carom_lane3 carom_verlet_moved(const struct carom_verlet_few *f, bool plane)
{
    struct carom_lane3 du = {{0.0}, {0.0}, {0.0}};
    carom_lane unused;
    carom_verlet_apart(CAROM_VERLET_BODY_ROWS(f->a, u[0]), CAROM_VERLET_BODY_ROWS(f->b, u[0]), &du.x, &du.y);
    if (!plane)
        carom_verlet_apart(CAROM_VERLET_BODY_ROWS(f->a, u[2]), CAROM_VERLET_BODY_ROWS(f->b, u[2]), &du.z, &unused);
    return du;
}

/* Velocities of b past a. */
ALWAYS_INLINE struct carom_lane3 carom_verlet_fly(const struct carom_verlet_few *f, bool plane)
{
    struct carom_lane3 fly = {{0.0}, {0.0}, {0.0}};
    carom_lane unused;
    carom_verlet_apart(CAROM_VERLET_BODY_ROWS(f->a, v[0]), CAROM_VERLET_BODY_ROWS(f->b, v[0]), &fly.x, &fly.y);
    if (!plane)
        carom_verlet_apart(CAROM_VERLET_BODY_ROWS(f->a, v[2]), CAROM_VERLET_BODY_ROWS(f->b, v[2]), &fly.z, &unused);
    return fly;
}

/* Spins and radii of one side. */
ALWAYS_INLINE struct carom_lane3 carom_verlet_spin(const struct carom_verlet_body *const body[CAROM_LANES], bool plane,
                                                   carom_lane *radius)
{
    struct carom_lane3 spin = {{0.0}, {0.0}, {0.0}};
    carom_lane unused;
    if (!plane)
        carom_lane_columns(CAROM_VERLET_BODY_ROWS(body, v[2]), &unused, &spin.x);
    carom_lane_columns(CAROM_VERLET_BODY_ROWS(body, v[4]), plane ? &unused : &spin.y, &spin.z);
    carom_lane_columns(CAROM_VERLET_BODY_ROWS(body, u[2]), &unused, radius);
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

/* Numbers of a column. */
ALWAYS_INLINE carom_lane carom_verlet_lane_column(const double *column, const uint32_t j[CAROM_LANES])
{
    const double *at[CAROM_LANES];
    for (size_t l = 0; l < CAROM_LANES; l++)
        at[l] = column + j[l];
    return carom_lane_of(at);
}

/* A column of losses, from state to state. */
ALWAYS_INLINE void carom_verlet_lane_book(const double *from, double *to, const uint32_t j[CAROM_LANES],
                                          carom_lane lost)
{
    for (size_t l = 0; l < CAROM_LANES; l++)
        to[j[l]] = from[j[l]] + lost[l];
}

/* A parameter of contacts. */
ALWAYS_INLINE carom_lane carom_verlet_lane_take(const struct carom_contacts *c,
                                                const struct carom_verlet_number *number, const uint32_t j[CAROM_LANES])
{
    if (number->column == SIZE_MAX)
        return carom_lane_all(number->value);
    return carom_verlet_lane_column(c->column[number->column], j);
}

/* What a vector must be multiplied by, whose square is given, so as not to be longer than `most`. */
ALWAYS_INLINE carom_lane carom_verlet_lane_shortening(carom_lane square, carom_lane most)
{
    return carom_lane_pick(square > most * most, most / carom_lane_sqrt(square), carom_lane_all(1.0));
}

ALWAYS_INLINE carom_lane carom_verlet_lane_stiffness(const struct carom_verlet_lanes *law, carom_lane k_t,
                                                     carom_lane root)
{
    return law->hertzian ? k_t * root : carom_lane_where(root > 0.0, k_t);
}

/* Springs as vectors of space; in the plane their one number counts along the tangent */
ALWAYS_INLINE struct carom_lane3 carom_verlet_lane_springs(double *const *spring, bool plane,
                                                           const uint32_t j[CAROM_LANES], struct carom_lane3 normal)
{
    const carom_lane first = carom_verlet_lane_column(spring[0], j);
    if (plane)
        return (struct carom_lane3){-normal.y * first, normal.x * first, first};
    return (struct carom_lane3){first, carom_verlet_lane_column(spring[1], j), carom_verlet_lane_column(spring[2], j)};
}

/* Dampers no stronger than a step can bear (carom_friction_spring_damper); weak ones are not asked one by one. */
ALWAYS_INLINE carom_lane carom_verlet_lane_damper(const struct carom_verlet_bodies_work *w,
                                                  const struct carom_verlet_few *f, carom_lane strength)
{
    if (!carom_lane_any(~(strength < w->weak)))
        return strength;
    for (size_t l = 0; l < CAROM_LANES; l++)
        strength[l] = carom_friction_spring_damper(strength[l], w->step_size,
                                                   carom_verlet_mobility(w, f->contact[l]->a) +
                                                       carom_verlet_mobility(w, f->contact[l]->b));
    return strength;
}

/* Contacts give so much along the normal, to b, and across it, to a, one after the other in the order of keys. */
ALWAYS_INLINE void carom_verlet_lane_push(struct carom_verlet_bodies_work *w, const struct carom_verlet_few *f,
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
    for (size_t l = 0; l < CAROM_LANES && l < f->count; l++) {
        double *a = w->force + f->contact[l]->on[0] * nv, *b = w->force + f->contact[l]->on[1] * nv;
        const carom_lane_duo across = carom_lane_both(force.x, force.y, l);
        carom_lane_duo_onto(a, -across);
        carom_lane_duo_onto(b, across);
        if (!plane && rubs) {
            carom_lane_duo_onto(a + 2, -carom_lane_both(force.z, on_a.x, l));
            carom_lane_duo_onto(a + 4, -carom_lane_both(on_a.y, on_a.z, l));
            carom_lane_duo_onto(b + 2, carom_lane_both(force.z, on_b.x, l));
            carom_lane_duo_onto(b + 4, carom_lane_both(on_b.y, on_b.z, l));
        } else if (!plane || rubs) { /* z of the force, or in the plane the torque */
            a[2] -= plane ? on_a.z[l] : force.z[l];
            b[2] += plane ? on_b.z[l] : force.z[l];
        }
    }
}

/* Contacts as the step leaves them. */
ALWAYS_INLINE void carom_verlet_lane_keep(const struct carom_verlet_few *f, const struct carom_verlet_lane_few *p)
{
    for (size_t l = 0; l < CAROM_LANES; l++) {
        carom_lane_duo_store(f->contact[l]->normal, carom_lane_both(p->normal.x, p->normal.y, l));
        carom_lane_duo_store(f->contact[l]->normal + 2, carom_lane_both(p->normal.z, p->root, l));
        f->contact[l]->deform = p->deform[l];
    }
}

#endif

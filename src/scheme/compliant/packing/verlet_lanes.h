/* Balls in lanes: what the passes of verlet_lanes_pass.h and verlet_lanes_friction.h share, numbers of contacts side by
 * side. A pass gathers what it needs of a few contacts and of their bodies, then works on these numbers alone, then
 * adds up what they give and keeps what has changed: in between it needs no addresses, for which there are few
 * registers. `plane` and `rubs` are known to the compiler everywhere (kernel/ball.h). */
#ifndef CAROM_SCHEME_COMPLIANT_PACKING_VERLET_LANES_H
#define CAROM_SCHEME_COMPLIANT_PACKING_VERLET_LANES_H

#include "base/vec.h"
#include "kernel/ball_friction.h"
#include "law/friction_spring.h"
#include "scheme/compliant/packing/verlet_bodies.h"

/* Numbers k and k + 1 of several records. */
ALWAYS_INLINE struct carom_lane_rows carom_verlet_rows(const double *const record[CAROM_LANES], size_t k)
{
    const double *at[CAROM_LANES];
    for (size_t l = 0; l < CAROM_LANES; l++)
        at[l] = record[l] + k;
    return carom_lane_rows_of(at);
}

ALWAYS_INLINE void carom_verlet_two(const double *const record[CAROM_LANES], size_t k, carom_lane *x, carom_lane *y)
{
    carom_lane_columns(carom_verlet_rows(record, k), x, y);
}

/* where a member of doubles stands in its record */
#define CAROM_VERLET_KEPT(member) (offsetof(struct carom_verlet_contact, member) / sizeof(double))
#define CAROM_VERLET_SEEN(member) (offsetof(struct carom_verlet_body, member) / sizeof(double))

/* What is kept of contacts, and what they are shown of their bodies. */
struct carom_verlet_records {
    const double *contact[CAROM_LANES], *centres[CAROM_LANES], *a[CAROM_LANES], *b[CAROM_LANES];
};

ALWAYS_INLINE struct carom_verlet_records carom_verlet_records_of(const struct carom_verlet_bodies_work *w,
                                                                  const uint32_t j[CAROM_LANES])
{
    struct carom_verlet_records r;
    for (size_t l = 0; l < CAROM_LANES; l++) {
        const struct carom_verlet_contact *contact = &w->contact[j[l]];
        r.contact[l] = (const double *)(const void *)contact;
        r.centres[l] = w->centres[j[l]].apart;
        r.a[l] = (const double *)(const void *)w->body + contact->a;
        r.b[l] = (const double *)(const void *)w->body + contact->b;
    }
    return r;
}

/* So many contacts ahead memory is called for; and with friction for columns, of which a line has eight, with every
 * fourth contact, since open pairs between those of the list make every eighth miss some lines. (Without friction there
 * is one column, and that brought nothing.) */
enum { CAROM_VERLET_LATER = 64, CAROM_VERLET_OFTEN = 4 };

/* Calls for what is kept of contacts that come later in the list, for what never changes too if it is to be the whole,
 * and for the second bodies of those that come sooner, which are numbered as they please: few at a time, since many at
 * once wait for each other. (gcc drops calls of a function that does nothing else, unless it is always inlined.) */
ALWAYS_INLINE void carom_verlet_call_for(const struct carom_verlet_bodies_work *w, const uint32_t *contact, size_t i,
                                         size_t listed, bool whole)
{
    enum { SOONER = 32 };
    const double *body = (const double *)(const void *)w->body;
    if (i + CAROM_VERLET_LATER + CAROM_LANES <= listed)
        for (size_t at = i + CAROM_VERLET_LATER; at < i + CAROM_VERLET_LATER + CAROM_LANES; at++) {
            __builtin_prefetch(&w->contact[contact[at]]);
            if (whole && at % 2 == 0)
                __builtin_prefetch(&w->centres[contact[at]]);
        }
    if (i + SOONER + CAROM_LANES <= listed)
        for (size_t at = i + SOONER; at < i + SOONER + CAROM_LANES; at++) {
            const struct carom_verlet_contact *next = &w->contact[contact[at]];
            __builtin_prefetch(body + next->b);
            __builtin_prefetch(body + next->b + CAROM_VERLET_SEEN(radius));
        }
}

/* How far b has moved past a (k: where u begins), or its velocity past a (v). */
ALWAYS_INLINE struct carom_lane3 carom_verlet_past(const struct carom_verlet_records *r, size_t k, bool plane)
{
    struct carom_lane3 past = {{0.0}, {0.0}, {0.0}};
    if (plane) {
        const struct carom_lane_rows from = carom_verlet_rows(r->a, k), to = carom_verlet_rows(r->b, k);
        carom_lane_columns((struct carom_lane_rows){to.even - from.even, to.odd - from.odd}, &past.x, &past.y);
        return past;
    }
    const double *from[CAROM_LANES], *to[CAROM_LANES];
    for (size_t l = 0; l < CAROM_LANES; l++) {
        from[l] = r->a[l] + k;
        to[l] = r->b[l] + k;
    }
    carom_lane_apart(from, to, &past.x, &past.y, &past.z);
    return past;
}

/* Spins and radii of one side. */
ALWAYS_INLINE struct carom_lane3 carom_verlet_spin(const double *const body[CAROM_LANES], bool plane,
                                                   carom_lane *radius)
{
    struct carom_lane3 spin = {{0.0}, {0.0}, {0.0}};
    if (!plane)
        carom_verlet_two(body, CAROM_VERLET_SEEN(spin[0]), &spin.x, &spin.y);
    carom_verlet_two(body, CAROM_VERLET_SEEN(spin[2]), &spin.z, radius);
    return spin;
}

/* Numbers of a column. */
ALWAYS_INLINE carom_lane carom_verlet_lane_column(const double *column, const uint32_t j[CAROM_LANES])
{
    const double *at[CAROM_LANES];
    for (size_t l = 0; l < CAROM_LANES; l++)
        at[l] = column + j[l];
    return carom_lane_of(at);
}

ALWAYS_INLINE void carom_verlet_lane_into(double *column, const uint32_t j[CAROM_LANES], carom_lane x)
{
    for (size_t l = 0; l < CAROM_LANES; l++)
        column[j[l]] = x[l];
}

/* A column of losses, from state to state. */
ALWAYS_INLINE void carom_verlet_lane_book(const double *from, double *to, const uint32_t j[CAROM_LANES],
                                          carom_lane lost)
{
    carom_verlet_lane_into(to, j, carom_verlet_lane_column(from, j) + lost);
}

/* A parameter of contacts. */
ALWAYS_INLINE carom_lane carom_verlet_lane_take(const struct carom_contacts *c,
                                                const struct carom_verlet_number *number, const uint32_t j[CAROM_LANES])
{
    if (number->column == SIZE_MAX)
        return carom_lane_all(number->value);
    return carom_verlet_lane_column(c->column[number->column], j);
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

/* Dampers no stronger than a step can bear (carom_kernel_damper); weak ones are not asked one by one. */
ALWAYS_INLINE carom_lane carom_verlet_lane_damper(const struct carom_verlet_bodies_work *w, carom_lane weak,
                                                  const uint32_t j[CAROM_LANES], carom_lane strength)
{
    if (!carom_lane_any(~(strength < weak)))
        return strength;
    for (size_t l = 0; l < CAROM_LANES; l++) {
        const struct carom_verlet_contact *contact = &w->contact[j[l]];
        strength[l] = carom_kernel_damper(strength[l], w->step_size,
                                          carom_verlet_mobility(carom_verlet_shown(w, contact->a)) +
                                              carom_verlet_mobility(carom_verlet_shown(w, contact->b)));
    }
    return strength;
}

/* Contacts give so much along the normal, to b, and across it, to a, one after the other in the order of keys; those
 * that fill lanes give nothing. */
ALWAYS_INLINE void carom_verlet_lane_push(struct carom_verlet_bodies_work *w, const uint32_t j[CAROM_LANES],
                                          size_t count, struct carom_lane3 normal, carom_lane along,
                                          struct carom_lane3 aside, const carom_lane arm[2], bool plane, bool rubs)
{
    struct carom_lane3 force = carom_lane_times(along, normal), on_a = force, on_b = force;
    if (rubs) { /* of a the opposite */
        const struct carom_lane3 turn = carom_ball_friction_torque(normal, aside, plane);
        force = carom_lane_less(force, aside);
        on_a = carom_lane_times(-arm[0], turn);
        on_b = carom_lane_times(arm[1], turn);
    }
    for (size_t l = 0; l < CAROM_LANES && l < count; l++) {
        const struct carom_verlet_contact *contact = &w->contact[j[l]];
        double *a = w->force + contact->on[0], *b = w->force + contact->on[1];
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
ALWAYS_INLINE void carom_verlet_lane_keep(struct carom_verlet_bodies_work *w, const uint32_t j[CAROM_LANES],
                                          const struct carom_ball_few *f)
{
    for (size_t l = 0; l < CAROM_LANES; l++) {
        struct carom_verlet_contact *contact = &w->contact[j[l]];
        carom_lane_duo_store(contact->normal, carom_lane_both(f->normal.x, f->normal.y, l));
        carom_lane_duo_store(contact->normal + 2, carom_lane_both(f->normal.z, f->root, l));
        contact->deform = f->deform[l];
    }
}

#endif

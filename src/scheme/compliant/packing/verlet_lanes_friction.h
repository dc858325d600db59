/* Friction of balls in lanes over a step: the springs under the cone of src/law/friction_spring.c, without its static
 * coefficient and its push along the normal. Kicks are vectors of space, those of the start as they were given: a step
 * gives half of the forces at both its ends, and dampers as much as the way asks for. */
#ifndef CAROM_SCHEME_COMPLIANT_PACKING_VERLET_LANES_FRICTION_H
#define CAROM_SCHEME_COMPLIANT_PACKING_VERLET_LANES_FRICTION_H

#include "scheme/compliant/packing/verlet_lanes.h"

typedef carom_lane lane;
typedef carom_lane_mask mask;
typedef struct carom_lane3 lane3;

ALWAYS_INLINE lane3 pick(mask m, lane3 y, lane3 x)
{
    return (lane3){carom_lane_pick(m, y.x, x.x), carom_lane_pick(m, y.y, x.y), carom_lane_pick(m, y.z, x.z)};
}

/* x + s y */
ALWAYS_INLINE lane3 plus(lane3 x, lane s, lane3 y)
{
    return carom_lane_add(x, carom_lane_times(s, y));
}

ALWAYS_INLINE lane3 minus(lane3 x, lane s, lane3 y)
{
    return carom_lane_less(x, carom_lane_times(s, y));
}

/* the part of the step in which bodies touch */
ALWAYS_INLINE lane touching(lane d0, lane d1)
{
    const lane one = carom_lane_all(1.0);
    const mask was = d0 > 0.0, is = d1 > 0.0;
    if (!carom_lane_any(~was | ~is))
        return one;
    const lane part = carom_lane_pick(was, d0, d1) / carom_lane_abs(d1 - d0);
    return carom_lane_where(was | is, carom_lane_pick(was & is, one, part));
}

/* Springs over a step. */
struct springs {
    lane3 before, way;         /* before: the one of the start in the plane of the end */
    lane k0, k1, shrink, grow; /* grow: what of the way goes into the stretch; shrink: of the stretch before */
    lane cone, damper0, damper1;
    mask holds;
    lane3 after, taken, end;   /* end: force at the end, of those that are capped */
    lane ways, afters, across; /* squares of way and spring after it, and their product */
    mask capped;
};

/* A vector x across n0 turned to one across n1, and about that with the bodies' mean spin: the first is
 * x - (n1.x) (n0 + n1) / (1 + n0.n1); c and s of the second belong to its angle to third order, and exactly to one. In
 * the plane springs count along the tangent and turn with it. */
ALWAYS_INLINE lane3 turned(lane3 x, lane3 n0, lane3 n1, lane3 sum, lane twist)
{
    const lane square = twist * twist, flat = 1.0 + carom_lane_dot(n0, n1), round = 1.0 + square;
    const lane inverse = 1.0 / (flat * round), exactly = flat * inverse;
    const lane3 y = minus(x, carom_lane_dot(n1, x) * (round * inverse), sum);
    return plus(carom_lane_times((1.0 - square) * exactly, y), 2.0 * twist * exactly, carom_lane_cross(n1, y));
}

/* how far contacts slide: at the middle of the step, then into the plane of its end; and the springs turned to it */
ALWAYS_INLINE void slide(const struct carom_verlet_few *f, double h, bool plane, struct springs *s)
{
    const lane3 n1 = f->normal, twice = carom_lane_add(f->normal0, n1); /* the normal of the middle */
    const lane inside = 0.25 * (f->deform0 + f->deform);
    const lane arm[2] = {0.5 * (f->radius[0] - inside), 0.5 * (f->radius[1] - inside)};
    const lane3 turn = plus(carom_lane_times(arm[0], f->spin[0]), arm[1], f->spin[1]);
    const lane3 past = carom_lane_less(f->fly, carom_verlet_swing(turn, twice, plane));
    const lane3 across = minus(past, 0.25 * carom_verlet_dot(past, twice, plane), twice);
    const lane3 level = minus(across, carom_verlet_dot(across, n1, plane), n1);
    s->way = carom_lane_times(h * touching(f->deform0, f->deform), level);
    if (plane)
        s->before = (lane3){-n1.y * f->spring.z, n1.x * f->spring.z, f->spring.z};
    else
        s->before = turned(f->spring, f->normal0, n1, twice,
                           0.25 * h * carom_lane_dot(n1, carom_lane_add(f->spin[0], f->spin[1])));
}

ALWAYS_INLINE void read_springs(const struct carom_verlet_bodies_work *w, const struct carom_contacts *c,
                                const struct carom_verlet_lanes *law, const uint32_t j[CAROM_LANES],
                                const struct carom_verlet_few *f, lane pressed, struct springs *s)
{
    const lane one = carom_lane_all(1.0), k_t = carom_verlet_lane_take(c, &law->k_t, j),
               gamma = carom_verlet_lane_take(c, &law->gamma_t, j);
    s->k0 = carom_verlet_lane_stiffness(law, k_t, carom_lane_abs(f->root0));
    s->k1 = carom_verlet_lane_stiffness(law, k_t, f->root);
    s->shrink = s->grow = one;
    s->holds = (f->deform > 0.0) & (pressed > 0.0);
    s->cone = law->mu * carom_lane_positive(pressed);
    s->damper0 = carom_verlet_lane_damper(w, carom_lane_all(law->weak), j, s->k0 * gamma);
    s->damper1 = carom_verlet_lane_damper(w, carom_lane_all(law->weak), j, s->k1 * gamma);
    if (law->follows) {
        const mask holds = law->always ? s->holds : s->holds & (s->k1 > s->k0);
        const lane ratio = s->k0 / s->k1;
        s->shrink = carom_lane_pick(holds, ratio, one);
        s->grow = carom_lane_pick(holds, 0.5 + 0.5 * ratio, one);
    }
}

/* the spring after its slide; those that the cone holds back at the end, or held at the start, are capped: their spring
 * and the force of spring and damper then */
ALWAYS_INLINE void stretch(lane root0, double often, bool plane, struct springs *s)
{
    s->after = plus(carom_lane_times(s->shrink, s->before), s->grow, s->way);
    s->taken = s->way;
    s->ways = carom_verlet_dot(s->way, s->way, plane);
    s->afters = carom_verlet_dot(s->after, s->after, plane);
    s->across = carom_verlet_dot(s->after, s->way, plane);
    const lane most = s->cone * s->cone, damper = s->damper1 * often, square = s->k1 * s->k1 * s->afters;
    const mask slips = square > most; /* and the square of k1 after + damper way: */
    s->capped =
        slips | (square + damper * (2.0 * s->k1 * s->across + damper * s->ways) > most) | ~s->holds | ~(root0 > 0.0);
    if (!carom_lane_any(s->capped))
        return;
    const lane3 none = {{0.0}, {0.0}, {0.0}}, trial = s->after;
    const lane scale = carom_lane_pick(slips, s->cone / (s->k1 * carom_lane_sqrt(s->afters)), carom_lane_all(1.0));
    s->after = pick(s->holds, carom_lane_times(scale, trial), none);
    s->taken = minus(s->way, carom_lane_where(s->holds & slips, (1.0 - scale) / s->grow), trial);
    s->afters = carom_verlet_dot(s->after, s->after, plane);
    s->across = carom_verlet_dot(s->after, s->taken, plane);
    s->end = plus(carom_lane_times(s->k1, s->after), damper, s->way);
    const lane pull = carom_verlet_lane_shortening(carom_verlet_dot(s->end, s->end, plane), s->cone);
    s->end = pick(s->holds, carom_lane_times(pull, s->end), none);
}

/* springs as the list has them: in the plane one number along the tangent */
ALWAYS_INLINE void keep_springs(double *const *spring, bool plane, const uint32_t j[CAROM_LANES], lane3 normal, lane3 x)
{
    carom_verlet_lane_into(spring[0], j, plane ? normal.x * x.y - normal.y * x.x : x.x);
    if (plane)
        return;
    carom_verlet_lane_into(spring[1], j, x.y);
    carom_verlet_lane_into(spring[2], j, x.z);
}

/* what a few contacts over a step are given and lose across their normals: the second kicks on a */
ALWAYS_INLINE lane3 rub_few(const struct carom_verlet_bodies_work *w, const struct carom_contacts *from,
                            const struct carom_contacts *to, const struct carom_verlet_lanes *law,
                            const uint32_t j[CAROM_LANES], const struct carom_verlet_few *f, lane pressed, double h,
                            bool plane)
{
    const size_t lost = w->columns.lost, spring = w->columns.spring[CAROM_SLIDES];
    const double half = 0.5 * h, often = 1.0 / h;
    const lane3 given = f->given;
    struct springs s;
    slide(f, h, plane, &s);
    read_springs(w, from, law, j, f, pressed, &s);
    stretch(f->root0, often, plane, &s);
    const lane took = 0.5 * (s.k0 * carom_verlet_dot(s.before, s.taken, plane) + s.k1 * s.across);
    const lane gain = 0.5 * (s.k1 * s.afters - s.k0 * carom_verlet_dot(f->spring, f->spring, plane));
    const lane damper = 0.5 * (s.damper0 + s.damper1);
    /* on a: half of the spring's force at the end, and what the damper has not given yet */
    lane3 aside = plus(carom_lane_times(carom_lane_all(half), carom_lane_less(carom_lane_times(s.k1, s.after), given)),
                       damper, s.way);
    lane rubbed = damper * often * s.ways;
    if (carom_lane_any(s.capped)) {
        const mask inside = f->root0 > 0.0; /* at the start; there the spring's part was not kept */
        const lane3 force0 = pick(inside, plus(given, s.k0, f->spring), given);
        const lane work = 0.5 * carom_verlet_dot(carom_lane_add(s.end, force0), s.way, plane);
        aside = pick(s.capped, carom_lane_times(carom_lane_all(half), s.end), aside);
        rubbed = carom_lane_pick(s.capped, work - took, rubbed);
    }
    keep_springs(to->column + spring, plane, j, f->normal, s.after);
    carom_verlet_lane_book(from->column[lost + CAROM_RETIRED_FRICTION], to->column[lost + CAROM_RETIRED_FRICTION], j,
                           rubbed);
    carom_verlet_lane_book(from->column[lost + CAROM_RETIRED_CHANGE], to->column[lost + CAROM_RETIRED_CHANGE], j,
                           took - gain);
    return aside;
}

#endif

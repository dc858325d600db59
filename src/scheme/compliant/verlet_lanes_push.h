/* What balls in lanes give to their bodies, one contact after the other in the order of keys. */
#ifndef CAROM_SCHEME_COMPLIANT_VERLET_LANES_PUSH_H
#define CAROM_SCHEME_COMPLIANT_VERLET_LANES_PUSH_H

#include "scheme/compliant/verlet_lanes.h"

/* Numbers k and k + 1 of lane l. */
ALWAYS_INLINE carom_lane carom_verlet_lane_one(const carom_lane x[6], size_t k, size_t l)
{
    return l == 0 ? carom_lane_first(x[k], x[k + 1]) : carom_lane_second(x[k], x[k + 1]);
}

/* A force and the two torques of lane l to the bodies of contact j. */
ALWAYS_INLINE void carom_verlet_lane_give(struct carom_verlet_bodies_work *w, uint32_t j, size_t l,
                                          const carom_lane on_a[6], const carom_lane on_b[6], bool plane, bool rubs)
{
    const size_t nv = plane ? 3 : 6;
    double *a = w->force + w->contact[j].on[0] * nv, *b = w->force + w->contact[j].on[1] * nv;
    carom_lane_onto(a, carom_verlet_lane_one(on_a, 0, l));
    carom_lane_onto(b, carom_verlet_lane_one(on_b, 0, l));
    if (!plane && rubs) {
        carom_lane_onto(a + 2, carom_verlet_lane_one(on_a, 2, l));
        carom_lane_onto(a + 4, carom_verlet_lane_one(on_a, 4, l));
        carom_lane_onto(b + 2, carom_verlet_lane_one(on_b, 2, l));
        carom_lane_onto(b + 4, carom_verlet_lane_one(on_b, 4, l));
    } else if (!plane || rubs) { /* z of the force, or in the plane the torque */
        a[2] += on_a[plane ? 5 : 2][l];
        b[2] += on_b[plane ? 5 : 2][l];
    }
}

/* Two contacts that give so much along the normal and across it; `plane` and `rubs` are known to the compiler. The
 * second one may be the first again: there is only one then. */
ALWAYS_INLINE void carom_verlet_lane_push(struct carom_verlet_bodies_work *w, uint32_t j0, uint32_t j1,
                                          struct carom_lane3 normal, carom_lane along, struct carom_lane3 aside,
                                          const carom_lane arm[2], bool plane, bool rubs)
{
    struct carom_lane3 force = carom_lane_times(along, normal), turn = {{0.0}, {0.0}, {0.0}}, of_a = turn, of_b = turn;
    if (rubs) {
        force = carom_lane_add(force, aside);
        turn = carom_lane_cross(aside, normal);
        of_a = carom_lane_times(arm[0], turn);
        of_b = carom_lane_times(arm[1], turn);
    }
    const carom_lane on_b[6] = {force.x, force.y, force.z, of_b.x, of_b.y, of_b.z};
    const carom_lane on_a[6] = {-force.x, -force.y, -force.z, of_a.x, of_a.y, of_a.z};
    carom_verlet_lane_give(w, j0, 0, on_a, on_b, plane, rubs);
    if (j1 != j0)
        carom_verlet_lane_give(w, j1, 1, on_a, on_b, plane, rubs);
}

#endif

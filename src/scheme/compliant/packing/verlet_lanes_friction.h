/* Friction of balls in lanes over a step: kernel/ball_friction.h with numbers of a few contacts, gathered and kept. */
#ifndef CAROM_SCHEME_COMPLIANT_PACKING_VERLET_LANES_FRICTION_H
#define CAROM_SCHEME_COMPLIANT_PACKING_VERLET_LANES_FRICTION_H

#include "scheme/compliant/packing/verlet_lanes.h"

typedef carom_lane lane;
typedef carom_lane_mask mask;
typedef struct carom_lane3 lane3;

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
                            const uint32_t j[CAROM_LANES], const struct carom_ball_few *f, lane pressed, double h,
                            bool plane)
{
    const size_t lost = w->columns.lost, spring = w->columns.spring[CAROM_SLIDES];
    const lane gamma = carom_verlet_lane_take(from, &law->gamma_t, j);
    struct carom_coulomb s;
    lane friction_loss, change;
    carom_ball_friction_slide(f, h, plane, &s);
    carom_ball_friction_read(&law->rub, carom_verlet_lane_take(from, &law->k_t, j), f, pressed, &s);
    s.damper = carom_verlet_lane_damper(w, carom_lane_all(law->weak), j, s.mean * gamma);
    s.late = carom_verlet_lane_damper(w, carom_lane_all(law->weak), j, s.k1 * gamma);
    carom_ball_friction_stretch(f->root0, 1.0 / h, plane, &s);
    const lane3 aside = carom_ball_friction_kick(f, h, plane, &s, &friction_loss, &change);
    keep_springs(to->column + spring, plane, j, f->normal, s.after);
    carom_verlet_lane_book(from->column[lost + CAROM_RETIRED_FRICTION], to->column[lost + CAROM_RETIRED_FRICTION], j,
                           friction_loss);
    carom_verlet_lane_book(from->column[lost + CAROM_RETIRED_CHANGE], to->column[lost + CAROM_RETIRED_CHANGE], j,
                           change);
    return aside;
}

#endif

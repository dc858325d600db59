/* Batches of balls in lanes, shared by verlet_lanes.c and verlet_lanes_friction.c: numbers of contacts side by side. */
#ifndef CAROM_SCHEME_COMPLIANT_VERLET_LANES_H
#define CAROM_SCHEME_COMPLIANT_VERLET_LANES_H

#include "base/vec.h"
#include "law/friction_spring.h"
#include "scheme/compliant/verlet_bodies.h"

typedef double carom_verlet_lane_column[CAROM_VERLET_BATCH];
typedef double carom_verlet_lane_vector[3 * CAROM_VERLET_BATCH]; /* all x, all y, all z */

struct carom_verlet_lane_batch {
    size_t n;
    const struct carom_verlet_lanes *law;
    uint32_t contact[CAROM_VERLET_BATCH], a[CAROM_VERLET_BATCH], b[CAROM_VERLET_BATCH];
    carom_verlet_lane_column deform0, root0; /* at the start of a step */
    carom_verlet_lane_vector normal0;
    carom_verlet_lane_column deform, root; /* at its end; at a moment, then */
    carom_verlet_lane_vector normal;
    carom_verlet_lane_column rate;            /* of the overlap, at the start */
    carom_verlet_lane_vector fly, turn, spin; /* v_b - v_a, and the sums of spins times radii and of spins */
    carom_verlet_lane_column radius[2], mobility;
    carom_verlet_lane_column k_t, gamma_t;
    carom_verlet_lane_column along;      /* what is given along the normal */
    carom_verlet_lane_vector aside;      /* and across it */
    carom_verlet_lane_column pressed[2]; /* normal forces at both ends */
    carom_verlet_lane_vector slid, spring, force0;
    carom_verlet_lane_column viscous, lost, change;
};

ALWAYS_INLINE struct carom_lane3 carom_verlet_lane_load(const double *from, size_t i)
{
    return (struct carom_lane3){carom_lane_load(from + i), carom_lane_load(from + CAROM_VERLET_BATCH + i),
                                carom_lane_load(from + 2 * CAROM_VERLET_BATCH + i)};
}

ALWAYS_INLINE void carom_verlet_lane_store(double *to, size_t i, struct carom_lane3 x)
{
    carom_lane_store(to + i, x.x);
    carom_lane_store(to + CAROM_VERLET_BATCH + i, x.y);
    carom_lane_store(to + 2 * CAROM_VERLET_BATCH + i, x.z);
}

/* Friction at a moment, into batch->aside: from along (normal forces), slips and springs. */
void carom_verlet_lanes_friction_moment(struct carom_verlet_lane_batch *batch, double step);

/* How far contacts slide in a step of size h, into batch->slid; springs and forces of the start are turned into the
 * plane of the end. */
void carom_verlet_lanes_friction_slide(struct carom_verlet_lane_batch *batch, double h);

/* Springs at the end of a step, second kicks of friction into batch->aside, and what is lost. */
void carom_verlet_lanes_friction_kicks(struct carom_verlet_lane_batch *batch, double step, double h);

#endif

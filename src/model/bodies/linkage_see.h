/* What the files of linkage.h share: where bodies that are one mechanism stand, and what contacts and joints see of
 * that. */
#ifndef CAROM_MODEL_BODIES_LINKAGE_SEE_H
#define CAROM_MODEL_BODIES_LINKAGE_SEE_H

#include "model/bodies/joints.h"
#include "model/bodies/linkage_places.h"

enum { CAROM_LINKAGE_SQUARE = CAROM_MECHANISM_WIDTH * CAROM_MECHANISM_WIDTH };

/* A function of where the bodies stand, and how it changes as two of them move. */
struct carom_linkage_seen {
    double value;
    size_t body[2]; /* CAROM_WORLD: none */
    double of[2][6], along[2][6];
    double normal[3], arm[2][3]; /* of contacts in space, whose `along` is that of linkage_see_pass */
};

/* Coordinates that a body which moves has in the mechanism: displacements, and an angle or a quaternion. Velocities are
 * those of the part `bodies`. */
static inline size_t carom_linkage_wide(const struct carom_linkage *l)
{
    return l->bodies->dimension == 2 ? 3 : 7;
}

/* Velocities of all of them. */
static inline size_t carom_linkage_nv(const struct carom_linkage *l)
{
    return carom_bodies_nv(l->bodies) * carom_linkage_count(l->bodies);
}

/* The two bodies at q in the coordinates of the part `bodies`, into their places of `full`, of all bodies; rotations
 * get their length. */
void carom_linkage_see_put(const struct carom_linkage *l, const size_t body[2], const double *q, double *full);

/* q moved by `step`, as many numbers as velocities; moved may be q. */
void carom_linkage_see_move(const void *own, const double *q, const double *step, double *moved);

/* Contact i, or limit. */
void carom_linkage_see(const struct carom_linkage *l, size_t i, const double *q, struct carom_linkage_seen *out);

/* The same in space with `along` the way in which its bodies pass each other along an axis, of which the normal has so
 * much as is returned; all 0 of a limit. */
double carom_linkage_see_pass(const struct carom_linkage *l, size_t i, size_t axis, const double *q,
                              struct carom_linkage_seen *out);

/* A row that joint j holds, or its coordinate. */
struct carom_joint_row carom_linkage_see_joint_row(const struct carom_linkage *l, size_t j, bool coordinate,
                                                   size_t which, const double *q);

/* All rows that joints hold, those of one joint together: values, slopes (nrows x nv) and drifts. */
void carom_linkage_see_rows(const void *own, double t, const double *q, double *value, double *slope, double *drift);

/* out += factor times the row, or that along which they slip, over the velocities of the mechanism. */
void carom_linkage_see_spread(const struct carom_linkage *l, const struct carom_linkage_seen *seen, bool slips,
                              double factor, double *out);

/* out = M^-1 push. */
void carom_linkage_see_respond(const struct carom_linkage *l, const double *q, const double *push, double *out);

/* Rows of joints, and S = J M^-1 J^T below its diagonal. */
void carom_linkage_see_weigh(const struct carom_linkage *l, const double *q, double *row, double *s);

/* f += what loads push, and motors; weights are stored energy and apart from that. */
void carom_linkage_see_push(const struct carom_linkage *l, double t, const double *q, double *f);

/* Forces of everything but contacts and joints that hold. */
void carom_linkage_see_force(const void *own, double t, const double *q, const double *v, double *f);

/* How fast directions of rows turn, in radians a time: a look along the motion is short beside its inverse. */
double carom_linkage_see_pace(const void *own, const double *q, const double *v);

#endif

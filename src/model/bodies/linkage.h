/* A few bodies of plane or space, with or without joints, as one mechanism: for schemes that follow a list of contacts
 * which stays as it is, located event by event. Coordinates are displacements and angle, or quaternion, of each body
 * that moves, in order; joints are held by the mechanism's accelerations and projection. Contacts are all places in
 * which two of them could ever touch, and the limits of joints after them. Bodies with corners meet planes, the walls
 * of box-shaped containers, discs and spheres there, and polygons each other for schemes that know contacts which count
 * only while a corner stands before a side (linkage_places.h). */
#ifndef CAROM_MODEL_BODIES_LINKAGE_H
#define CAROM_MODEL_BODIES_LINKAGE_H

#include "carom/bodies.h"
#include "carom/mechanism.h"
#include "carom/state.h"

/* Bodies at most: those that move have 3 velocities each of a mechanism's, in space 6; the others are walls. And the
 * coordinates and velocities of the part `bodies` that so many have at most. */
enum {
    CAROM_LINKAGE_MOVING = CAROM_MECHANISM_WIDTH / 3,
    CAROM_LINKAGE_BODIES = 64,
    CAROM_LINKAGE_Q = CAROM_LINKAGE_BODIES * 10,
    CAROM_LINKAGE_V = CAROM_LINKAGE_BODIES * 6
};

/* How many of them move. */
size_t carom_linkage_count(const struct carom_bodies *bodies);

/* Adds the bodies to an empty model, with their contacts, and makes the start (q, v) of the part `bodies` one of the
 * mechanism: for each body that moves `start` has 3 numbers, in space 7, and `speed` 3 or 6. `corners`: polygons may
 * meet each other. The bodies belong to the model then, also if this fails. */
enum carom_status carom_linkage_add(struct carom_model *model, struct carom_bodies *bodies, bool corners,
                                    const double *q, const double *v, double *start, double *speed,
                                    struct carom_error *error);

/* The bodies of a model that is such a mechanism, else NULL. */
const struct carom_bodies *carom_linkage_of(const struct carom_model *model);

/* The bodies of plane and space of a model, whether they are such a mechanism or not; NULL: it has none. */
const struct carom_bodies *carom_linkage_bodies(const struct carom_model *model);

/* Where they stand with the coordinates of the mechanism, those of the part `bodies`: `all_q` and `all_v` have room for
 * CAROM_LINKAGE_Q and CAROM_LINKAGE_V. */
void carom_linkage_stand(const struct carom_model *model, const double *q, const double *v, double *all_q,
                         double *all_v);

/* What each joint does to the body that scenes name first, motors and limits included: its force (two numbers, in
 * space three), or its moment about the point that it holds, with the forces of contacts that are in the view. */
void carom_linkage_carry(const struct carom_model *model, const struct carom_state *view, bool moment, double *out);

/* Which place contact i is, for people. */
void carom_linkage_name(const struct carom_model *model, size_t i, char *text, size_t room);

#endif

/* Joints as scenes write them, of bodies of the plane and of space and of balls beside solids alike. */
#ifndef CAROM_SCENE_BIND_JOINTS_H
#define CAROM_SCENE_BIND_JOINTS_H

#include "carom/bodies.h"
#include "scene/bind.h"

/* Whom joints hold. */
struct carom_bind_joints {
    struct carom_bind *b;
    size_t dimension;
    bool centres; /* of distances and sliders points that are not given are centres */
    size_t cells; /* bodies from this number on are cells of solids, which have no turn; 0: none is */
    void *own;
    enum carom_status (*find)(void *own, struct carom_node *node, size_t *body);
    enum carom_status (*vector)(void *own, struct carom_node *node, const char *unit, double out[3]);
    const double *(*centre)(const void *own, size_t body);
};

/* Reads one entry of the list. */
enum carom_status carom_bind_joints_read(const struct carom_bind_joints *joints, struct carom_node *node,
                                         struct carom_joint *joint);

#endif

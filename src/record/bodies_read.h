/* Recording of discs, spheres and walls: displacement, velocity, position, rotation, spin and stress of each body. */
#ifndef CAROM_RECORD_BODIES_READ_H
#define CAROM_RECORD_BODIES_READ_H

#include "carom/bodies.h"
#include "record/cells.h"

/* The bodies of a model of which a probe reads `what`, or NULL. Those that are one mechanism have their places, turns
 * and spins; u and v of a mechanism are its coordinates. */
const struct carom_bodies *carom_bodies_read_of(const struct carom_model *model, enum carom_cells_what what);

/* Numbers per body; 0: it is nothing that bodies have. */
size_t carom_bodies_read_depth(const struct carom_bodies *bodies, enum carom_cells_what what);

/* Numbers in all. */
size_t carom_bodies_read_size(const struct carom_bodies *bodies, enum carom_cells_what what);

/* All bodies or joints, one after the other; their stress has been worked out where it is wanted. */
void carom_bodies_read(const struct carom_reading *reading, size_t member, enum carom_cells_what what, double *out);

/* Moves a place into the domain along its joined sides. */
void carom_bodies_read_wrap(const struct carom_bodies *bodies, double place[3]);

#endif
